import OfflineSync
import TableProtocol

extension InMemoryTransaction {
  func deltaToken(table: String, queryID: String) -> DeltaToken? {
    state.tokens[InMemoryState.Query(table: table, queryID: RecordID(queryID))]
  }

  func setDeltaToken(_ token: DeltaToken, table: String, queryID: String) {
    state.tokens[InMemoryState.Query(table: table, queryID: RecordID(queryID))] = token
  }

  func removeDeltaTokens(of table: String) {
    state.tokens = state.tokens.filter { $0.key.table != table }
  }

  func fact(_ name: String) -> String? { state.facts[name] }

  func setFact(_ name: String, _ value: String) { state.facts[name] = value }

  func removeFact(_ name: String) { state.facts[name] = nil }

  func requests(limit: Int) -> [RequestRecord] { Array(state.requests.suffix(limit).reversed()) }

  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) {
    state.requests = (state.requests + requests).suffix(limit)
  }
}
