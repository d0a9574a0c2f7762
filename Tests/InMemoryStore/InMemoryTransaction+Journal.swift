import OfflineSync
import TableProtocol

extension InMemoryTransaction {
  func operations(ofItem itemID: RecordID, in table: String) -> [TableOperation] {
    operations(ofItems: [itemID], in: table)
  }

  func operations(ofItems itemIDs: [RecordID], in table: String) -> [TableOperation] {
    let wanted = Set(itemIDs)
    return state.operations.filter { $0.table == table && wanted.contains($0.itemID) }
  }

  func operations(after id: Int64, limit: Int) -> [TableOperation] {
    Array(state.operations.lazy.filter { $0.id > id }.prefix(limit))
  }

  func operationCount() -> Int { state.operations.count }

  func operationCount(in table: String) -> Int { state.operations.count { $0.table == table } }

  func append(_ operation: TableOperation) -> TableOperation {
    state.lastOperationID += 1
    let numbered = TableOperation(
      id: state.lastOperationID, table: operation.table, itemID: operation.itemID, kind: operation.kind,
      base: operation.base, isFrozen: operation.isFrozen, sent: operation.sent)
    state.operations.append(numbered)
    return numbered
  }

  func replace(_ operation: TableOperation) {
    guard let index = state.operations.firstIndex(where: { $0.id == operation.id }) else { return }
    state.operations[index] = operation
  }

  func freeze(_ operations: [Int64]) {
    let frozen = Set(operations)
    for index in state.operations.indices where frozen.contains(state.operations[index].id) {
      state.operations[index].isFrozen = true
    }
  }

  func revision() -> StoreRevision? { StoreRevision(own: state.revision + (isChanged ? 1 : 0)) }

  func removeOperation(_ id: Int64) {
    state.operations.removeAll { $0.id == id }
  }

  func operationError(of operationID: Int64) -> TableOperationError? { state.errors[operationID] }

  func operationErrors() -> [TableOperationError] {
    state.errors.values.sorted { $0.operationID < $1.operationID }
  }

  func operationErrors(ofItems itemIDs: [RecordID], in table: String) -> [TableOperationError] {
    let wanted = Set(itemIDs)
    return operationErrors().filter { $0.table == table && wanted.contains($0.itemID) }
  }

  func save(_ error: TableOperationError) { state.errors[error.operationID] = error }

  func removeError(of operationID: Int64) { state.errors[operationID] = nil }
}
