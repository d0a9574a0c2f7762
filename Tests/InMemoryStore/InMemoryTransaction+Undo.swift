import OfflineSync
import TableProtocol

extension InMemoryTransaction {
  func undoStep(undone: Bool, in table: String) -> [Int64] {
    let entries = state.undoEntries.lazy.filter { $0.isUndone == undone && $0.change.table == table }
    guard let step = undone ? entries.first?.step : entries.last?.step else { return [] }
    return entries.filter { $0.step == step }.map(\.id)
  }

  func undoEntries(_ ids: [Int64]) -> [UndoEntry] {
    let wanted = Set(ids)
    let found = Dictionary(
      uniqueKeysWithValues: state.undoEntries.lazy.filter { wanted.contains($0.id) }.map { ($0.id, $0) })
    return ids.compactMap { found[$0] }
  }

  func itemsWithUndoEntries(among ids: [RecordID], in table: String) -> Set<RecordID> {
    Set(state.undoEntries.lazy.filter { $0.change.table == table }.map(\.change.itemID)).intersection(ids)
  }

  func appendUndoStep(_ changes: [RowChange], isContinued: Bool, keeping limit: Int) {
    if !isContinued { state.undoEntries.removeAll(where: \.isUndone) }
    let newest = state.undoEntries.last?.step ?? 0
    let step = isContinued ? newest : newest + 1
    for change in changes {
      state.undoEntries.append(UndoEntry(id: (state.undoEntries.last?.id ?? 0) + 1, step: step, change: change))
    }
    let crowd = state.undoEntries.dropLast(limit * 100).last?.step ?? 0
    let oldest = max(step - Int64(limit), min(crowd, step - 1))
    state.undoEntries.removeFirst(state.undoEntries.prefix { $0.step <= oldest }.count)
  }

  func setUndoEntry(_ id: Int64, to entry: UndoEntry?) {
    guard let index = state.undoEntries.firstIndex(where: { $0.id == id }) else { return }
    if let entry { state.undoEntries[index] = entry } else { state.undoEntries.remove(at: index) }
  }

  func markUndoEntries(_ ids: [Int64], undone: Bool) {
    let ids = Set(ids)
    for index in state.undoEntries.indices where ids.contains(state.undoEntries[index].id) {
      state.undoEntries[index].isUndone = undone
    }
  }
}
