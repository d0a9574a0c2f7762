package import TableProtocol

/// The database: rows, journal, errors and delta tokens. One transaction at a time writes, from any
/// thread; reads run beside it and see the last committed state.
///
/// Every implementation passes one conformance suite.
package protocol LocalStore: Sendable {
  /// Runs `body` on one committed state of the store. Throws `StoreError`, or what `body` throws.
  func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value

  /// Runs `body` in one transaction. When it returns, all of it is durable: it survives a power cut.
  /// When it throws, nothing of it has happened. Never call it inside itself, and never wait for a
  /// request in it.
  func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value
}

/// What a transaction reads. A stranger implements these; what is in the extensions follows from them.
package protocol StoreReader: UndoReader, RowQueryReader, MemoryReader {
  /// Those of the rows that are there, in no order.
  func records(_ ids: [RecordID], in table: String) throws -> [Record]
  /// The rows in the order asked for, with `id` as the last sort key. `totalCount` is nil unless asked for.
  func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?)
  /// The versions of those of the rows that are there; nil for a row that was never sent.
  func versions(of ids: [RecordID], in table: String) throws -> [RecordID: RecordVersion?]
  /// The ids in a table that begin so, in order; all of them for the empty text.
  func ids(beginning prefix: String, in table: String) throws -> [RecordID]
  /// The digest of the rows that have a version and are not deleted.
  func digest(of table: String) throws -> TableDigest

  /// The chosen operations of the journal, oldest first.
  func operations(_ choice: OperationChoice) throws -> [TableOperation]
  /// How many operations a table has; for nil, all tables together.
  func operationCount(in table: String?) throws -> Int
  /// How many records of a table have a pending operation.
  func changedItemCount(in table: String) throws -> Int
  /// All recorded errors, oldest operation first.
  func operationErrors() throws -> [TableOperationError]

  func setting(_ name: StoreSetting) throws -> String?
  /// The newest requests that were noted, newest first, at most so many.
  func requests(limit: Int) throws -> [RequestRecord]
}

/// What a transaction changes.
package protocol StoreWriter: StoreReader, UndoWriter, RowQueryWriter, MemoryWriter {
  /// Inserts or merges rows: columns and system properties a record does not have keep their stored
  /// value; columns the table does not have are dropped.
  func upsert(_ records: [Record], in table: String) throws
  /// Removes rows; ids that are not there are fine.
  func remove(_ ids: [RecordID], from table: String) throws

  /// Puts an operation at the end of the journal and gives it its id, whatever it had.
  @discardableResult
  func append(_ operation: TableOperation) throws -> TableOperation
  func replace(_ operation: TableOperation) throws
  /// Sets `isMarked` of operations, and nothing else of them.
  func mark(_ operations: [Int64]) throws
  /// Takes operations off the journal; ids that are not there are fine.
  func removeOperations(_ ids: [Int64]) throws
  /// Records the error of an operation in place of an earlier one; nil removes that.
  func setError(_ error: TableOperationError?, of operationID: Int64) throws

  /// Sets a setting; nil removes it.
  func set(_ name: StoreSetting, to value: String?) throws
  /// Forgets all that the store remembers of a kind about a table.
  func clear(_ memory: StoreMemory, of table: String) throws
  /// Notes requests in the order they were made, and forgets all but the newest `limit`.
  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) throws

  /// The revision of the store, with what this transaction has changed so far. Nil for a store that does not count.
  func revision() throws -> StoreRevision?
}

/// Some operations of the journal.
package enum OperationChoice: Sendable, Hashable {
  /// Those of some records of a table.
  case ofItems([RecordID], table: String)
  /// Those that come after the one with this id, at most so many.
  case after(Int64, limit: Int)
}

/// A value that is kept beside the rows.
package enum StoreSetting: Sendable, Hashable {
  /// How far a query was pulled: a time as text. Kept in `MS_TableConfig`.
  case deltaToken(table: String, queryID: String)
  /// A remembered fact about syncing: see ``SyncFact``.
  case fact(String)
}

/// A kind of what is remembered about the rows of a table.
package enum StoreMemory: Sendable, Hashable, CaseIterable {
  case deltaTokens, undoSteps, pastVersions, arrivals
}

/// How often a store was changed, as a writer of it counts. As long as it stays the same, so does the store.
package struct StoreRevision: Sendable, Hashable {
  private let own: Int64
  private let others: Int64

  /// `own` counts the changes by way of this object, `others` those of other programs.
  package init(own: Int64, others: Int64 = 0) {
    self.own = own
    self.others = others
  }
}

extension StoreReader {
  package func record(_ id: RecordID, in table: String) throws -> Record? { try records([id], in: table).first }

  /// How many rows match; `order`, `skip` and `limit` play no part.
  package func count(_ query: TableQuery) throws -> Int {
    try records(TableQuery(table: query.table, filter: query.filter, limit: 0, includesTotalCount: true)).totalCount
      ?? 0
  }

  package func operations(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperation] {
    try operations(.ofItems(itemIDs, table: table))
  }

  package func operations(after id: Int64, limit: Int) throws -> [TableOperation] {
    try operations(.after(id, limit: limit))
  }

  /// Returns the operations of a table, oldest first. Loads the whole journal.
  func operations(in table: String) throws -> [TableOperation] {
    try operations(after: 0, limit: .max).filter { $0.table == table }
  }

  /// Returns those of the records that have a pending operation.
  func pendingIDs(among ids: [RecordID], in table: String) throws -> Set<RecordID> {
    Set(try operations(ofItems: ids, in: table).map(\.itemID))
  }

  package func operationCount() throws -> Int { try operationCount(in: nil) }

  package func operationErrors(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperationError] {
    let wanted = Set(itemIDs)
    return try operationErrors().filter { $0.table == table && wanted.contains($0.itemID) }
  }

  package func deltaToken(table: String, queryID: String) throws -> DeltaToken? {
    try setting(.deltaToken(table: table, queryID: queryID)).flatMap { Timestamp($0) }.map(DeltaToken.init)
  }

  package func fact(_ name: String) throws -> String? { try setting(.fact(name)) }
}

extension StoreWriter {
  package func removeOperation(_ id: Int64) throws { try removeOperations([id]) }
  package func save(_ error: TableOperationError) throws { try setError(error, of: error.operationID) }
  package func removeError(of operationID: Int64) throws { try setError(nil, of: operationID) }

  package func setDeltaToken(_ token: DeltaToken, table: String, queryID: String) throws {
    try set(.deltaToken(table: table, queryID: queryID), to: token.timestamp.text)
  }

  package func setFact(_ name: String, _ value: String) throws { try set(.fact(name), to: value) }
  package func removeFact(_ name: String) throws { try set(.fact(name), to: nil) }
}

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
