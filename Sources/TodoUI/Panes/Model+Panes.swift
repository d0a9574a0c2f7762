import OfflineSync
import TableProtocol
import Terminal
import TodoCore
import Words

/// Commands in what stands in place of the list: panes, conflicts, the help and the palette, and the answers to
/// questions.
extension Model {
  mutating func perform(_ command: Command, in pane: Pane) -> [Effect] {
    switch command {
    case .move(let motion):
      panes.movePane(Step(motion, page: screen.paneHeight), screen)
      return []
    case .pane(let command): return perform(command, in: pane)
    case .open(.story):
      guard case .detail(let detail, _) = pane else { return closePane() }
      return [.read(.pane(.story(id: detail.item.id)))]
    case .open: return closePane()
    case .list(.undo): return [.change(.undo)]
    case .list(.redo): return [.change(.redo)]
    case .list(.resume) where editor.hasText:
      panes.stepAside()
      return resume()
    case .list(.resume): return resume()
    case .list, .item, .conflict, .answer, .typing, .edit, .common: return []
    }
  }

  /// The answers to its keys go with it.
  private mutating func closePane() -> [Effect] {
    if screen.notice?.isOfPane == true { screen.clearNotice() }
    return panes.close()
  }

  private mutating func perform(_ command: PaneCommand, in pane: Pane) -> [Effect] {
    switch (command, pane) {
    case (.close, _): return closePane()
    case (.editChange, .outbox(let choice, _)): return edit(choice.current)
    case (.dropChange, .outbox(let choice, _)):
      guard let change = choice.current else { return [] }
      // The item of a change that adds one goes with it.
      let added = change.before == nil ? change.after : nil
      list.lastChange.request(
        added == nil ? .dropped : .deleted, added.map { [$0.text] } ?? [], obstacle: .nothingChanged)
      return [.change(.drop(id: change.id))]
    case (.goTo, .digest(let choice)):
      guard let arrival = choice.current, let after = arrival.after else { return [] }
      panes.leave()
      return list.reveal(TodoItem(id: arrival.id, text: after.text, complete: after.complete))
    case (.restoreVersion, .story(let item, let choice)):
      // The present version is what the item is already.
      guard choice.index > 0, let version = choice.current else { return [] }
      if version.copy == nil { return screen.say(.pane(.versionIsDeletion)) }
      if version.copy == choice.elements.first?.copy { return screen.say(.change(.nothingChanged)) }
      list.lastChange.request(.restored, [], obstacle: .nothingChanged)
      return [.change(.restore(id: item.id, number: version.number))]
    case (.editChange, _), (.dropChange, _), (.goTo, _), (.restoreVersion, _), (.run, _): return []
    }
  }

  /// The item is edited where it stands in the list. Then the outbox is there again.
  private mutating func edit(_ change: WaitingChange?) -> [Effect] {
    guard let change, let after = change.after else { return [] }
    panes.stepAside()
    edit(.item(id: change.id, seen: after.text), after.text)
    return list.go(to: TodoItem(id: change.id, text: after.text))
  }

  /// Shows the conflicts that were read, unless the one whose text is typed is not among them: then its item is read.
  mutating func take(_ conflicts: [TodoConflict]) -> [Effect] {
    if case .merge(let id)? = editor.editing?.target, !conflicts.contains(where: { $0.id == id }) {
      return [.read(.item(id: id))]
    }
    panes.accept(conflicts, at: list.window.selectedItem?.id, isInList: mode == .list, &screen)
    return []
  }

  /// The conflict whose text is typed was decided elsewhere. The text goes on in the list as an edit of the item, or as
  /// a new item if that is gone. The conflicts that still wait come back when it is saved or given up.
  mutating func leaveConflict(of id: RecordID, _ item: TodoItem?) -> [Effect] {
    guard editor.editing?.target == .merge(id: id) else { return [] }
    panes.stepAside()
    editor.leaveConflict(seen: item?.text, at: screen.now)
    guard let item else { return screen.say(.editor(.itemGone)) }
    screen.say(.editor(.decided(text: item.text)))
    return list.go(to: item)
  }

  mutating func performInConflicts(_ command: Command) -> [Effect] {
    screen.clearNotice()
    switch command {
    case .move(let motion):
      guard case .by(let lines) = Step(motion, page: screen.listHeight) else { return [] }
      let last = panes.lastPage(screen)
      panes.browse { $0.scroll(by: lines, last: last) }
    case .conflict(let command): return perform(command)
    case .list(.editNote):
      guard let conflict = panes.conflicts?.current else { return [] }
      return [.screen(.edit(.merge(id: conflict.id), text: conflict.proposal))]
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
    case .keepMine: return decide(.mine, current.map { [$0] } ?? [])
    case .keepTheirs: return decide(.theirs, current.map { [$0] } ?? [])
    case .keepBoth: return decide(.both, current.map { [$0] } ?? [])
    case .keepAllMine: return decide(.mine, alike)
    case .keepAllTheirs: return decide(.theirs, alike)
    case .keepAllBoth: return decide(.both, alike)
    case .editMerge: if let current { return editMerge(of: current) }
    case .takeMerge: if let current { return takeMerge(of: current) }
    }
    return []
  }

  /// Where there is nothing to merge the text is typed.
  private mutating func takeMerge(of conflict: TodoConflict) -> [Effect] {
    guard let merged = conflict.merged, !editor.isOffered(mergeOf: conflict) else { return editMerge(of: conflict) }
    list.lastChange.request(.decided(.merged), [merged])
    return [.change(.resolve([conflict], .text(merged)))]
  }

  private mutating func editMerge(of conflict: TodoConflict) -> [Effect] {
    if editor.isOffered(mergeOf: conflict) { return [.change(.takeOverDraft)] }
    editor.open(.merge(id: conflict.id), conflict.proposal)
    return []
  }

  private mutating func decide(_ decision: TodoDecision, _ conflicts: [TodoConflict]) -> [Effect] {
    guard let decision = conflicts.first?.effect(of: decision) else { return [] }
    // A refusal is like refusals only.
    if decision == .both, conflicts.contains(where: \.isRefused) { return screen.say(.conflict(.bothRefused)) }
    let outcomes = conflicts.map { $0.outcome(of: decision) }
    list.lastChange.request(.decided(outcomes.first?.kind ?? .mine), outcomes.map(\.text))
    return [.change(.resolve(conflicts, decision))]
  }

  /// Runs the chosen command where the menu was opened; what means something elsewhere only says so.
  mutating func performInMenu(_ command: Command) -> [Effect] {
    if command == .pane(.run), readsHelp { return closeMenu() }
    guard let entry = panes.performInMenu(command, screen) else { return [] }
    if case .answer(let answer) = entry.command, answer.isSetting { return take(answer) }
    guard entry.place == mode.place else { return screen.say(.screen(.notHere(entry.command))) }
    return perform(entry.command)
  }

  /// Line by line the help is only read: Enter ends it, since many press it after every line.
  var readsHelp: Bool { screen.preferences.isPlain && panes.menu?.isPalette == false }

  mutating func closeMenu() -> [Effect] {
    _ = panes.performInMenu(.pane(.close), screen)
    return []
  }

  /// Scrolls the items that a question is about by a step, which is made for the number of those on the screen; links
  /// go by pages. Returns false if nothing is asked, or nothing about items.
  mutating func movePreview(_ step: (Int) -> Step) -> Bool {
    guard panes.asks, let (last, page) = ScreenView(self).previewPlaces else { return false }
    panes.movePreview(step(page), last: last)
    return true
  }

  /// Takes the answer to what was asked. Every answer but yes changes nothing.
  mutating func answer(_ command: Command, _ key: Key?) -> [Effect] {
    let (question, links) = (panes.question, ScreenView(self).links)
    panes.closeQuestion()
    switch command {
    case .answer(let answer): return take(answer)
    case .list(.savedFilter) where links != nil:
      return number(of: key).flatMap { links?.link($0) }.map { [.screen(.open(link: $0))] } ?? []
    case .list(.savedFilter): return number(of: key).map { saveFilter($0, after: question) } ?? []
    case .list, .item, .open, .move, .pane, .conflict, .typing, .edit, .common: return []
    }
  }

  /// Without a filter that is set, a number takes away the one it holds.
  mutating func askForSlot() -> [Effect] {
    guard !list.query.filter.isEmpty || !list.saved.byNumber.isEmpty else { return screen.say(.filter(.nothingToSave)) }
    panes.ask(.slot(replacing: nil))
    return []
  }

  /// Another filter under this number is gone for good: its number has to come a second time.
  private mutating func saveFilter(_ number: Int, after question: Question?) -> [Effect] {
    guard let kept = list.saved[number], kept != list.query.filter, question != .slot(replacing: number) else {
      return list.saveFilter(number, &screen)
    }
    panes.ask(.slot(replacing: number))
    return []
  }

  private mutating func take(_ answer: PromptAnswer) -> [Effect] {
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
    if screen.preferences.configuresTheme { return effects + screen.say(.screen(.theme(theme, isForNow: true))) }
    return effects + screen.say(.screen(.theme(theme, isForNow: false))) + [.note(.memory(.theme, theme.rawValue))]
  }
}

extension TodoConflict {
  /// The outcome of a decision, and the text that it is told by.
  fileprivate func outcome(of decision: TodoDecision) -> (kind: LocalChange.Decided, text: String) {
    let (mine, theirs) = (mine?.text, theirs?.text)
    switch decision {
    case .mine: return mine.map { (.mine, $0) } ?? (.deletion, theirs ?? "")
    case .theirs: return theirs.map { (.theirs, $0) } ?? (.deletion, mine ?? "")
    case .both: return (.both, mine ?? "")
    case .text(let text): return (.merged, text)
    }
  }
}
