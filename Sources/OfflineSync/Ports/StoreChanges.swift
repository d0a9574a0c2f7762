/// The kinds of content that a write changed. A view reads again only what it shows.
package struct StoreChanges: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// No change. Said here because the library's own is generic, and looking for it takes part of the start of a
  /// program.
  package init() { rawValue = 0 }

  /// Rows, their past versions and undo steps, and what arrived with them.
  package static let rows = StoreChanges(rawValue: 1)
  /// The changes that wait, and their errors.
  package static let journal = StoreChanges(rawValue: 2)
  /// Settings of syncing and of the interface.
  package static let facts = StoreChanges(rawValue: 4)
  /// The saved requests.
  package static let requests = StoreChanges(rawValue: 8)
  /// Another program made it.
  package static let otherProgram = StoreChanges(rawValue: 16)
  /// The change of another program: it may be of any kind.
  package static let all: StoreChanges = [.rows, .journal, .facts, .requests, .otherProgram]
}

/// A counter that differs after each change of the store.
package struct StoreRevision: Sendable, Hashable {
  private let own: Int64
  private let others: Int64

  /// `own` counts the changes by way of this object, `others` those of other programs.
  package init(own: Int64, others: Int64 = 0) {
    self.own = own
    self.others = others
  }
}
