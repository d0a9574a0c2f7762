package import OfflineSync

/// What a refresh does.
package struct RefreshOptions: Sendable, Hashable {
  package var pushes = true
  package var pulls = true
  /// Compares everything with the server, not only what changed since the last pull.
  package var isFull = false
  /// The refresh may remove more than half of the list.
  package var allowsMassRemoval = false
  /// What becomes of a list that belongs to another account; nil asks the user.
  package var accountChange: AccountChange?
  /// What becomes of items that are newer here than on a server that went back; nil asks the user.
  package var afterRestore: RestoreAnswer?

  package init() {}

  /// The same again, after the user agreed to what the server would remove.
  package var agreeingToRemoval: RefreshOptions {
    var options = self
    options.allowsMassRemoval = true
    // The list is the new account's by now. What is left to do is to compare everything.
    options.isFull = isFull || accountChange == .sameList
    options.accountChange = nil
    return options
  }
}
