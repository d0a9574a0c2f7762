package import TableProtocol

/// What the server has of a row, as far as this device knows: the one answer to that question.
package enum ServerSide: Sendable, Hashable {
  /// No server was ever asked about this id.
  case never
  /// A live copy with its version.
  case known(Record)
  /// A deleted row, with the version or the last columns that a server gave for it.
  case tombstone(Record)
  /// It may have anything: a row that is gone without a trace, a list that was taken along to another server, an id
  /// that the caller chose.
  case unknown

  /// The copy that a server gave; nil if it has no trace of the row.
  package init(_ copy: Record?) {
    guard let copy else {
      self = .unknown
      return
    }
    if !copy.system.deleted {
      self = .known(copy)
    } else {
      let isBare = copy.system.version == nil && copy.values.isEmpty
      self = isBare ? .unknown : .tombstone(copy)
    }
  }
}

extension ServerSide {
  /// The columns of a live copy; nil for every other answer.
  package var live: Columns? {
    if case .known(let copy) = self { copy.values } else { nil }
  }

  package var isLive: Bool { live != nil }

  /// The copy, live or deleted.
  package var record: Record? {
    switch self {
    case .known(let copy), .tombstone(let copy): copy
    case .never, .unknown: nil
    }
  }

  package var version: RecordVersion? { record?.system.version }
  package var updatedAt: Timestamp? { record?.system.updatedAt }

  /// The columns that a server said this row has or had; nil if it said none.
  var saidColumns: Columns? {
    guard let values = record?.values, !values.isEmpty else { return nil }
    return values
  }

  /// True if both are one and the same state of the row on the server. The version decides. If none is known, or it is
  /// not believed any more, the columns do.
  package func isSameCopy(as other: ServerSide) -> Bool {
    switch (self, other) {
    case (.never, .never), (.unknown, .unknown): true
    case (.known(let left), .known(let right)), (.tombstone(let left), .tombstone(let right)):
      left.system.version == right.system.version && (left.hasTrustedVersion || left.values == right.values)
    case (.never, _), (.known, _), (.tombstone, _), (.unknown, _): false
    }
  }
}

extension Record {
  fileprivate var hasTrustedVersion: Bool { system.version.map { $0 != TrackedRow.voidVersion } ?? false }
}

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
