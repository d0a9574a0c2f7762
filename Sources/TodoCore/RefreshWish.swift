package import OfflineSync

/// What a refresh is to do.
package struct RefreshWish: Sendable, Hashable {
  package var pushes = true
  package var pulls = true
  /// Compare everything with the server, not only what changed since the last pull.
  package var isFull = false
  /// More than half of the list may go.
  package var allowsMassRemoval = false
  /// What is to become of a list that is another account's; nil asks.
  package var accountChange: AccountChange?

  package init() {}

  /// The same once more, after a person agreed to what the server would take away.
  package var agreeingToRemoval: RefreshWish {
    var wish = self
    wish.allowsMassRemoval = true
    // The list is the new account's by now. What is left to do is to compare everything.
    wish.isFull = isFull || accountChange == .sameList
    wish.accountChange = nil
    return wish
  }
}
