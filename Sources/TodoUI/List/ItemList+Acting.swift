import TodoCore

/// What is done to the items: to the chosen one, or to all that are marked.
extension ItemList {
  /// What an item command comes to.
  enum Action: Equatable, Sendable {
    case effects([Effect])
    /// First the date has to be typed; in place of this one.
    case askDue(String, of: [String])
  }

  mutating func mark(at now: Now) -> [Effect] {
    guard let item = window.selectedItem else { return [] }
    marks.toggle(item)
    return move(by: 1, at: now)
  }

  /// A range is drawn from where it was begun to the chosen row; a second time keeps it.
  mutating func markRange() -> [Effect] {
    if marks.anchor != nil { return readRange(then: nil) }
    beginRange()
    return []
  }

  func markAll() -> [Effect] {
    [.read(.marks(query, .all, then: nil))]
  }

  /// A range first has to become marks: it may reach over rows that are not in memory.
  mutating func act(_ command: ItemCommand) -> Action {
    if marks.anchor != nil { return .effects(readRange(then: command)) }
    if !marks.isEmpty {
      if command != .setDue { marks.act() }
      return act(command, on: marks.ids, complete: !marks.areComplete)
    }
    guard let item = window.selectedItem else { return .effects([]) }
    return act(command, on: [item.id], complete: !item.complete)
  }

  /// The chosen item alone, whatever is marked.
  mutating func toggleSelected() -> Action {
    guard let item = window.selectedItem else { return .effects([]) }
    return act(.toggle, on: [item.id], complete: !item.complete)
  }

  /// The items of a range, or all. What was to be done with them follows.
  mutating func accept(_ marked: [Marked]?, then command: ItemCommand?, _ screen: inout Screen) -> Action {
    let wasRange = marks.anchor != nil
    endRange()
    guard let marked else { return .effects(screen.say(.rangeLost)) }
    marks.add(marked, isRange: wasRange)
    return command.map { act($0) } ?? .effects([])
  }

  /// Nil takes the date away.
  mutating func setDue(_ day: CalendarDay?, of ids: [String]) -> [Effect] {
    marks.act()
    return rewrite(ids, .due(day))
  }

  /// A change of this program is in the store.
  mutating func confirmChange(of count: Int, _ screen: inout Screen) {
    let kind = lastChange.confirm()
    if let said = kind?.notice { screen.say(said) }
    guard marks.isActing else { return }
    clearMarks()
    screen.say(count == 0 ? .nothingChanged : .changedSeveral(kind ?? .edited, count))
  }

  private func readRange(then command: ItemCommand?) -> [Effect] {
    guard let from = marks.anchor, let to = window.selectedItem else { return [] }
    return [.read(.marks(query, .range(from, to), then: command))]
  }

  private mutating func act(_ command: ItemCommand, on ids: [String], complete: Bool) -> Action {
    switch command {
    case .toggle:
      lastChange.request(complete ? .completed : .reopened, texts(of: ids))
      return .effects([.change(.setComplete(ids: ids, complete))])
    case .delete:
      lastChange.request(.deleted, texts(of: ids))
      return .effects([.change(.delete(ids: ids))])
    case .raisePriority: return .effects(rewrite(ids, .raisePriority))
    case .lowerPriority: return .effects(rewrite(ids, .lowerPriority))
    case .setDue:
      let item = ids.count == 1 ? window.rows.first { $0.id == ids[0] } : nil
      return .askDue(item.flatMap { TodoNotation($0.text).due?.text } ?? "", of: ids)
    }
  }

  private mutating func rewrite(_ ids: [String], _ change: TextChange) -> [Effect] {
    lastChange.request(.edited, texts(of: ids).map(change.apply))
    return [.change(.rewrite(ids: ids, change))]
  }

  /// Of those that are in memory.
  private func texts(of ids: [String]) -> [String] {
    window.rows.filter { ids.contains($0.id) }.map(\.text)
  }
}

extension LocalChange.Kind {
  /// What is said of a change that the rows do not show.
  fileprivate var notice: Notice? {
    switch self {
    case .dropped: .dropped
    case .restored: .restored
    case .added, .edited, .completed, .reopened, .deleted, .decided: nil
    }
  }
}
