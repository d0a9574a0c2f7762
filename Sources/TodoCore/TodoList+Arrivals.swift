package import FoundationEssentials
import OfflineSync
package import TableProtocol

/// The changes that syncs made in the list since the user last looked.
extension TodoList {
  /// The changes that the user has not seen, newest last; at most the newest 10,000. An item that the user changes here
  /// counts as seen.
  package func arrivals() throws -> [Arrival] {
    try context.store.read { store in
      let arrivals = try store.arrivals(in: Self.table)
      let rows = Dictionary(
        try store.records(arrivals.map(\.itemID), in: Self.table).map { ($0.id, TodoCopy($0)) },
        uniquingKeysWith: { $1 })
      return arrivals.map { arrival in
        Arrival(
          id: arrival.itemID, before: arrival.before.map(TodoCopy.init), after: rows[arrival.itemID],
          arrivedAt: arrival.arrivedAt.date, endsConflict: arrival.kind == RowArrival.merged)
      }
    }
  }

  /// The number of them by kind, without kinds that do not occur. Reads no items.
  package func arrivalCounts() throws -> [Arrival.Kind: Int] {
    let counts = try context.store.read { try $0.arrivalCounts(in: Self.table) }
    return Dictionary(counts.map { (Arrival.Kind($0.key), $0.value) }, uniquingKeysWith: +)
  }

  package func markSeen(_ ids: [RecordID]) throws {
    guard !ids.isEmpty else { return }
    try context.store.write { try $0.removeArrivals(ofItems: ids, in: Self.table) }
  }

  /// Returns the next item in the order of the list that has arrived: after `item`, or before it if `backward`. Without
  /// an item, returns the first, or the last. Returns nil if there is none. Deleted items are not in the list.
  package func nextArrival(
    after item: TodoItem?, in query: TodoQuery, backward: Bool = false
  ) throws -> TodoItem? {
    let anchor = item.map { backward ? TodoAnchor.before($0) : .after($0) } ?? (backward ? .last : .first)
    var rows = try query.rows(anchor, limit: 1, today: today())
    rows.condition = .all([rows.condition, .arrived].compactMap(\.self))
    return try context.store.read { store in
      try withStates(try store.records(rows), store).first
    }
  }
}

/// A change that pulls made to one item of the list.
package struct Arrival: Identifiable, Sendable, Hashable {
  /// The item's id. The changes of several pulls to an unseen item are one arrival.
  package let id: RecordID
  /// The item before; nil for a new item.
  package let before: TodoCopy?
  /// The item since; nil if it was deleted.
  package let after: TodoCopy?
  /// When the last of these changes arrived, by this device's clock.
  package let arrivedAt: Date
  /// True if the item did not change, and its conflict ended because both sides agree now.
  package let endsConflict: Bool

  package init(id: RecordID, before: TodoCopy?, after: TodoCopy?, arrivedAt: Date, endsConflict: Bool = false) {
    self.id = id
    self.before = before
    self.after = after
    self.arrivedAt = arrivedAt
    self.endsConflict = endsConflict
  }

  /// The change in one word. If both text and state changed, it is the state.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case added, completed, reopened, edited, deleted
    /// A conflict ended by itself.
    case settled
  }

  package var kind: Kind {
    if endsConflict { return .settled }
    guard let after else { return .deleted }
    guard let before else { return .added }
    if before.complete != after.complete { return after.complete ? .completed : .reopened }
    return .edited
  }
}

extension Arrival.Kind {
  /// If both text and state changed, it is the state.
  init(_ kind: String) {
    switch kind {
    case RowArrival.added: self = .added
    case RowArrival.removed: self = .deleted
    case RowArrival.merged: self = .settled
    default:
      let words = kind.split(separator: " ")
      if words.contains("\(TodoColumn.complete)=true") {
        self = .completed
      } else {
        self = words.contains("\(TodoColumn.complete)=false") ? .reopened : .edited
      }
    }
  }
}
