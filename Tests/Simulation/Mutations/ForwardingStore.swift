import OfflineSync
import TableProtocol

/// A store that hands every transaction to another one, through a writer that may misbehave.
struct ForwardingStore: LocalStore {
  let base: any LocalStore
  let writer: @Sendable (any StoreWriter) -> any StoreWriter

  func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value { try base.read(body) }

  func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    try base.write { try body(writer($0)) }
  }
}

/// Passes everything on. What is to go wrong is overridden.
class ForwardingWriter: StoreWriter {
  let base: any StoreWriter

  init(_ base: any StoreWriter) {
    self.base = base
  }

  func record(_ id: RecordID, in table: String) throws -> Record? { try base.record(id, in: table) }
  func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) { try base.records(query) }
  func ids(beginning prefix: String, in table: String) throws -> [RecordID] {
    try base.ids(beginning: prefix, in: table)
  }
  func count(_ query: TableQuery) throws -> Int { try base.count(query) }
  func operations(ofItem itemID: RecordID, in table: String) throws -> [TableOperation] {
    try base.operations(ofItem: itemID, in: table)
  }
  func operations(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperation] {
    try base.operations(ofItems: itemIDs, in: table)
  }
  func operations(after id: Int64, limit: Int) throws -> [TableOperation] {
    try base.operations(after: id, limit: limit)
  }
  func operationCount() throws -> Int { try base.operationCount() }
  func operationCount(in table: String) throws -> Int { try base.operationCount(in: table) }
  func operationError(of operationID: Int64) throws -> TableOperationError? {
    try base.operationError(of: operationID)
  }
  func operationErrors() throws -> [TableOperationError] { try base.operationErrors() }
  func operationErrors(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperationError] {
    try base.operationErrors(ofItems: itemIDs, in: table)
  }
  func deltaToken(table: String, queryID: String) throws -> DeltaToken? {
    try base.deltaToken(table: table, queryID: queryID)
  }
  func historyStep(undone: Bool, in table: String) throws -> [HistoryEntry] {
    try base.historyStep(undone: undone, in: table)
  }
  func appendVersions(
    _ versions: [(itemID: RecordID, version: RowVersion)], in table: String, keeping row: Int, of all: Int
  ) throws {
    try base.appendVersions(versions, in: table, keeping: row, of: all)
  }
  func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) throws {
    try base.putArrivals(arrivals, in: table, keeping: limit)
  }
  func fact(_ name: String) throws -> String? { try base.fact(name) }
  func requests(limit: Int) throws -> [RequestRecord] { try base.requests(limit: limit) }

  func upsert(_ records: [Record], in table: String) throws { try base.upsert(records, in: table) }
  func remove(_ ids: [RecordID], from table: String) throws { try base.remove(ids, from: table) }
  func append(_ operation: TableOperation) throws -> TableOperation { try base.append(operation) }
  func replace(_ operation: TableOperation) throws { try base.replace(operation) }
  func freeze(_ operations: [Int64]) throws { try base.freeze(operations) }
  func revision() throws -> StoreRevision? { try base.revision() }
  func removeOperation(_ id: Int64) throws { try base.removeOperation(id) }
  func save(_ error: TableOperationError) throws { try base.save(error) }
  func removeError(of operationID: Int64) throws { try base.removeError(of: operationID) }
  func setDeltaToken(_ token: DeltaToken, table: String, queryID: String) throws {
    try base.setDeltaToken(token, table: table, queryID: queryID)
  }
  func removeDeltaTokens(of table: String) throws { try base.removeDeltaTokens(of: table) }
  func setFact(_ name: String, _ value: String) throws { try base.setFact(name, value) }
  func removeFact(_ name: String) throws { try base.removeFact(name) }
  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) throws {
    try base.appendRequests(requests, keeping: limit)
  }
}
