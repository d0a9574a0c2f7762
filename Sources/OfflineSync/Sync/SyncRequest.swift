/// The options of a sync.
public struct SyncRequest: Sendable, Hashable {
  public var pushes: Bool
  public var pulls: [PullQuery]
  /// True if all rows are compared with the server's, without the delta tokens.
  public var isFull: Bool
  /// True if a pull may remove more than half of a list.
  public var allowsMassRemoval: Bool
  /// True if what the last pull would have removed, when it was stopped, is sent to the server again. Has no effect if
  /// no pull was stopped, or while rows are held: those are the first question.
  public var sendsRemovalsBack: Bool
  /// The answer if another account owns the list; nil to fail with `OtherAccount`.
  public var accountChange: AccountChange?
  /// The answer about rows that are newer here than on a server that went back; nil to fail with `ServerWentBack`.
  public var afterRestore: RestoreAnswer?
  /// The longest wait for another program that syncs the store, in seconds; nil for as long as ``SyncLock`` waits. The
  /// sync then fails with ``SyncFailure/otherProgramBusy``.
  package var patience: Int?

  public init(
    pushes: Bool = true, pulls: [PullQuery], isFull: Bool = false, allowsMassRemoval: Bool = false,
    sendsRemovalsBack: Bool = false, accountChange: AccountChange? = nil, afterRestore: RestoreAnswer? = nil
  ) {
    self.pushes = pushes
    self.pulls = pulls
    self.isFull = isFull
    self.allowsMassRemoval = allowsMassRemoval
    self.sendsRemovalsBack = sendsRemovalsBack
    self.accountChange = accountChange
    self.afterRestore = afterRestore
  }
}

/// A question that a request can answer in advance.
public enum SyncAnswer: Sendable, Hashable, CaseIterable {
  /// `accountChange`: the list was another account's.
  case account
  /// `afterRestore`: rows were held since the server went back.
  case restore
  /// `allowsMassRemoval` or `sendsRemovalsBack`: an earlier pull was stopped.
  case removal
}
