/// The options of a sync.
package struct SyncRequest: Sendable, Hashable {
  package var pushes: Bool
  package var pulls: [PullQuery]
  /// True if all rows are compared with the server's, without the delta tokens.
  package var isFull: Bool
  /// True if a pull may remove more than half of a list.
  package var allowsMassRemoval: Bool
  /// What to do if another account owns the list; nil to fail with `OtherAccount`.
  package var accountChange: AccountChange?
  /// What to do with rows that are newer here than on a server that went back; nil to fail with `ServerWentBack`.
  package var afterRestore: RestoreAnswer?

  package init(
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
