import OfflineSync
import Terminal
import TodoCore
import Words

/// Actions of keys and the mouse: each command goes to the value it belongs to.
extension Model {
  /// Performs the command of a key here. Pasted text is text everywhere: in the list it begins a new item.
  mutating func press(_ key: Key) -> [Effect] {
    let command = screen.keymap.command(for: key, in: mode.place)
    sync.notePress(isQuit: command == .list(.quit))
    if case .paste(let text) = key { return paste(text) }
    if let command { return perform(command, key) }
    guard case .character(let character) = key else { return [] }
    return type { $0.insert(String(character)) }
  }

  private mutating func perform(_ command: Command, _ key: Key? = nil) -> [Effect] {
    if case .common(let command) = command, let effects = perform(command) { return effects }
    switch mode {
    case .list: return performInList(command, key)
    case .panel: return performInPanel(command)
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
    if list.lostRow.stops(command, hasMarks: hasMarks, at: screen.now), let item = list.window.selectedItem {
      return screen.say(.rowGone(now: item.line))
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

  private mutating func perform(_ command: ListCommand, _ key: Key?) -> [Effect] {
    switch command {
    case .add: edit(.new, "")
    case .addInGroup: addInGroup()
    case .edit: if let item = list.window.selectedItem { edit(.item(id: item.id, seen: item.text), item.text) }
    case .editNote: return list.window.selectedItem.map { [.screen(.edit(id: $0.id, text: $0.text))] } ?? []
    case .undo: return [.change(.undo)]
    case .redo: return [.change(.redo)]
    case .filter: editor.openFilter(list.query.filter)
    case .savedFilter: return number(of: key).map { list.useFilter($0, &screen) } ?? []
    case .saveFilter: panes.ask(.slot)
    case .agenda: return list.show(.agenda)
    case .panel: panel.enter()
    case .togglePanel: return togglePanel()
    case .nextView where panel.isShown(on: screen): panel.enter()
    case .nextView: return list.showView(1)
    case .previousView: return list.showView(-1)
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
    case .resume: return editor.offeredLine == nil ? screen.say(.draftGone) : [.change(.takeOverDraft)]
    case .quit: return leave()
    }
    return []
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
    if text.utf8.count > TerminalOptions.longestCopy { return screen.say(.tooMuchToCopy) }
    screen.say(items.count == 1 ? .copied(first.line) : .copiedSeveral(items.count))
    return [.screen(.copy(text))]
  }

  /// Which of several is asked.
  private mutating func openLink(of items: [TodoItem]) -> [Effect] {
    let links = ItemLinks.found(in: items.map(\.text).joined(separator: "\n"))
    switch links.count {
    case 0: return screen.say(.noLink)
    case 1: return [.screen(.open(link: links[0]))]
    default:
      panes.ask(.link(links))
      return []
    }
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

  /// Escape takes away one thing at a time: what was said, the marks, the filter, and last a refresh that runs. What a
  /// change answered goes along with the next of them.
  private mutating func dismiss() -> [Effect] {
    sync.closePull()
    let said = screen.notice
    screen.clearNotice()
    if case .draftOffered = said { return editor.refuse() }
    if said?.isAnswer == false || sync.refresh.showsReceipt {
      sync.foldReceipt()
      return said == .verifying ? [.sync(.stopVerifying)] : []
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
  private func number(of key: Key?) -> Int? {
    key.flatMap { screen.keymap.number(of: $0, for: .list(.savedFilter)) }
  }
}

// MARK: In the panel

extension Model {
  private mutating func performInPanel(_ command: Command) -> [Effect] {
    switch command {
    case .move(let motion): panel.move(Step(motion, page: screen.listHeight), savedFilters: list.savedFilters)
    case .pane(.run): return filterByPanel()
    case .list(.togglePanel): return togglePanel()
    case .pane, .list: panel.leave()
    case .item, .open, .conflict, .answer, .typing, .edit, .common: break
    }
    return []
  }

  /// The list shows what the entry stands for; the same entry again shows all of it.
  mutating func filterByPanel() -> [Effect] {
    guard let entry = panel.current(savedFilters: list.savedFilters) else { return [] }
    panel.leave()
    screen.clearNotice()
    return entry.filter == list.query.filter ? list.clearFilter() : list.show(filter: entry.filter)
  }

  /// Where it has no room it is not switched: nobody would see that.
  private mutating func togglePanel() -> [Effect] {
    if screen.preferences.isPlain { return screen.say(.notHere(.list(.togglePanel))) }
    guard Panel.hasRoom(on: screen) else { return screen.say(.panelTooNarrow) }
    return panel.toggle() + readPanel()
  }
}

// MARK: In what stands in place of the list

extension Model {
  private mutating func perform(_ command: Command, in pane: Pane) -> [Effect] {
    switch command {
    case .move(let motion):
      panes.movePane(Step(motion, page: screen.paneHeight), screen)
      return []
    case .pane(let command): return perform(command, in: pane)
    case .open(.story):
      guard case .detail(let detail, _) = pane else { return panes.close() }
      return [.read(.pane(.story(id: detail.item.id)))]
    case .open: return panes.close()
    case .list, .item, .conflict, .answer, .typing, .edit, .common: return []
    }
  }

  private mutating func perform(_ command: PaneCommand, in pane: Pane) -> [Effect] {
    switch (command, pane) {
    case (.close, _): return panes.close()
    case (.editChange, .outbox(let choice, _)): return edit(choice.current)
    case (.dropChange, .outbox(let choice, _)):
      guard let change = choice.current else { return [] }
      list.lastChange.request(.dropped, [])
      return [.change(.drop(id: change.id))]
    case (.goTo, .digest(let choice)):
      guard let arrival = choice.current, let after = arrival.after else { return [] }
      panes.leave()
      return list.reveal(TodoItem(id: arrival.id, text: after.text, complete: after.complete))
    case (.restoreVersion, .story(let item, let choice)):
      // The present version is what the item is already.
      guard choice.index > 0, let version = choice.current else { return [] }
      list.lastChange.request(.restored, [])
      return [.change(.restore(id: item.id, number: version.number))]
    case (.editChange, _), (.dropChange, _), (.goTo, _), (.restoreVersion, _), (.run, _): return []
    }
  }

  /// The item is edited where it stands in the list.
  private mutating func edit(_ change: WaitingChange?) -> [Effect] {
    guard let change, let after = change.after else { return [] }
    panes.leave()
    edit(.item(id: change.id, seen: after.text), after.text)
    return list.go(to: TodoItem(id: change.id, text: after.text))
  }

  private mutating func performInConflicts(_ command: Command) -> [Effect] {
    screen.clearNotice()
    switch command {
    case .move(let motion):
      if case .by(let lines) = Step(motion, page: screen.listHeight) { panes.browse { $0.scroll(by: lines) } }
    case .conflict(let command): return perform(command)
    case .list(.undo): return [.change(.undo)]
    case .list(.redo): return [.change(.redo)]
    case .pane: return panes.close()
    case .list, .item, .open, .answer, .typing, .edit, .common: break
    }
    return []
  }

  private mutating func perform(_ command: ConflictCommand) -> [Effect] {
    let current = panes.conflicts?.current
    let alike = panes.conflicts?.alike ?? []
    switch command {
    case .nextConflict: panes.browse { $0.move(by: 1) }
    case .previousConflict: panes.browse { $0.move(by: -1) }
    case .keepMine: return decide(command, .mine, current.map { [$0] } ?? [])
    case .keepTheirs: return decide(command, .theirs, current.map { [$0] } ?? [])
    case .keepBoth: return decide(command, .both, current.map { [$0] } ?? [])
    case .keepAllMine: return decide(command, .mine, alike)
    case .keepAllTheirs: return decide(command, .theirs, alike)
    case .keepAllBoth: return decide(command, .both, alike)
    case .editMerge: if let current { return editMerge(of: current) }
    case .takeMerge: if let current { return takeMerge(of: current) }
    }
    return []
  }

  /// Where there is nothing to merge the text is typed.
  private mutating func takeMerge(of conflict: TodoConflict) -> [Effect] {
    guard let merged = conflict.merged, !editor.isOffered(mergeOf: conflict) else { return editMerge(of: conflict) }
    list.lastChange.request(.decided(.takeMerge), [merged])
    return [.change(.resolve([conflict], .text(merged)))]
  }

  private mutating func editMerge(of conflict: TodoConflict) -> [Effect] {
    if editor.isOffered(mergeOf: conflict) { return [.change(.takeOverDraft)] }
    editor.open(.merge(id: conflict.id), conflict.proposal)
    return []
  }

  private mutating func decide(
    _ command: ConflictCommand, _ decision: TodoDecision, _ conflicts: [TodoConflict]
  ) -> [Effect] {
    guard !conflicts.isEmpty else { return [] }
    // A refusal is like refusals only.
    if decision == .both, conflicts.contains(where: \.isRefused) { return screen.say(.bothRefused) }
    let deleted = screen.preferences.catalogue.text(.conflictDeleted)
    let texts = conflicts.map { conflict in
      (decision == .theirs ? conflict.theirs : conflict.mine)?.text ?? deleted
    }
    list.lastChange.request(.decided(command), texts)
    return [.change(.resolve(conflicts, decision))]
  }

  /// Runs the chosen command where the menu was opened; what means something elsewhere only says so.
  private mutating func performInMenu(_ command: Command) -> [Effect] {
    guard let entry = panes.performInMenu(command, screen) else { return [] }
    if case .answer(let answer) = entry.command, answer.theme != nil { return take(answer) }
    guard entry.place == mode.place else { return screen.say(.notHere(entry.command)) }
    return perform(entry.command)
  }

  /// Takes the answer to what was asked. Whatever is no yes leaves all as it is.
  private mutating func answer(_ command: Command, _ key: Key?) -> [Effect] {
    let question = panes.question
    panes.closeQuestion()
    switch command {
    case .answer(let answer): return take(answer)
    case .list(.savedFilter) where question?.links != nil:
      let links = question?.links ?? []
      guard let number = number(of: key), number <= links.count else { return [] }
      return [.screen(.open(link: links[number - 1]))]
    case .list(.savedFilter): return number(of: key).map { list.saveFilter($0, &screen) } ?? []
    case .list, .item, .open, .move, .pane, .conflict, .typing, .edit, .common: return []
    }
  }

  private mutating func take(_ answer: Answer) -> [Effect] {
    switch answer {
    case .leave: return sync.leaveNow(&screen)
    case .sameList: return sync.start(.key, with: sync.refresh.options.with(.sameList), &screen)
    case .takeAlong: return sync.start(.key, with: sync.refresh.options.with(.takeAlong), &screen)
    case .agree: return sync.start(.key, with: sync.refresh.options.agreeingToRemoval, &screen)
    case .sendBack: return sync.start(.key, with: sync.refresh.options.sendingRemovalsBack, &screen)
    case .sortCreated: return list.sort(.created)
    case .sortText: return list.sort(.text)
    case .sortDue: return list.sort(.due)
    case .sortPriority: return list.sort(.priority)
    case .sortProject: return list.sort(.project)
    case .sortUpdated: return list.sort(.updated)
    case .themeAuto, .themeTerminal, .themeLight, .themeDark, .themePlain: return choose(answer.theme ?? .auto)
    case .stay, .decline, .pasteItems, .pasteOne: return []
    }
  }

  /// A theme that the configuration names comes back with the next start, so it is not remembered in its place.
  private mutating func choose(_ theme: ThemeChoice) -> [Effect] {
    let effects = screen.choose(theme)
    if screen.preferences.configuresTheme { return effects + screen.say(.theme(theme, isForNow: true)) }
    return effects + screen.say(.theme(theme, isForNow: false)) + [.note(.memory(.theme, theme.rawValue))]
  }
}
