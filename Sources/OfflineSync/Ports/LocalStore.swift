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

package protocol StoreReader: HistoryReader, RowQueryReader, MemoryReader {
  func record(_ id: RecordID, in table: String) throws -> Record?
  /// Those of the rows that are there, in no order.
  func records(_ ids: [RecordID], in table: String) throws -> [Record]
  /// The versions of those of the rows that are there; nil for a row that was never sent.
  func versions(of ids: [RecordID], in table: String) throws -> [RecordID: RecordVersion?]
  /// The rows in the order asked for, with `id` as the last sort key. `totalCount` is nil unless asked for.
  func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?)
  /// The ids in a table that begin so, in order; all of them for the empty text.
  func ids(beginning prefix: String, in table: String) throws -> [RecordID]
  /// The digest of the rows that have a version and are not deleted.
  func digest(of table: String) throws -> TableDigest
  /// How many rows match; `order`, `skip` and `limit` play no part.
  func count(_ query: TableQuery) throws -> Int

  /// The operations of one record, oldest first.
  func operations(ofItem itemID: RecordID, in table: String) throws -> [TableOperation]
  /// The operations of some records, oldest first.
  func operations(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperation]
  /// The operation of those of the records that have exactly one, by the id of the record.
  func soleOperations(ofItems itemIDs: [RecordID], in table: String) throws -> [RecordID: Int64]
  /// The operations that come after the one with this id, oldest first, at most so many.
  func operations(after id: Int64, limit: Int) throws -> [TableOperation]
  func operationCount() throws -> Int
  func operationCount(in table: String) throws -> Int
  /// How many records of a table have a pending operation.
  func changedItemCount(in table: String) throws -> Int
  func operationError(of operationID: Int64) throws -> TableOperationError?
  /// All recorded errors, oldest operation first.
  func operationErrors() throws -> [TableOperationError]
  func operationErrors(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperationError]

  func deltaToken(table: String, queryID: String) throws -> DeltaToken?
  /// A remembered fact about syncing: see `SyncFact`.
  func fact(_ name: String) throws -> String?
  /// The newest requests that were noted, newest first, at most so many.
  func requests(limit: Int) throws -> [RequestRecord]
}

package protocol StoreWriter: StoreReader, HistoryWriter, RowQueryWriter, MemoryWriter {
  /// Inserts or merges rows: columns and system properties a record does not have keep their stored
  /// value; columns the table does not have are dropped.
  func upsert(_ records: [Record], in table: String) throws
  /// Removes rows; ids that are not there are fine.
  func remove(_ ids: [RecordID], from table: String) throws

  /// Puts an operation at the end of the journal and gives it its id, whatever it had.
  @discardableResult
  func append(_ operation: TableOperation) throws -> TableOperation
  func replace(_ operation: TableOperation) throws
  /// Sets `isFrozen` of operations, and nothing else of them.
  func freeze(_ operations: [Int64]) throws
  func removeOperation(_ id: Int64) throws
  func removeOperations(_ ids: [Int64]) throws
  /// Records the error of an operation in place of an earlier one.
  func save(_ error: TableOperationError) throws
  func removeError(of operationID: Int64) throws

  func setDeltaToken(_ token: DeltaToken, table: String, queryID: String) throws
  /// Forgets how far the queries of a table were pulled.
  func removeDeltaTokens(of table: String) throws
  func setFact(_ name: String, _ value: String) throws
  func removeFact(_ name: String) throws
  /// Notes requests in the order they were made, and forgets all but the newest `limit`.
  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) throws

  /// The revision of the store, with what this transaction has changed so far. Nil for a store that does not count.
  func revision() throws -> StoreRevision?
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

/// What a store may do faster in one go, one by one.
extension StoreReader {
  package func records(_ ids: [RecordID], in table: String) throws -> [Record] {
    try ids.compactMap { try record($0, in: table) }
  }

  package func versions(of ids: [RecordID], in table: String) throws -> [RecordID: RecordVersion?] {
    Dictionary(try records(ids, in: table).map { ($0.id, $0.system.version) }) { first, _ in first }
  }

  package func digest(of table: String) throws -> TableDigest {
    var digest = TableDigest()
    for row in try records(TableQuery(table: table)).records where !row.system.deleted {
      if let version = row.system.version { digest.add(row.id, version) }
    }
    return digest
  }

  package func soleOperations(ofItems itemIDs: [RecordID], in table: String) throws -> [RecordID: Int64] {
    Dictionary(grouping: try operations(ofItems: itemIDs, in: table), by: \.itemID)
      .compactMapValues { $0.count == 1 ? $0.first?.id : nil }
  }

  package func changedItemCount(in table: String) throws -> Int {
    Set(try operations(after: 0, limit: .max).filter { $0.table == table }.map(\.itemID)).count
  }
}

extension StoreWriter {
  package func revision() throws -> StoreRevision? { nil }

  package func removeOperations(_ ids: [Int64]) throws {
    for id in ids { try removeOperation(id) }
  }
}
