package import TableProtocol

/// The database of a device: rows, journal, errors, delta tokens, and what is remembered of the rows.
///
/// One transaction at a time writes, from any thread. Reads run beside it and see the last committed state.
///
/// To write another store:
/// 1. Implement the requirements of ``StoreReader`` (with ``UndoReader``, ``MemoryReader``, ``RowQueryReader``) and
///    ``StoreWriter`` (with ``UndoWriter``, ``MemoryWriter``, ``RowQueryWriter``). The extensions follow from them, and
///    so does ``BulkWriter``, for a store that does one thing after another.
/// 2. Add a case to `Tests/SQLiteStoreTests/Conformance/StoreUnderTest.swift`: every store passes that suite.
/// 3. Implement ``SyncLock``, as `FileLock` does, if several programs may use the store.
/// 4. Write an initializer of ``SyncContext``, as in `SQLiteStore.swift`.
///
/// How a store learns its tables is its own business: see `SQLiteStore.define`.
package protocol LocalStore: Sendable {
  /// Runs `body` on one committed state of the store. Throws `StoreError` if the store fails, `QueryError` for a column
  /// that the table lacks, or the error of `body`.
  func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value

  /// Runs `body` in one transaction. When it returns, all of it is durable: it survives a power cut. If it throws,
  /// nothing has changed. Throws as ``read(_:)`` does.
  ///
  /// Never call it inside itself, and never wait for a request in it.
  func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value
}

/// The reads of a transaction. Each throws `StoreError` for a table that the store lacks.
package protocol StoreReader: UndoReader, RowQueryReader, MemoryReader {
  /// Returns those of the rows that the store has, in no order. Each id must come once.
  func records(_ ids: [RecordID], in table: String) throws -> [Record]
  /// Returns the rows in the order of the query, with `id` as the last sort key. `totalCount` is nil unless the query
  /// asks for it. Throws `QueryError` for a column that the table lacks.
  func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?)
  /// Returns the versions of those of the rows that the store has; nil for a row without a version.
  func versions(of ids: [RecordID], in table: String) throws -> [RecordID: RecordVersion?]
  /// Returns the ids that begin with `prefix`, in order; all ids for the empty text.
  func ids(beginning prefix: String, in table: String) throws -> [RecordID]
  /// Returns the digest of the rows that have a version and are not deleted.
  func digest(of table: String) throws -> TableDigest

  /// Returns the chosen operations. Of `.ofItems`, the operations of one record are oldest first, and the records are
  /// in no order. Of `.after`, all are oldest first.
  func operations(_ choice: OperationChoice) throws -> [TableOperation]
  /// Returns the number of operations of a table; for nil, of all tables together.
  func operationCount(in table: String?) throws -> Int
  /// Returns the number of records of a table that have a pending operation; for nil, of all tables together. A record
  /// has two operations while an edit waits behind a request without an answer.
  func changedItemCount(in table: String?) throws -> Int
  /// Returns the errors of some operations, in no order; each id must come once. For nil, returns all errors, oldest
  /// operation first.
  func operationErrors(of operationIDs: [Int64]?) throws -> [TableOperationError]

  func setting(_ name: StoreSetting) throws -> String?
  /// Returns the newest saved requests, newest first, at most `limit`.
  func requests(limit: Int) throws -> [RequestRecord]
}

/// The writes of a transaction. A change or removal of something that the store lacks does nothing.
package protocol StoreWriter: StoreReader, UndoWriter, RowQueryWriter, MemoryWriter, BulkWriter {
  /// Inserts rows, or merges them into the stored ones. `deleted` is always written. A column, or another system
  /// property, that a record lacks keeps its stored value. A column that the table lacks is dropped.
  func upsert(_ records: [Record], in table: String) throws
  /// Removes rows.
  func remove(_ ids: [RecordID], from table: String) throws

  /// Adds an operation at the end of the journal, and returns it with its new id.
  @discardableResult
  func append(_ operation: TableOperation) throws -> TableOperation
  /// Replaces the operation with the same id. Its table and record stay the same.
  func replace(_ operation: TableOperation) throws
  /// Sets `isMarked` of operations, and nothing else of them.
  func mark(_ operations: [Int64]) throws
  /// Removes operations from the journal. Their errors stay.
  func removeOperations(_ ids: [Int64]) throws
  /// Sets the error of an operation, in place of an earlier one; nil removes it.
  func setError(_ error: TableOperationError?, of operationID: Int64) throws

  /// Sets a setting; nil removes it.
  func set(_ name: StoreSetting, to value: String?) throws
  /// Removes all that the store remembers of one kind about a table.
  func clear(_ memory: StoreMemory, of table: String) throws
  /// Saves requests in the order they were made, and removes all but the newest `limit`.
  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) throws

  /// Returns a counter that differs after each change of the store, with the changes of this transaction so far. Nil if
  /// the store does not count.
  ///
  /// It is here and not among the reads because the counter of SQLite belongs to the connection that writes.
  func revision() throws -> StoreRevision?
}

/// Some operations of the journal.
package enum OperationChoice: Sendable, Hashable {
  /// All operations of some records of a table.
  case ofItems([RecordID], table: String)
  /// At most `limit` operations with an id greater than this one.
  case after(Int64, limit: Int)
}

/// A value that is kept beside the rows.
package enum StoreSetting: Sendable, Hashable {
  /// How far a query was pulled: a time as text. Kept in `MS_TableConfig`.
  case deltaToken(table: String, queryID: String)
  /// A remembered fact about syncing: see ``SyncFact``.
  case fact(String)
}

/// A kind of data that a store remembers about the rows of a table.
package enum StoreMemory: Sendable, Hashable, CaseIterable {
  case deltaTokens, undoSteps, pastVersions, arrivals
}

extension StoreReader {
  package func record(_ id: RecordID, in table: String) throws -> Record? { try records([id], in: table).first }

  /// Returns the number of rows that match. Ignores `order`, `skip` and `limit`.
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

  package func operationErrors() throws -> [TableOperationError] { try operationErrors(of: nil) }

  package func operationErrors(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperationError] {
    try operationErrors(of: operations(ofItems: itemIDs, in: table).map(\.id))
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
