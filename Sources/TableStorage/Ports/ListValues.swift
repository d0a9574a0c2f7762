package import FoundationEssentials
package import TableProtocol
package import TableSQL

/// Which rows of a list are read, and in which order.
package struct ListQuery: Sendable {
  package var filter: Filter?
  /// The result of a comparison with null: the versions of the protocol differ in that.
  package var nulls: FilterSQL.NullRule
  /// The keys in their order. `id` is always the last, be it named or not (wire 6.3).
  package var order: [SortKey]
  /// The values of the row after which the rows begin, one for each key of the completed order; nil for the first row.
  package var place: [FieldValue]?
  /// Rows to pass over.
  package var skip: Int
  package var limit: Int
  /// With tombstones.
  package var includesDeleted: Bool

  package init(
    filter: Filter? = nil, nulls: FilterSQL.NullRule, order: [SortKey] = [], skip: Int = 0, limit: Int,
    includesDeleted: Bool = false
  ) {
    self.filter = filter
    self.nulls = nulls
    self.order = order
    self.skip = skip
    self.limit = limit
    self.includesDeleted = includesDeleted
  }
}

/// A row as a list has it: its values by the place of their column, since a page has thousands of rows.
package struct ListedRow: Sendable {
  package let id: RecordID
  /// In the order of the columns of the list.
  package let values: [FieldValue]
  package let createdAt: Timestamp
  package let updatedAt: Timestamp
  package let version: RecordVersion
  package let deleted: Bool

  package init(
    id: RecordID, values: [FieldValue], createdAt: Timestamp, updatedAt: Timestamp, version: RecordVersion,
    deleted: Bool
  ) {
    self.id = id
    self.values = values
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.version = version
    self.deleted = deleted
  }

  /// A tombstone that has nothing in its columns says nothing of them: it may have lost its texts (wire 11.6).
  package var showsColumns: Bool { !deleted || values.contains { $0 != .null } }

  package func record(_ columns: [TableColumn]) -> Record {
    var record = storedRecord(columns)
    if !showsColumns { record.values = [:] }
    return record
  }

  /// With the columns of a tombstone too.
  func storedRecord(_ columns: [TableColumn]) -> Record {
    var record = Record(id: id)
    record.values.reserveCapacity(columns.count)
    for (column, value) in zip(columns, values) { record.values[column.name] = value }
    record.system = SystemProperties(createdAt: createdAt, updatedAt: updatedAt, version: version, deleted: deleted)
    return record
  }

  /// The value that a sort key goes by; nil for a name that is no column.
  package func value(_ name: String, _ schema: TableSchema) -> FieldValue? {
    switch schema.propertyName(name) {
    case SystemColumn.id: .text(id.text)
    case SystemColumn.createdAt: .integer(createdAt.milliseconds)
    case SystemColumn.updatedAt: .integer(updatedAt.milliseconds)
    case SystemColumn.version: .text(version.text)
    case SystemColumn.deleted: .bool(deleted)
    case let name?: schema.index(of: name).map { values[$0] }
    case nil: nil
    }
  }
}

/// The stored state of a list as a whole.
package struct ListState: Hashable, Sendable {
  /// The last moment that was given to a row. It never goes back, whatever the machine's clock does.
  package var lastMoment: Timestamp
  /// The newest `updatedAt` that a row of the list has or had, removed ones too. Nil if there never was a row.
  package var newestMoment: Timestamp?
  /// The newest `updatedAt` of the tombstones that were removed because of their age; nil if none was.
  package var tombstonesAfter: Timestamp?
  /// Of the rows that are not deleted: changed with the rows, in their transaction.
  package var digest: TableDigest
  /// Read with each list, because another process may raise it.
  package var epoch: DatabaseEpoch

  package init(
    lastMoment: Timestamp, newestMoment: Timestamp? = nil, tombstonesAfter: Timestamp? = nil, digest: TableDigest,
    epoch: DatabaseEpoch
  ) {
    self.lastMoment = lastMoment
    self.newestMoment = newestMoment
    self.tombstonesAfter = tombstonesAfter
    self.digest = digest
    self.epoch = epoch
  }
}

/// Tombstones of a part of a list.
package struct TombstonePart: Hashable, Sendable {
  /// In the order of their `updatedAt`.
  package var ids: [RecordID] = []
  /// The newest `updatedAt` among them.
  package var newest: Timestamp?
  /// Up to this moment all rows were looked at.
  package var reached: Timestamp

  package init(ids: [RecordID] = [], newest: Timestamp? = nil, reached: Timestamp) {
    self.ids = ids
    self.newest = newest
    self.reached = reached
  }
}

/// The answer to a write that was done, kept for a client that did not get it.
package struct KeptAnswer: Hashable, Sendable {
  package var id: String
  package var firstSent: Timestamp
  /// Of the request.
  package var fingerprint: [UInt8]
  package var status: Int
  package var eTag: String?
  package var location: String?
  /// The `Last-Modified` date.
  package var changedAt: Timestamp?
  package var body: [UInt8]

  package init(
    id: String = "", firstSent: Timestamp = .epoch, fingerprint: [UInt8] = [], status: Int, eTag: String? = nil,
    location: String? = nil, changedAt: Timestamp? = nil, body: [UInt8]
  ) {
    self.id = id
    self.firstSent = firstSent
    self.fingerprint = fingerprint
    self.status = status
    self.eTag = eTag
    self.location = location
    self.changedAt = changedAt
    self.body = body
  }
}

/// Which database this is, for as long as it exists (``ZumoHeader/database``). A copy of it is the same database; one
/// made again at its place is another.
package struct DatabaseIdentity: Hashable, Sendable {
  /// A UUID in lower case.
  package let text: String

  package init(_ uuid: UUID) { text = uuid.uuidString.lowercased() }
}

/// The check of every row of a list.
package struct ListCheck: Hashable, Sendable {
  /// Ids of damaged rows that are named in the log and by a check; the others are only counted.
  static let mostNamed = 20

  package let list: ListID
  /// As the storage keeps it.
  package let stored: TableDigest
  /// As counted from the rows.
  package var counted = TableDigest()
  /// How many rows have another content than the server wrote; tombstones too.
  package private(set) var damaged = 0
  /// The ids of the first of those.
  package private(set) var named: [String] = []
  /// Rows without a mark by which damage is noticed: of an earlier version, or not written by the server.
  var unmarked = 0

  package init(_ list: ListID, stored: TableDigest) {
    self.list = list
    self.stored = stored
  }

  mutating func addDamaged(_ id: String) {
    damaged += 1
    if named.count < Self.mostNamed { named.append(id) }
  }

  package var needsRepair: Bool { stored != counted || unmarked > 0 }
}
