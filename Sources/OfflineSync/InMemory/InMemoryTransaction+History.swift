extension InMemoryTransaction {
  func history(undone: Bool, in table: String) -> HistoryEntry? {
    let entries = state.history.filter { $0.isUndone == undone && $0.change.table == table }
    return undone ? entries.first : entries.last
  }

  func hasHistory(ofItem itemID: String, in table: String) -> Bool {
    let id = ExactText(itemID)
    return state.history.contains { $0.change.table == table && ExactText($0.change.itemID) == id }
  }

  func appendHistory(_ change: RowChange, keeping limit: Int) {
    state.history.removeAll(where: \.isUndone)
    state.history.append(HistoryEntry(id: (state.history.last?.id ?? 0) + 1, change: change))
    state.history.removeFirst(max(0, state.history.count - limit))
  }

  func replaceHistory(_ entry: HistoryEntry) {
    guard let index = state.history.firstIndex(where: { $0.id == entry.id }) else { return }
    state.history[index] = entry
  }

  func removeHistory(_ id: Int64) {
    state.history.removeAll { $0.id == id }
  }

  func removeHistory(of table: String) {
    state.history.removeAll { $0.change.table == table }
  }
}
