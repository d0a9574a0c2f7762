import OfflineSync
import TableProtocol

extension InMemoryTransaction {
  func undoStep(undone: Bool, in table: String) -> [UndoEntry] {
    let entries = state.undoEntries.lazy.filter { $0.isUndone == undone && $0.change.table == table }
    guard let step = undone ? entries.first?.step : entries.last?.step else { return [] }
    return entries.filter { $0.step == step }
  }

  func hasUndoEntry(ofItem itemID: RecordID, in table: String) -> Bool {
    let id = itemID
    return state.undoEntries.contains { $0.change.table == table && $0.change.itemID == id }
  }

  func appendUndoStep(_ changes: [RowChange], keeping limit: Int) {
    state.undoEntries.removeAll(where: \.isUndone)
    let step = (state.undoEntries.last?.step ?? 0) + 1
    for change in changes {
      state.undoEntries.append(UndoEntry(id: (state.undoEntries.last?.id ?? 0) + 1, step: step, change: change))
    }
    let crowd = state.undoEntries.dropLast(limit * 100).last?.step ?? 0
    let oldest = max(step - Int64(limit), min(crowd, step - 1))
    state.undoEntries.removeFirst(state.undoEntries.prefix { $0.step <= oldest }.count)
  }

  func replaceUndoEntry(_ entry: UndoEntry) {
    guard let index = state.undoEntries.firstIndex(where: { $0.id == entry.id }) else { return }
    state.undoEntries[index] = entry
  }

  func removeUndoEntry(_ id: Int64) {
    state.undoEntries.removeAll { $0.id == id }
  }
}
