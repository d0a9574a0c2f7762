import OfflineSync
import TableProtocol

extension InMemoryTransaction {
  func deltaToken(table: String, queryID: String) -> DeltaToken? {
    state.tokens[InMemoryState.Query(table: table, queryID: RecordID(queryID))]
  }

  func setDeltaToken(_ token: DeltaToken, table: String, queryID: String) {
    state.tokens[InMemoryState.Query(table: table, queryID: RecordID(queryID))] = token
  }

  func shadow(of itemID: RecordID, in table: String) -> Record? {
    state.shadows[InMemoryState.Place(table: table, itemID: itemID)]
  }

  func setShadow(_ record: Record, in table: String) {
    state.shadows[InMemoryState.Place(table: table, itemID: record.id)] = record
  }

  func removeShadow(of itemID: RecordID, in table: String) {
    state.shadows[InMemoryState.Place(table: table, itemID: itemID)] = nil
  }

  func removeDeltaTokens(of table: String) {
    state.tokens = state.tokens.filter { $0.key.table != table }
  }

  func removeShadows(of table: String) {
    state.shadows = state.shadows.filter { $0.key.table != table }
  }

  func fact(_ name: String) -> String? { state.facts[name] }

  func setFact(_ name: String, _ value: String) { state.facts[name] = value }

  func removeFact(_ name: String) { state.facts[name] = nil }

  func requests(limit: Int) -> [RequestRecord] { Array(state.requests.suffix(limit).reversed()) }

  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) {
    state.requests = (state.requests + requests).suffix(limit)
  }
}
