/// What a sync is asked to do.
package struct SyncRequest: Sendable, Hashable {
  package var pushes: Bool
  package var pulls: [PullQuery]
  /// Compares all rows with the server's, whatever the delta tokens say.
  package var isFull: Bool
  /// A pull may remove more than half of a list.
  package var allowsMassRemoval: Bool
  /// What is to be done when the list is another account's; nil for nothing but saying so.
  package var accountChange: AccountChange?
  /// What is to be done with rows that are newer here than on a server that went back; nil for nothing but saying so.
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
