/// What kind of thing in the store a write changed: who shows something of it reads no more than that again.
package struct StoreChanges: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Rows, their versions and history, and what arrived with them.
  package static let rows = StoreChanges(rawValue: 1)
  /// The changes that wait, and why they do.
  package static let journal = StoreChanges(rawValue: 2)
  /// What is remembered of syncing and of the interface.
  package static let facts = StoreChanges(rawValue: 4)
  /// The requests that were made.
  package static let requests = StoreChanges(rawValue: 8)
  /// What another program changed can be anything.
  package static let all: StoreChanges = [.rows, .journal, .facts, .requests]
}
