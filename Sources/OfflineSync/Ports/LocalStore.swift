public import TableProtocol

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

/// A counter that differs after each change of the store.
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

/// The kinds of content that a write changed. A view reads again only what it shows.
package struct StoreChanges: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// No change. Said here because the library's own is generic, and looking for it takes part of the start of a
  /// program.
  package init() { rawValue = 0 }

  /// Rows, their past versions and undo steps, and what arrived with them.
  package static let rows = StoreChanges(rawValue: 1)
  /// The changes that wait, and their errors.
  package static let journal = StoreChanges(rawValue: 2)
  /// Settings of syncing and of the interface.
  package static let facts = StoreChanges(rawValue: 4)
  /// The saved requests.
  package static let requests = StoreChanges(rawValue: 8)
  /// Another program made it.
  package static let otherProgram = StoreChanges(rawValue: 16)
  /// The change of another program: it may be of any kind.
  package static let all: StoreChanges = [.rows, .journal, .facts, .requests, .otherProgram]
}

/// A table that is kept on this device: its name on the server, and the columns that this device keeps.
///
///     SyncTableDefinition("TodoItem", columns: ["text": .text(""), "complete": .bool(false)])
///
/// The five columns of the protocol (`id`, `createdAt`, `updatedAt`, `version`, `deleted`) come with every table.
/// Columns that only other apps know stay on the server, and survive every edit.
///
/// Null, false and an empty text look the same to a person, so a difference between null and one of the others is no
/// conflict. If null means "not answered" in an app and false means "no", one answer may replace the other without a
/// question. Such a column needs a text or a number for each of its states.
public struct SyncTableDefinition: Sendable, Hashable {
  public let name: String
  /// The columns by name, each with the value of a row that has none. That value decides what the column holds; `.null`
  /// stands for a text that may be missing.
  public let columns: [String: FieldValue]

  public init(_ name: String, columns: [String: FieldValue]) {
    self.name = name
    self.columns = columns
  }
}

/// A failure of the local store. The cases differ in what a person can do about them.
public enum StoreError: Error, Sendable, Hashable {
  /// The file is not a database, not a store of this program, or damaged.
  case notAStore(path: String)
  /// The file was written by a newer version of the program.
  case newerVersion(path: String)
  /// The program has no permission to read or write the file or its folder.
  case notAllowed(path: String)
  /// The file or its folder can't be created or opened.
  case cannotOpen(path: String, reason: String)
  /// The file is empty, and the log beside it is not: a copy or a full disk cut it off. Nothing was changed.
  case emptied(path: String)
  /// There is no file, but the log of one: the file was moved away without its log. Nothing was changed.
  case missing(path: String)
  /// The file was removed, or another one is in its place, since the store was opened: what is written would be lost.
  case fileGone(path: String)
  /// The disk is full.
  case diskFull(path: String)
  /// Another program held the store for too long.
  case busy(path: String)
  /// Any other error of the database.
  case failed(path: String, reason: String)
}

/// Keeps two programs on one store from syncing at the same time. A crash releases it.
package protocol SyncLock: Sendable {
  /// Runs `body` while holding the lock. While another program holds it, calls `waiting` repeatedly; an error that
  /// `waiting` throws ends the wait. Throws `SyncLockError.timedOut` after a time limit: 60 seconds in `FileLock`.
  func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value
}

package enum SyncLockError: Error, Sendable, Hashable {
  case timedOut
}
