import TodoCore

extension Model {
  mutating func performInList(_ command: Command) -> [Effect] {
    if let rows = command.step(page: window.height) {
      window.move(by: rows)
      return readMissing()
    }
    switch command {
    case .first: return [.read(query, .first(count: window.page))]
    case .last: return [.read(query, .last(count: window.page))]
    case .add: edit(.new, "")
    case .edit:
      if let item = window.selectedItem { edit(.item(id: item.id, seen: item.text), item.text) }
    case .toggle: return window.selectedItem.map { [.setComplete(id: $0.id, !$0.complete)] } ?? []
    case .delete: return window.selectedItem.map { [.delete(id: $0.id)] } ?? []
    case .undo: return [.undo]
    case .redo: return [.redo]
    case .conflicts: return [.readConflicts]
    case .filter: mode = .filter(LineEditor(query.filter), before: query.filter)
    case .nextView: return showNextView()
    case .dismiss: return dismiss()
    case .refresh: return startRefresh()
    case .help: mode = .help(from: 0)
    case .quit: return leave()
    default: break
    }
    return []
  }

  /// Reads the rows round the chosen one anew.
  mutating func reload() -> [Effect] {
    guard let item = window.selectedItem else {
      return [.read(query, .first(count: window.page))]
    }
    return [.read(query, .around(item, orElse: nil, count: window.page))]
  }

  /// The rows, and what waits for a decision while that is looked at.
  mutating func reloadAll() -> [Effect] {
    reload() + (deciding == nil ? [] : [.readConflicts])
  }

  /// A change was undone or done again: says so, and goes to the item where it is in sight.
  mutating func hear(
    _ direction: TodoReversal.Direction, _ reversal: TodoReversal?, _ item: TodoItem?
  ) -> [Effect] {
    notice = reversal.map(Notice.reversed) ?? .nothingToReverse(direction)
    guard let item, reversal?.obstacle == nil else { return reload() }
    return [.read(query, .around(item, orElse: nil, count: window.page))]
  }

  mutating func follow(added item: TodoItem) -> [Effect] {
    finishTyping()
    return [.read(query, .around(item, orElse: window.selectedItem, count: window.page))]
  }

  mutating func accept(_ page: RowPage, for request: RowRequest) -> [Effect] {
    if case .around(let item, .some, _) = request, !page.rows.contains(where: { $0.id == item.id }) {
      notice = .addedOutOfSight
    }
    window.accept(page, for: request)
    switch request {
    case .above, .below: return readMissing()
    case .first, .last, .around: return readMissing() + survey()
    }
  }

  func readMissing() -> [Effect] {
    window.missing.map { [.read(query, $0)] } ?? []
  }

  /// The place of the chosen row is asked for, not known: rows may have come or gone before it. Nothing is
  /// counted before the first paint.
  func survey() -> [Effect] {
    isPainted ? [.survey(query, locate: window.selectedItem)] : []
  }

  /// Shows the list through another filter; the counts of the old one are no longer of use.
  mutating func show(filter: String) -> [Effect] {
    query.filter = filter
    matching = nil
    return [.read(query, .first(count: window.page))]
  }

  private mutating func edit(_ target: Editing.Target, _ text: String) {
    mode = .editor(Editing(target: target, line: LineEditor(text)))
  }

  private mutating func showNextView() -> [Effect] {
    let views = TodoView.allCases
    let next = (views.firstIndex(of: query.view) ?? 0) + 1
    query.view = views[next % views.count]
    matching = nil
    overall = nil
    return reload()
  }

  /// Escape takes away one thing at a time: first what was said, then the filter, then a refresh that runs.
  private mutating func dismiss() -> [Effect] {
    if notice != nil {
      notice = nil
      return []
    }
    guard !query.filter.isEmpty else { return stopRefresh() }
    query.filter = ""
    matching = nil
    return reload()
  }

  private mutating func leave() -> [Effect] {
    guard pending > 0 else { return [.quit] }
    mode = .prompt(.leave)
    return []
  }
}
