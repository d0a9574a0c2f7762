package import TableProtocol

/// A change of what a row holds, as it is remembered: it ended one version of the row and began the next.
package struct RowVersion: Sendable, Hashable {
  /// The number of the version that began; the versions of a row are counted from 0. Given by the store.
  package let number: Int64
  /// The version that ended; nil where there was no row.
  package let before: Record?
  /// By this device's clock for a change made here, else the server's. Nil when nobody noted it.
  package let changedAt: Timestamp?
  package let origin: RowOrigin

  package init(number: Int64 = 0, before: Record?, changedAt: Timestamp?, origin: RowOrigin) {
    self.number = number
    self.before = before
    self.changedAt = changedAt
    self.origin = origin
  }

  /// Past versions that are kept of one row, and of all.
  package static let mostOfRow = 50
  package static let mostOfAll = 100_000
}

/// Where a change of a row came from. The words are those that are stored.
package enum RowOrigin: String, Sendable, Hashable {
  /// The person at this device.
  case here
  case server
  /// Both: what was changed here and there was brought together.
  case merge
}
