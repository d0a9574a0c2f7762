import FoundationEssentials
import TableProtocol
import TableSQL

/// Which rows of a list are read, and in which order.
struct ListQuery: Sendable {
  var filter: Filter?
  /// The result of a comparison with null: the versions of the protocol differ in that.
  var nulls: FilterSQL.NullRule
  /// The keys in their order. `id` is always the last, be it named or not (wire 6.3).
  var order: [SortKey] = []
  /// The values of the row after which the rows begin, one for each key of the completed order; nil for the first row.
  var place: [FieldValue]?
  /// Rows to pass over.
  var skip = 0
  var limit: Int
  /// With tombstones.
  var includesDeleted = false
}

/// A row as a list has it: its values by the place of their column, since a page has thousands of rows.
struct ListedRow: Sendable {
  let id: RecordID
  /// In the order of the columns of the list.
  let values: [FieldValue]
  let createdAt: Timestamp
  let updatedAt: Timestamp
  let version: RecordVersion
  let deleted: Bool

  /// A tombstone that has nothing in its columns says nothing of them: it may have lost its texts (wire 11.6).
  var showsColumns: Bool { !deleted || values.contains { $0 != .null } }

  func record(_ columns: [TableColumn]) -> Record {
    var record = Record(id: id)
    if showsColumns {
      record.values.reserveCapacity(columns.count)
      for (column, value) in zip(columns, values) { record.values[column.name] = value }
    }
    record.system = SystemProperties(createdAt: createdAt, updatedAt: updatedAt, version: version, deleted: deleted)
    return record
  }

  /// The value that a sort key goes by; nil for a name that is no column.
  func value(_ name: String, _ schema: TableSchema) -> FieldValue? {
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
struct ListState: Hashable, Sendable {
  /// The last moment that was given to a row. It never goes back, whatever the machine's clock does.
  var lastMoment: Timestamp
  /// The newest `updatedAt` that a row of the list has or had, removed ones too. Nil if there never was a row.
  var newestMoment: Timestamp?
  /// The newest `updatedAt` of the tombstones that were removed because of their age; nil if none was.
  var tombstonesAfter: Timestamp?
  /// Of the rows that are not deleted: changed with the rows, in their transaction.
  var digest: TableDigest
  /// Read with each list, because another process may raise it.
  var epoch: DatabaseEpoch
}

/// Tombstones of a part of a list.
struct TombstonePart: Hashable, Sendable {
  /// In the order of their `updatedAt`.
  var ids: [RecordID] = []
  /// The newest `updatedAt` among them.
  var newest: Timestamp?
  /// Up to this moment all rows were looked at.
  var reached: Timestamp
}

/// The answer to a write that was done, kept for a client that did not get it.
struct KeptAnswer: Hashable, Sendable {
  var id = ""
  var firstSent = Timestamp.epoch
  /// Of the request.
  var fingerprint: [UInt8] = []
  var status: Int
  var eTag: String?
  var location: String?
  /// The `Last-Modified` date.
  var changedAt: Timestamp?
  var body: [UInt8]
}

/// Which database this is, for as long as it exists (``ZumoHeader/database``). A copy of it is the same database; one
/// made again at its place is another.
struct DatabaseIdentity: Hashable, Sendable {
  /// A UUID in lower case.
  let text: String

  init(_ uuid: UUID) { text = uuid.uuidString.lowercased() }
}

/// The check of every row of a list.
struct ListCheck: Hashable, Sendable {
  /// Ids of damaged rows that are named in the log; the others are only counted.
  static let mostNamed = 20

  let list: ListID
  /// As the storage keeps it.
  let stored: TableDigest
  /// As counted from the rows.
  var counted = TableDigest()
  /// How many rows have another content than the server wrote; tombstones too.
  private(set) var damaged = 0
  /// The ids of the first of those.
  private(set) var named: [String] = []
  /// Rows without a mark by which damage is noticed: of an earlier version, or not written by the server.
  var unmarked = 0

  init(_ list: ListID, stored: TableDigest) {
    self.list = list
    self.stored = stored
  }

  mutating func addDamaged(_ id: String) {
    damaged += 1
    if named.count < Self.mostNamed { named.append(id) }
  }

  var needsRepair: Bool { stored != counted || unmarked > 0 }
}
