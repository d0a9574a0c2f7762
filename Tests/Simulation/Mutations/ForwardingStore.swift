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

  func records(_ ids: [RecordID], in table: String) throws -> [Record] { try base.records(ids, in: table) }
  func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) { try base.records(query) }
  func versions(of ids: [RecordID], in table: String) throws -> [RecordID: RecordVersion?] {
    try base.versions(of: ids, in: table)
  }
  func ids(beginning prefix: String, in table: String) throws -> [RecordID] {
    try base.ids(beginning: prefix, in: table)
  }
  func digest(of table: String) throws -> TableDigest { try base.digest(of: table) }
  func operations(_ choice: OperationChoice) throws -> [TableOperation] { try base.operations(choice) }
  func operationCount(in table: String?) throws -> Int { try base.operationCount(in: table) }
  func changedItemCount(in table: String?) throws -> Int { try base.changedItemCount(in: table) }
  func operationErrors(of operationIDs: [Int64]?) throws -> [TableOperationError] {
    try base.operationErrors(of: operationIDs)
  }
  func setting(_ name: StoreSetting) throws -> String? { try base.setting(name) }
  func requests(limit: Int) throws -> [RequestRecord] { try base.requests(limit: limit) }

  func upsert(_ records: [Record], in table: String) throws { try base.upsert(records, in: table) }
  func remove(_ ids: [RecordID], from table: String) throws { try base.remove(ids, from: table) }
  func append(_ operation: TableOperation) throws -> TableOperation { try base.append(operation) }
  func replace(_ operation: TableOperation) throws { try base.replace(operation) }
  func mark(_ operations: [Int64]) throws { try base.mark(operations) }
  func removeOperations(_ ids: [Int64]) throws { try base.removeOperations(ids) }
  func setError(_ error: TableOperationError?, of operationID: Int64) throws {
    try base.setError(error, of: operationID)
  }
  func set(_ name: StoreSetting, to value: String?) throws { try base.set(name, to: value) }
  func clear(_ memory: StoreMemory, of table: String) throws { try base.clear(memory, of: table) }
  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) throws {
    try base.appendRequests(requests, keeping: limit)
  }
  func revision() throws -> StoreRevision? { try base.revision() }

  func undoStep(undone: Bool, in table: String) throws -> [Int64] { try base.undoStep(undone: undone, in: table) }
  func undoEntries(_ ids: [Int64]) throws -> [UndoEntry] { try base.undoEntries(ids) }
  func appendPastVersions(
    _ versions: [(itemID: RecordID, version: PastVersion)], in table: String, keeping row: Int, of all: Int
  ) throws {
    try base.appendPastVersions(versions, in: table, keeping: row, of: all)
  }
  func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) throws {
    try base.putArrivals(arrivals, in: table, keeping: limit)
  }
}

/// What no rule on purpose breaks.
extension ForwardingWriter {
  func itemsWithUndoEntries(among ids: [RecordID], in table: String) throws -> Set<RecordID> {
    try base.itemsWithUndoEntries(among: ids, in: table)
  }
  func appendUndoStep(_ changes: [RowChange], isContinued: Bool, keeping limit: Int) throws {
    try base.appendUndoStep(changes, isContinued: isContinued, keeping: limit)
  }
  func setUndoEntry(_ id: Int64, to entry: UndoEntry?) throws { try base.setUndoEntry(id, to: entry) }
  func markUndoEntries(_ ids: [Int64], undone: Bool) throws { try base.markUndoEntries(ids, undone: undone) }

  func pastVersions(ofItems itemIDs: [RecordID], in table: String) throws -> [RecordID: [PastVersion]] {
    try base.pastVersions(ofItems: itemIDs, in: table)
  }
  func arrivals(ofItems itemIDs: [RecordID]?, in table: String) throws -> [RowArrival] {
    try base.arrivals(ofItems: itemIDs, in: table)
  }
  func arrivalCounts(in table: String) throws -> [String: Int] { try base.arrivalCounts(in: table) }
  func removeArrivals(ofItems itemIDs: [RecordID], in table: String) throws {
    try base.removeArrivals(ofItems: itemIDs, in: table)
  }

  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws { try base.forEach(query, body) }
  func forEach(_ query: RowQuery, columns: [String], _ body: (RecordID, [FieldValue]) throws -> Void) throws {
    try base.forEach(query, columns: columns, body)
  }
  func counts(_ query: RowQuery, by value: RowValue?) throws -> [String: Int] { try base.counts(query, by: value) }
  func isPrepared(_ index: RowIndex) throws -> Bool { try base.isPrepared(index) }
  func prepare(_ index: RowIndex) throws { try base.prepare(index) }
}
