import OfflineSync

extension InMemoryTransaction {
  func setting(_ name: StoreSetting) -> String? { state.settings[name] }

  func set(_ name: StoreSetting, to value: String?) { state.settings[name] = value }

  func clear(_ memory: StoreMemory, of table: String) {
    switch memory {
    case .deltaTokens: state.settings = state.settings.filter { !$0.key.isDeltaToken(of: table) }
    case .undoSteps: state.undoEntries.removeAll { $0.change.table == table }
    case .pastVersions: state.versions = state.versions.filter { $0.key.table != table }
    case .arrivals: state.arrivals = state.arrivals.filter { $0.key.table != table }
    }
  }

  func requests(limit: Int) -> [RequestRecord] { Array(state.requests.suffix(limit).reversed()) }

  func appendRequests(_ requests: [RequestRecord], keeping limit: Int) {
    state.requests = (state.requests + requests).suffix(limit)
  }
}

extension StoreSetting {
  fileprivate func isDeltaToken(of table: String) -> Bool {
    switch self {
    case .deltaToken(let own, _): own == table
    case .fact: false
    }
  }
}
