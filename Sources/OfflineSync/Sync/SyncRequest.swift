/// The options of a sync.
public struct SyncRequest: Sendable, Hashable {
  public var pushes: Bool
  public var pulls: [PullQuery]
  /// True if all rows are compared with the server's, without the delta tokens.
  public var isFull: Bool
  /// True if a pull may remove more than half of a list.
  public var allowsMassRemoval: Bool
  /// What to do if another account owns the list; nil to fail with `OtherAccount`.
  public var accountChange: AccountChange?
  /// What to do with rows that are newer here than on a server that went back; nil to fail with `ServerWentBack`.
  public var afterRestore: RestoreAnswer?

  public init(
    pushes: Bool = true, pulls: [PullQuery], isFull: Bool = false, allowsMassRemoval: Bool = false,
    accountChange: AccountChange? = nil, afterRestore: RestoreAnswer? = nil
  ) {
    self.pushes = pushes
    self.pulls = pulls
    self.isFull = isFull
    self.allowsMassRemoval = allowsMassRemoval
    self.accountChange = accountChange
    self.afterRestore = afterRestore
  }
}
