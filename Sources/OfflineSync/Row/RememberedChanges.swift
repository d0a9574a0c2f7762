package import TableProtocol

/// A change that the user made to one row: the row before and after it.
package struct RowChange: Sendable, Hashable {
  package let table: String
  package let itemID: RecordID
  /// Nil or a tombstone if there was no row. With a tombstone a server may know the id.
  package var before: Record?
  package var after: Record?
  /// Of a decision about a conflict: the copy that the row was made from before it, and the copy that was decided
  /// about. A decision about a refused or held row is undone as an edit, and has none.
  package var decision: DecidedBases?

  package init(table: String, itemID: RecordID, before: Record?, after: Record?, decision: DecidedBases? = nil) {
    self.table = table
    self.itemID = itemID
    self.before = before
    self.after = after
    self.decision = decision
  }
}

/// The bases of a row before and after a decision about a conflict. Undoing the decision opens the conflict again.
package struct DecidedBases: Sendable, Hashable {
  package let before: ServerSide
  package let after: ServerSide
  /// The columns that an attempt may have left on the server before the decision; nil if there was no such attempt.
  package let sent: Columns?
  /// How often the list had been taken along to another account by then: the copies are those of that account's server.
  package let takenAlong: Int

  package init(before: ServerSide, after: ServerSide, sent: Columns? = nil, takenAlong: Int = 0) {
    self.before = before
    self.after = after
    self.sent = sent
    self.takenAlong = takenAlong
  }
}

/// A change as it is remembered.
package struct UndoEntry: Sendable, Hashable {
  /// Rises from one change to the next.
  package let id: Int64
  /// The same for changes that are undone together. Rises too.
  package let step: Int64
  package var change: RowChange
  package var isUndone: Bool

  package init(id: Int64, step: Int64, change: RowChange, isUndone: Bool = false) {
    self.id = id
    self.step = step
    self.change = change
    self.isUndone = isUndone
  }
}

/// A change of what a row holds, as it is remembered: it ended one version of the row and began the next.
package struct PastVersion: Sendable, Hashable {
  /// The number of the version that began; the versions of a row are counted from 0. Given by the store.
  package let number: Int64
  /// The version that ended; nil where there was no row.
  package let before: Record?
  /// This device's time for a change made here, otherwise the server's time. Nil if it is not known.
  package let changedAt: Timestamp?
  package let origin: RowOrigin

  package init(number: Int64 = 0, before: Record?, changedAt: Timestamp?, origin: RowOrigin) {
    self.number = number
    self.before = before
    self.changedAt = changedAt
    self.origin = origin
  }

  /// When a row in which a boolean column is true came to be so: when its last version without that ended. `versions`
  /// are those of the row, oldest first. Nil if no such version is kept, as of a row that came from a server so, if the
  /// time of the change is not known, or if the row was deleted then and came back so.
  package static func turn(of column: String, in versions: [PastVersion]) -> Timestamp? {
    let last = versions.lastIndex { version in version.before.map { $0.values[column]?.bool != true } ?? false }
    guard let last else { return nil }
    let next = versions.dropFirst(last + 1).first
    return next != nil && next?.before == nil ? nil : versions[last].changedAt
  }

  /// Past versions that are kept of one row, and of all.
  package static let mostOfRow = 50
  package static let mostOfAll = 100_000
}

/// The origin of a change of a row. The raw values are stored.
package enum RowOrigin: String, Sendable, Hashable {
  /// The person at this device.
  case here
  case server
  /// Both: the changes made here and on the server were merged.
  case merge
}

/// News of a row: a sync changed it since the person here last saw it.
package struct RowArrival: Sendable, Hashable {
  package let itemID: RecordID
  /// The row that the person here saw last; nil if there was no row.
  package let before: Record?
  /// The kind of the change, as a text that a store can count without reading rows: see ``kind(from:to:)``.
  package let kind: String
  /// This device's clock.
  package let arrivedAt: Timestamp

  package init(itemID: RecordID, before: Record?, kind: String, arrivedAt: Timestamp) {
    self.itemID = itemID
    self.before = before
    self.kind = kind
    self.arrivedAt = arrivedAt
  }

  /// Arrivals that are kept, the newest.
  package static let most = 10_000

  package static let added = "added"
  package static let removed = "removed"
  /// The row's conflict ended by itself; the row did not change.
  package static let merged = "merged"

  /// `added`, `removed`, or the names of the columns that changed, in order, with a space between; of one that is on or
  /// off, also what it is now, as in `complete=true`.
  package static func kind(from before: Record?, to after: Record?) -> String {
    guard let after else { return removed }
    guard let before else { return added }
    let changed = after.values.filter { name, value in before.values[name] ?? value != value }
    return changed.sorted { $0.key < $1.key }.map { name, value in
      if case .bool(let isOn) = value { "\(name)=\(isOn)" } else { name }
    }.joined(separator: " ")
  }
}
