import OfflineSync
import TableProtocol

extension InMemoryTransaction {
  func historyStep(undone: Bool, in table: String) -> [HistoryEntry] {
    let entries = state.history.lazy.filter { $0.isUndone == undone && $0.change.table == table }
    guard let step = undone ? entries.first?.step : entries.last?.step else { return [] }
    return entries.filter { $0.step == step }
  }

  func hasHistory(ofItem itemID: RecordID, in table: String) -> Bool {
    let id = itemID
    return state.history.contains { $0.change.table == table && $0.change.itemID == id }
  }

  func appendHistory(_ changes: [RowChange], keeping limit: Int) {
    state.history.removeAll(where: \.isUndone)
    let step = (state.history.last?.step ?? 0) + 1
    for change in changes {
      state.history.append(HistoryEntry(id: (state.history.last?.id ?? 0) + 1, step: step, change: change))
    }
    let crowd = state.history.dropLast(limit * 100).last?.step ?? 0
    let oldest = max(step - Int64(limit), min(crowd, step - 1))
    state.history.removeFirst(state.history.prefix { $0.step <= oldest }.count)
  }

  func replaceHistory(_ entry: HistoryEntry) {
    guard let index = state.history.firstIndex(where: { $0.id == entry.id }) else { return }
    state.history[index] = entry
  }

  func removeHistory(_ id: Int64) {
    state.history.removeAll { $0.id == id }
  }
}
