import OfflineSync
import Terminal
import TodoCore
import Words

/// Actions of keys and the mouse: each command goes to the value it belongs to.
extension Model {
  /// Performs the command of a key here. Pasted text is text everywhere: in the list it begins a new item.
  mutating func press(_ key: Key) -> [Effect] {
    let (place, said) = (mode.place, screen.noticeCount)
    defer { sync.sayHeld(&screen) }
    defer { if ![place, .list].contains(mode.place), screen.noticeCount == said { screen.clearReply() } }
    let command = screen.keymap.command(for: key, in: mode.place)
    // Escape removes them by itself, and nothing else with them.
    if screen.notice?.warnings != nil, command != .list(.dismiss) { screen.clearNotice() }
    if command == nil, mode.place == .help, readsHelp { return closeMenu() + press(key) }
    sync.notePress(isQuit: command == .list(.quit), at: screen.now)
    if case .paste(let text) = key { return paste(text) }
    if let command { return perform(command, key) }
    // The number has to come again at once.
    if case .slot(replacing: .some) = panes.question { panes.closeQuestion() }
    if mode == .panel, key.isText { return screen.say(.screen(.notOfPanel)) }
    guard case .character(let character) = key else { return [] }
    if let effects = beginNextItem(with: String(character)) { return effects }
    return type { $0.insert(String(character)) }
  }

  mutating func perform(_ command: Command, _ key: Key? = nil) -> [Effect] {
    if case .common(let command) = command, let effects = perform(command) { return effects }
    if case .move(let motion) = command, movePreview({ Step(motion, page: $0) }) { return [] }
    switch mode {
    case .list: return performInList(command, key)
    case .panel: return performInPanel(command, key)
    case .editor, .filter, .due: return performInTyping(command)
    case .conflicts: return performInConflicts(command)
    case .pane(let pane): return perform(command, in: pane)
    case .menu: return performInMenu(command)
    case .paste(let pasted): return answer(pasted, command)
    case .prompt: return answer(command, key)
    }
  }

  /// Performs a command that is the same wherever it has a key; nil if the place decides.
  private mutating func perform(_ command: CommonCommand) -> [Effect]? {
    switch command {
    case .redraw: return [.screen(.redraw)]
    case .suspend: return [.screen(.suspend)]
    case .refresh: return sync.start(.key, &screen)
    case .help where mode.place == .help: return nil
    case .help: panes.openMenu(from: mode.place, isPalette: false)
    case .palette: panes.openMenu(from: mode.place, isPalette: true)
    }
    return []
  }
}

// MARK: In the list

extension Model {
  mutating func performInList(_ command: Command, _ key: Key?) -> [Effect] {
    let hasMarks = !list.marks.isEmpty && list.marks.anchor == nil
    let item = list.window.selectedItem
    if let why = list.lostRow.objection(to: command, on: item?.id, hasMarks: hasMarks, at: screen.now), let item {
      return object(why, to: command, key, on: item)
    }
    switch command {
    case .list(let command): return perform(command, key)
    case .item(let command): return take(list.act(command))
    case .open(let opening): return open(opening)
    case .move(let motion):
      switch Step(motion, page: screen.listHeight) {
      case .by(let rows): return move(by: rows, .key)
      case .toFirst: return list.moveToFirst()
      case .toLast: return list.moveToLast()
      }
    case .pane, .conflict, .answer, .typing, .edit, .common: return []
    }
  }

  private mutating func object(
    _ objection: LostRow.Objection, to command: Command, _ key: Key?, on item: TodoItem
  ) -> [Effect] {
    switch objection {
    case .rowGone: return screen.say(.rows(.gone(now: item.line)))
    case .secondPress(let change):
      let name = key.map(KeyName.text) ?? screen.keymap.name(of: command, in: .list)
      let words = RowPieces.words(of: item.line)
      return screen.say(.rows(.secondPress(after: change, key: name, now: words)))
    }
  }

  private mutating func perform(_ command: ListCommand, _ key: Key?) -> [Effect] {
    switch command {
    case .add: edit(.new, "")
    case .addInGroup: addInGroup()
    case .edit: if let item = list.window.selectedItem { edit(.item(id: item.id, seen: item.text), item.text) }
    case .editNote:
      guard let item = list.window.selectedItem else { return [] }
      return [.screen(.edit(.item(id: item.id, seen: item.text), text: item.text))]
    case .undo: return [.change(.undo)]
    case .redo: return [.change(.redo)]
    case .filter: editor.openFilter(list.query.filter)
    case .savedFilter: return number(of: key).map { list.useFilter($0, &screen) } ?? []
    case .saveFilter: return askForSlot()
    case .agenda: return changeView { $0.show(.agenda) }
    case .panel: return enterPanel()
    case .togglePanel: return togglePanel()
    case .nextView where panel.isShown(on: screen): panel.enter()
    case .nextView: return changeView { $0.showView(1) }
    case .previousView: return changeView { $0.showView(-1) }
    case .sort: panes.ask(.sort)
    case .nextGroup: return list.moveToGroup(forward: true, at: screen.now)
    case .previousGroup: return list.moveToGroup(forward: false, at: screen.now)
    case .mark: return list.mark(at: screen.now)
    case .markRange: return list.markRange()
    case .markAll: return list.markAll()
    case .nextArrival: return list.findArrival(backward: false)
    case .previousArrival: return list.findArrival(backward: true)
    case .verify: return sync.startVerifying(&screen)
    case .dismiss: return dismiss()
    case .toggleMouse: return screen.toggleMouse()
    case .theme: panes.ask(.theme(screen.preferences.themeChoice))
    case .resume: return resume()
    case .quit: return leave()
    }
    return []
  }

  /// Shows another view. The answer to the key before goes with the old one; a change that can be undone, and a
  /// warning, are of use in each.
  mutating func changeView(_ change: (inout ItemList) -> [Effect]) -> [Effect] {
    if screen.notice?.isAnswer == false { screen.clearReply() }
    return change(&list)
  }

  /// A text that was given up here comes before one that another run of the program left.
  mutating func resume() -> [Effect] {
    if let draft = editor.takeUpShelved(at: screen.now) { return show(draft) }
    return editor.offeredLine == nil ? screen.say(.editor(.draftGone)) : [.change(.takeOverDraft)]
  }

  /// Performs the command on items that had to be read for it.
  mutating func take(_ items: [TodoItem], for command: ItemCommand) -> [Effect] {
    let items = list.inOrder(items)
    switch command {
    case .copy: return copy(items)
    case .openLink: return openLink(of: items)
    case .toggle, .delete, .raisePriority, .lowerPriority, .setDue: return []
    }
  }

  /// The whole texts of the items, with their notes.
  private mutating func copy(_ items: [TodoItem]) -> [Effect] {
    guard let first = items.first else { return [] }
    let text = items.map(\.text).joined(separator: "\n")
    if text.utf8.count > TerminalOptions.longestCopy { return screen.say(.rows(.tooMuchToCopy)) }
    screen.say(.rows(items.count == 1 ? .copied(first.line) : .copiedSeveral(items.count)))
    return [.screen(.copy(text))]
  }

  /// Which of several is asked.
  private mutating func openLink(of items: [TodoItem]) -> [Effect] {
    let links = ItemLinks.found(in: items.map(\.text).joined(separator: "\n"))
    guard let first = links.first else { return screen.say(.rows(.noLink)) }
    if links.count == 1 { return [.screen(.open(link: first))] }
    panes.ask(.link(links))
    return []
  }

  private func open(_ opening: Opening) -> [Effect] {
    let item = list.window.selectedItem
    switch opening {
    case .conflicts: return [.read(.conflicts)]
    case .outbox: return [.read(.pane(.outbox))]
    case .digest: return [.read(.pane(.digest))]
    case .log: return [.read(.pane(.log))]
    case .detail: return item.map { [.read(.pane(.detail(id: $0.id)))] } ?? []
    case .story: return item.map { [.read(.pane(.story(id: $0.id)))] } ?? []
    }
  }

  /// Performs the action on the items, or first opens the field for the date it needs.
  mutating func take(_ action: ItemList.Action) -> [Effect] {
    switch action {
    case .effects(let effects): return effects
    case .askDue(let words, let ids): editor.openDue(words, of: ids)
    case .use(let command, let item): return take([item], for: command)
    }
    return []
  }

  /// Moves among the rows. Going on upwards at the first row pulls.
  mutating func move(by rows: Int, _ source: PullGesture.Source) -> [Effect] {
    if rows < 0, list.isAtFirst { return hasServer ? sync.pull(source, &screen) : [] }
    if rows < 0 { sync.noteMovement(at: screen.now) } else { sync.closePull() }
    defer { if list.window.selectedItem?.state.needsDecision == true { screen.clearAnswer() } }
    return list.move(by: rows, at: screen.now)
  }

  mutating func edit(_ target: Editing.Target, _ text: String) {
    sync.closePull()
    editor.open(target, text)
  }

  /// A new item with the project and the date of the chosen one.
  private mutating func addInGroup() {
    sync.closePull()
    let notation = TodoNotation(list.window.selectedItem?.text ?? "")
    let words = [notation.projects.first, notation.due.map { "due:" + $0.text }].compactMap(\.self)
    editor.openNew(tail: words.map { " " + $0 }.joined())
  }

  /// True when there is nothing that Escape would take away before a refresh that runs.
  var escapeStops: Bool {
    sync.refresh.isRunning && sync.refresh.progress != .stopping && screen.notice?.isAnswer != false
      && list.marks.isEmpty
      && list.query.filter.isEmpty
  }

  /// Escape takes away one thing at a time: a message, the marks, the filter, and last a refresh that runs. The result
  /// of a change goes along with the next of them.
  private mutating func dismiss() -> [Effect] {
    sync.closePull()
    let said = screen.notice
    screen.clearNotice()
    if case .editor(.draftOffered) = said { return take(editor.refuse()) }
    if said?.isAnswer == false || sync.refresh.showsReceipt {
      sync.foldReceipt()
      return said == .sync(.verifying) ? sync.stopVerifying() : []
    }
    if !list.marks.isEmpty {
      list.clearMarks()
      return []
    }
    return list.query.filter.isEmpty ? sync.stop() : list.clearFilter()
  }

  private mutating func leave() -> [Effect] {
    if hasServer, screen.preferences.asksBeforeLeaving, sync.mustAsk(screen) {
      panes.ask(.leave)
      return []
    }
    return sync.leave(&screen)
  }

  /// Which of the saved filters a key is for.
  func number(of key: Key?) -> Int? {
    key.flatMap { screen.keymap.number(of: $0, for: .list(.savedFilter)) }
  }
}

// MARK: In the panel

extension Model {
  private mutating func performInPanel(_ command: Command, _ key: Key?) -> [Effect] {
    if screen.notice == .screen(.notOfPanel) { screen.clearNotice() }
    switch command {
    case .move(let motion): panel.move(Step(motion, page: screen.listHeight), savedFilters: list.saved.byNumber)
    case .pane(.run): return filterByPanel()
    case .list(.togglePanel): return togglePanel()
    case .list(.undo), .list(.redo): return performInList(command, key)
    // They belong to the list, and go there.
    case .list(.add), .list(.filter), .list(.savedFilter):
      panel.leave()
      return performInList(command, key)
    case .pane, .list: panel.leave()
    case .item, .open, .conflict, .answer, .typing, .edit, .common: break
    }
    return []
  }

  /// The list shows what the entry stands for; the same entry again shows all of it.
  mutating func filterByPanel() -> [Effect] {
    guard let entry = panel.current(savedFilters: list.saved.byNumber) else { return [] }
    panel.leave()
    screen.clearNotice()
    if entry.filter == list.query.filter { return list.clearFilter() }
    if case .saved(let number, _, _) = entry { return list.useFilter(number, &screen) }
    return list.show(filter: entry.filter)
  }

  /// Keys mean something else only in a panel that is on the screen.
  private mutating func enterPanel() -> [Effect] {
    let effects = panel.isShown(on: screen) ? [] : togglePanel()
    if panel.isShown(on: screen) { panel.enter() }
    return effects
  }

  /// Where it has no room it is not switched: nobody would see that.
  private mutating func togglePanel() -> [Effect] {
    if screen.preferences.isPlain { return screen.say(.screen(.notHere(.list(.togglePanel)))) }
    guard Panel.hasRoom(on: screen) else { return screen.say(.screen(.panelTooNarrow)) }
    return panel.toggle() + readPanel()
  }
}
