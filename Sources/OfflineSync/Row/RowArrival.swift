package import TableProtocol

/// What syncs made of a row since the person here last saw it.
package struct RowArrival: Sendable, Hashable {
  package let itemID: RecordID
  /// The row as it was seen; nil where there was none.
  package let before: Record?
  /// What happened, in words that a store can count without reading rows: see ``kind(_:_:)``.
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
  package static func kind(_ before: Record?, _ after: Record?) -> String {
    guard let after else { return removed }
    guard let before else { return added }
    let changed = after.values.filter { name, value in before.values[name] ?? value != value }
    return changed.sorted { $0.key < $1.key }.map { name, value in
      if case .bool(let isOn) = value { "\(name)=\(isOn)" } else { name }
    }.joined(separator: " ")
  }
}
