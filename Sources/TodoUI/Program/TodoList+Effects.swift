import OfflineSync
import TableProtocol
import TodoCore

/// Requests of the list in the terminal to the to-do list, where one call does not do.
extension TodoList {
  func perform(_ change: Change, progress: (BulkProgress) -> BulkProgress.Answer) throws -> Outcome {
    var last: BulkProgress?
    let counted = { (step: BulkProgress) in
      last = step
      return progress(step)
    }
    let changed = { (count: Int) -> Outcome in
      guard let last, last.done < last.all else { return .changed(count) }
      return .stopped(count, rest: last.all - last.done)
    }
    switch change {
    case .add(let texts):
      return .added(texts.count == 1 ? [try add(texts[0], typed: ItemText(texts[0]).line)] : try add(texts))
    case .edit(let id, let text, let seen):
      let before = try item(id)
      let isChanged = try edit(id, text: text, seen: seen, typed: ItemText(text).line)
      let now = try item(id)
      guard let now, before?.hasGivenWay(to: now) != true else { return .letGo(now) }
      return isChanged ? .edited(now) : .changed(0)
    case .setComplete(let ids, let complete):
      let before = try ids.count == 1 ? item(ids[0]) : nil
      let count = try setComplete(ids, complete, progress: counted)
      return try givenWay(before) ?? changed(count)
    case .delete(let ids): return changed(try delete(ids, progress: counted))
    case .rewrite(let ids, let change): return changed(try rewrite(ids, progress: counted, change.apply))
    case .undo: return reversed(.undo, try undo { _ = progress($0) })
    case .redo: return reversed(.redo, try redo { _ = progress($0) })
    case .resolve(let conflicts, let decision): return try resolve(conflicts, decision)
    case .drop(let id): return .changed(try drop(id) ? 1 : 0)
    case .restore(let id, let number):
      let before = try item(id)
      let isChanged = try restore(id, to: number)
      return try givenWay(before) ?? .changed(isChanged ? 1 : 0)
    case .takeOverDraft: return .tookOver(try takeOverDraft())
    }
  }

  /// The outcome of a change by which an item's conflict ended for the other side; nil if it did not.
  private func givenWay(_ before: TodoItem?) throws -> Outcome? {
    guard let before, before.state == .conflict else { return nil }
    let now = try item(before.id)
    return before.hasGivenWay(to: now) ? .letGo(now) : nil
  }

  private func reversed(_ direction: UndoResult.Direction, _ reversal: UndoResult?) -> Outcome {
    .reversed(direction, reversal, reversal.flatMap { try? item($0.itemID) })
  }

  /// Passes over a conflict that was decided elsewhere meanwhile.
  private func resolve(_ conflicts: [TodoConflict], _ decision: TodoDecision) throws -> Outcome {
    var line: String?
    if case .text(let text) = decision { line = ItemText(text).line }
    let (count, changed) = try resolve(conflicts, decision, typed: line)
    return .resolved(count, changed: changed)
  }
}

extension TodoList {
  /// Returns the next item that arrived; after the last one the first. Nil if there is no other.
  func arrival(from item: TodoItem?, in query: TodoQuery, backward: Bool) throws -> TodoItem? {
    if let next = try nextArrival(after: item, in: query, backward: backward) { return next }
    return try nextArrival(after: nil, in: query, backward: backward).flatMap { $0.id == item?.id ? nil : $0 }
  }

  /// More are not shown at once; how many there are is told.
  private static let longestPane = 1_000

  func content(of request: PaneRequest) throws -> PaneContent {
    switch request {
    case .outbox: return .outbox(try outbox(limit: Self.longestPane), total: try outboxCount())
    case .digest: return .digest(try arrivals())
    case .log: return .log(try requests(limit: Self.longestPane))
    case .story(let id):
      guard let item = try item(id) else { return .gone }
      return .story(item, try story(of: id))
    case .detail(let id):
      return try detail(of: id).map(PaneContent.detail) ?? .gone
    }
  }

  /// Those of the items that are left, as they are now.
  func marked(_ ids: [RecordID], in query: TodoQuery) throws -> [Marked] {
    let left = try found(by: TodoQuery(view: .all), among: Set(ids))
    let shown = query.view == .all && query.filter.isEmpty ? left : try found(by: query, among: Set(ids))
    return left.map { Marked(id: $0.key, complete: $0.value, isShown: shown[$0.key] != nil) }
  }

  func panelContents(filters: [String]) throws -> PanelContents {
    let agenda = TodoQuery(view: .agenda, order: .due)
    var contents = PanelContents(groups: try counts(agenda, by: .date), words: try wordCounts())
    for filter in filters {
      do {
        contents.filters[filter] = try count(TodoQuery(view: .open, filter: filter))
      } catch is FilterProblem {
        // A filter that is not understood has no count, and takes none of the others away.
      }
    }
    return contents
  }

  /// Nil for an item that is gone.
  func sideContents(of id: RecordID) throws -> SideContents? {
    guard case .detail(let detail) = try content(of: .detail(id: id)) else { return nil }
    return SideContents(detail: detail, versions: try story(of: id))
  }

  func memory() throws -> Memory {
    var memory = Memory(history: try history(of: .item), filters: try history(of: .filter), draft: try draft())
    for name in Memory.Name.allCases { memory.values[name] = try remembered(name.text) }
    return memory
  }

  /// The words in use that begin so, `+` or `@` included, most used first.
  func words(beginning prefix: String) throws -> [String] {
    let beginning = String(prefix.dropFirst())
    let words = prefix.first == "@" ? try contexts(beginning: beginning) : try projects(beginning: beginning)
    return words.filter { $0 != prefix }
  }
}
