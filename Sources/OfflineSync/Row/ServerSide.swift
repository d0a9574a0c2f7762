package import TableProtocol

/// The server's state of a row, as far as this device knows. Every rule asks this value.
///
/// It is indirect because a page carries a thousand rows through the rules: a copy of a row shares its two copies of
/// the server instead of copying them column by column.
package indirect enum ServerSide: Sendable, Hashable {
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

  package var isLive: Bool {
    if case .known = self { true } else { false }
  }

  /// The copy, live or deleted.
  package var record: Record? {
    switch self {
    case .known(let copy), .tombstone(let copy): copy
    case .never, .unknown: nil
    }
  }

  /// The record that stands for this in the store and in undo steps, of the row with this id; nil if no server has
  /// heard of the row. A row of which nothing is known is a bare tombstone.
  package func stored(as id: RecordID) -> Record? {
    switch self {
    case .never: nil
    case .known(let copy), .tombstone(let copy): copy
    case .unknown: .unseenTombstone(id)
    }
  }

  /// The columns that the server maintains for the copy; nil without one.
  private var system: SystemProperties? {
    switch self {
    case .known(let copy), .tombstone(let copy): copy.system
    case .never, .unknown: nil
    }
  }

  package var version: RecordVersion? { system?.version }

  /// Nil for a tombstone that no server gave: it keeps the time of the copy that it replaced.
  package var updatedAt: Timestamp? { isLive || version != nil ? system?.updatedAt : nil }

  /// Of a deleted row, a time that is not later than the deletion and not earlier than the last live copy.
  var deletedAfter: Timestamp? {
    if case .tombstone(let copy) = self { copy.system.updatedAt } else { nil }
  }

  /// The columns that a server said this row has or had; nil if it said none.
  var saidColumns: Columns? {
    guard let values = record?.values, !values.isEmpty else { return nil }
    return values
  }

  /// Returns this copy with the known values of the columns that it does not show. A deleted row is returned unchanged,
  /// and so is a copy without any column, which says nothing about the row.
  ///
  /// A copy that holds what is known gets these very values: to compare them later costs nothing.
  func completed(from known: Columns) -> ServerSide {
    guard case .known(var copy) = self, !copy.values.isEmpty else { return self }
    if copy.values == known {
      copy.values = known
    } else if known.contains(where: { copy.values[$0.key] == nil }) {
      copy.values.merge(known) { shown, _ in shown }
    } else {
      return self
    }
    return .known(copy)
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

extension Record {
  /// The tombstone that a server may have of a row about which nothing else is known.
  static func unseenTombstone(_ id: RecordID) -> Record {
    Record(id: id, system: SystemProperties(deleted: true))
  }
}

extension Record {
  /// The record; nil for a tombstone.
  var live: Record? { system.deleted ? nil : self }
}
