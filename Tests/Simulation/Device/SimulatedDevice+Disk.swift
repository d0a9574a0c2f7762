import InMemoryStore
import OfflineSync
import TableProtocol

/// What is on the disk, whether the program lives or not.
extension SimulatedDevice {
  func look<Value>(_ body: (any StoreReader) throws -> Value) -> Value? { try? disk.read(body) }

  func row(_ id: RecordID) -> Record? { look { try $0.record(id, in: SimulatedTable.name) } ?? nil }
  var rows: [Record] { look { try $0.records(TableQuery(table: SimulatedTable.name)).records } ?? [] }
  var operations: [TableOperation] { look { try $0.operations(after: 0, limit: .max) } ?? [] }
  var errors: [TableOperationError] { look { try $0.operationErrors() } ?? [] }

  /// Asked with each request, and rarely another.
  var owner: Account? {
    let text = look { try $0.fact(SyncFact.account) } ?? nil
    if text != knownOwner.text { knownOwner = (text, look(Account.owner) ?? nil) }
    return knownOwner.account
  }

  /// Nil where every pull compares everything.
  var token: DeltaToken? {
    guard isPulledOnce, let queryID = extent.query.queryID else { return nil }
    return look { try $0.deltaToken(table: SimulatedTable.name, queryID: queryID) } ?? nil
  }

  /// The changes that would be undone next, or done again.
  func undoStep(undone: Bool) -> [RowChange] {
    look { try $0.undoEntries(try $0.undoStep(undone: undone, in: SimulatedTable.name)).map(\.change) } ?? []
  }
}
