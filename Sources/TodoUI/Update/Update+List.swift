import Terminal
import TodoCore

extension Model {
  mutating func performInList(_ command: Command, _ key: Key?) -> [Effect] {
    if let rows = command.step(page: window.height) { return move(by: rows, .key) }
    if !marks.isEmpty && command.actsOnMarks { return performOnMarks(command) }
    switch command {
    case .first: return jump(.first(count: window.page), anchorBelow: true)
    case .last: return jump(.last(count: window.page), anchorBelow: false)
    case .add: return edit(.new, "")
    case .edit:
      return window.selectedItem.map { edit(.item(id: $0.id, seen: $0.text), $0.text) } ?? []
    case .undo: return [.undo]
    case .redo: return [.redo]
    case .filter: mode = .filter(LineEditor(query.filter))
    case .savedFilter: return useFilter(key)
    case .saveFilter: mode = .prompt(.slot)
    case .nextView: return showView(1)
    case .previousView: return showView(-1)
    case .sort: mode = .prompt(.sort)
    case .mark, .markRange, .markAll: return mark(command)
    case .conflicts: return [.readConflicts]
    case .outbox: return [.readPane(.outbox)]
    case .digest: return [.readPane(.digest)]
    case .log: return [.readPane(.log)]
    case .detail: return window.selectedItem.map { [.readPane(.detail(id: $0.id))] } ?? []
    case .story: return window.selectedItem.map { [.readPane(.story(id: $0.id))] } ?? []
    case .nextArrival: return findArrival(backward: false)
    case .previousArrival: return findArrival(backward: true)
    case .verify: return startVerifying()
    case .dismiss: return dismiss()
    case .refresh: return startRefresh(.key)
    case .toggleMouse: return toggleMouse()
    case .quit: return leave()
    default: return performOnSelected(command)
    }
    return []
  }

  /// Moves among the rows. Going on upwards at the first row pulls.
  mutating func move(by rows: Int, _ source: PullGesture.Source) -> [Effect] {
    let isAtFirst = window.selected == 0 && window.startsAtFirst
    if rows < 0 {
      if isAtFirst {
        pull.pull(source, at: now.uptime)
        return pull.turn(at: now.uptime) ? startRefresh(.pull) : []
      }
      pull.noteMovement(at: now.uptime)
    } else {
      pull.close()
    }
    return leaving { $0.move(by: rows) } + readMissing()
  }

  /// Moves in the window, and notes that a row that had arrived was looked at.
  mutating func leaving(_ move: (inout ListWindow) -> Void) -> [Effect] {
    let before = window.selectedItem
    move(&window)
    if let before, before.hasArrived, before.id != window.selectedItem?.id { noteSeen(before.id) }
    return []
  }

  private mutating func jump(_ request: RowRequest, anchorBelow: Bool) -> [Effect] {
    if marks.anchor != nil { window.anchorIsFar(below: anchorBelow) }
    return [.read(query, request)]
  }

  /// Reads the rows round the chosen one anew.
  func reload() -> [Effect] {
    [.read(query, rowsAroundSelected)]
  }

  var rowsAroundSelected: RowRequest {
    window.selectedItem.map { .around($0, orElse: nil, count: window.page) } ?? .first(count: window.page)
  }

  /// The rows, and what is read for whatever stands in their place. At once after a change that was made here, since
  /// the next key is meant for what it left; what came from elsewhere may take its time.
  mutating func reloadAll(atOnce: Bool = true) -> [Effect] {
    let rows = atOnce || query.filter.isEmpty ? reload() : searchAgain()
    return rows + (conflictBrowser == nil ? [] : [.readConflicts]) + reloadPane()
  }

  /// A change was undone or done again: says so, and goes to the item where it is in sight.
  mutating func hear(
    _ direction: UndoResult.Direction, _ reversal: UndoResult?, _ item: TodoItem?
  ) -> [Effect] {
    notice = reversal.map(Notice.reversed) ?? .nothingToReverse(direction)
    guard let item, reversal?.obstacle == nil else { return reload() }
    return [.read(query, .around(item, orElse: nil, count: window.page))]
  }

  mutating func follow(added items: [TodoItem]) -> [Effect] {
    let forgotten = finishTyping()
    lastChange.request(.added, items.map(\.text))
    lastChange.confirm()
    isAhead = true
    if items.count > 1 { notice = .addedSeveral(items.count) }
    guard let last = items.last else { return forgotten }
    added = last.id
    return forgotten + [.read(query, .around(last, orElse: window.selectedItem ?? last, count: window.page))]
  }

  /// This program's own change is in the store: what it was made with is done with.
  mutating func hearChange(of count: Int) -> [Effect] {
    let forgotten = finishTyping()
    lastChange.confirm()
    isAhead = true
    if let said = afterChange { notice = said }
    if marks.isActing {
      marks.clear()
      window.anchor = nil
      notice = count == 0 ? .nothingChanged : .changedSeveral(count)
    }
    afterChange = nil
    return forgotten + reloadAll()
  }

  mutating func accept(_ page: RowPage, for request: RowRequest) -> [Effect] {
    search = nil
    if case .around(let item, _, _) = request, item.id == added {
      added = nil
      if !page.rows.contains(where: { $0.id == item.id }) { notice = .addedOutOfSight }
    }
    window.accept(page, for: request, anchor: marks.anchor?.id)
    for id in seen { window.markSeen(id) }
    switch request {
    case .above, .below: return readMissing()
    case .first, .last, .around: return readMissing() + countList()
    }
  }

  /// Nothing while a search is on: the rows in the window may be of another filter.
  func readMissing() -> [Effect] {
    guard search == nil else { return [] }
    return window.missing.map { [.read(query, $0)] } ?? []
  }

  /// The place of the chosen row is asked for, not known: rows may have come or gone before it. Nothing is
  /// counted before the first paint.
  func countList() -> [Effect] {
    isPainted ? [.count(query, locate: window.selectedItem)] : []
  }

  /// Shows the list through another filter; the counts of the old one are no longer of use.
  mutating func show(filter: String) -> [Effect] {
    endRange()
    query.filter = filter
    matching = nil
    return [.read(query, .first(count: window.page))]
  }

  mutating func edit(_ target: Editing.Target, _ text: String) -> [Effect] {
    pull.close()
    mode = .editor(Editing(target: target, line: LineEditor(text)))
    return []
  }

  private mutating func showView(_ step: Int) -> [Effect] {
    let views = TodoView.allCases
    let next = (views.firstIndex(of: query.view) ?? 0) + step
    return show(view: views[(next + views.count) % views.count])
  }

  mutating func show(view: TodoView) -> [Effect] {
    endRange()
    query.view = view
    matching = nil
    overall = nil
    return reload() + (query.order == .created ? [] : [.prepare(query.order, view)])
  }

  /// Escape takes away one thing at a time: what was said, the marks, the filter, and last a refresh that runs.
  private mutating func dismiss() -> [Effect] {
    pull.close()
    if notice != nil || refresh.showsReceipt {
      defer { notice = nil }
      refresh.receiptUntil = nil
      return notice == .verifying ? [.stopVerifying] : []
    }
    if !marks.isEmpty {
      marks.clear()
      window.anchor = nil
      return []
    }
    guard !query.filter.isEmpty else { return stopRefresh() }
    query.filter = ""
    matching = nil
    return reload()
  }

  private mutating func toggleMouse() -> [Effect] {
    preferences.mouse.toggle()
    notice = .mouse(isOn: preferences.mouse)
    return [.setMouse(preferences.mouse)]
  }
}

extension Command {
  /// With marks it acts on all of them.
  var actsOnMarks: Bool {
    switch self {
    case .toggle, .delete, .raisePriority, .lowerPriority, .setDue: true
    default: false
    }
  }
}
