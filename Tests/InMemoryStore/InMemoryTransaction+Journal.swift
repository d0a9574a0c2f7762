import OfflineSync
import TableProtocol

extension InMemoryTransaction {
  func operations(_ choice: OperationChoice) -> [TableOperation] {
    switch choice {
    case .ofItems(let itemIDs, let table):
      let wanted = Set(itemIDs)
      let operations = state.operations.filter { $0.table == table && wanted.contains($0.itemID) }
      // The port promises an order within a record only, so the records come in another one than in the journal.
      let ofRecords = Dictionary(grouping: operations, by: \.itemID)
      return ofRecords.keys.sorted { $1 < $0 }.flatMap { ofRecords[$0] ?? [] }
    case .after(let id, let limit):
      return Array(state.operations.lazy.filter { $0.id > id }.prefix(limit))
    }
  }

  func operationCount(in table: String?) -> Int {
    state.operations.count { table == nil || $0.table == table }
  }

  func changedItemCount(in table: String?) -> Int {
    let operations = state.operations.filter { table == nil || $0.table == table }
    return Dictionary(grouping: operations, by: \.table).values.reduce(0) { $0 + Set($1.map(\.itemID)).count }
  }

  func append(_ operation: TableOperation) -> TableOperation {
    state.lastOperationID += 1
    let numbered = TableOperation(
      id: state.lastOperationID, table: operation.table, itemID: operation.itemID, kind: operation.kind,
      base: operation.base, isMarked: operation.isMarked, sent: operation.sent)
    state.operations.append(numbered)
    return numbered
  }

  func replace(_ operation: TableOperation) {
    guard let index = state.operations.firstIndex(where: { $0.id == operation.id }) else { return }
    state.operations[index] = operation
  }

  func mark(_ operations: [Int64]) {
    let marked = Set(operations)
    for index in state.operations.indices where marked.contains(state.operations[index].id) {
      state.operations[index].isMarked = true
    }
  }

  func revision() -> StoreRevision? { StoreRevision(own: state.revision + (isChanged ? 1 : 0)) }

  func removeOperations(_ ids: [Int64]) {
    let gone = Set(ids)
    state.operations.removeAll { gone.contains($0.id) }
  }

  func operationErrors(of operationIDs: [Int64]?) -> [TableOperationError] {
    // The port promises no order of some, so they come in another one than all of them do.
    operationIDs?.sorted(by: >).compactMap { state.errors[$0] }
      ?? state.errors.values.sorted { $0.operationID < $1.operationID }
  }

  func setError(_ error: TableOperationError?, of operationID: Int64) { state.errors[operationID] = error }
}
