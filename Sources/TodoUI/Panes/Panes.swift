import TableProtocol
import TodoCore

/// Places that stand instead of the list, questions asked over it, and the choices made there.
struct Panes: Equatable, Sendable {
  /// The place opened instead of the list. It stays open below all else.
  private(set) var open: Open?
  private(set) var question: Question?
  /// Several lines were pasted at once: what are they to be?
  private(set) var pasted: PastedText?
  /// Which of the items that a question is about is the first on the screen; of links, which page is.
  private(set) var previewTop = 0
  /// The help or the palette, over whatever is there.
  private(set) var menu: CommandMenu?
  /// The words by which commands were run from the palette.
  private var commands = LineHistory()
  /// The item that an undo brought back: it is chosen where the next reading has it.
  private var restored: RecordID?
  /// The place that the editor was opened from, or left; it opens again when the text is saved or given up.
  private var aside: Open?

  enum Open: Equatable, Sendable {
    case pane(Pane)
    /// Conflicts and refusals that wait for a decision.
    case conflicts(ConflictBrowser)
  }

  var pane: Pane? {
    if case .pane(let pane) = open { pane } else { nil }
  }

  var conflicts: ConflictBrowser? {
    if case .conflicts(let browser) = open { browser } else { nil }
  }

  mutating func ask(_ question: Question) { (self.question, previewTop) = (question, 0) }
  mutating func ask(about pasted: PastedText) { (self.pasted, previewTop) = (pasted, 0) }

  var asks: Bool { question != nil || pasted != nil }

  mutating func movePreview(_ step: Step, last: Int) {
    previewTop = step.applied(to: min(previewTop, last), last: last)
  }

  /// A pane that is opened later begins where it always does.
  mutating func choose(restored id: RecordID) { restored = open == nil ? nil : id }

  mutating func closeQuestion() { question = nil }
  mutating func closePasted() { pasted = nil }

  /// Effects that read again what may have changed.
  var reload: [Effect] {
    switch open {
    case .conflicts: [.read(.conflicts)]
    case .pane(let pane): menu == nil ? pane.request.map { [.read(.pane($0))] } ?? [] : []
    case nil: []
    }
  }

  mutating func scroll(by notches: Int, _ screen: Screen) {
    if menu != nil { return moveMenu(.by(notches), screen) }
    switch open {
    case .pane: movePane(.by(notches), screen)
    case .conflicts(var browser):
      browser.scroll(by: notches, last: lastPage(screen))
      open = .conflicts(browser)
    case nil: break
    }
  }
}

// MARK: Answers of the store

extension Panes {
  /// Asked for in the list, what was read opens; later it takes the place of what is looked at.
  mutating func accept(_ content: PaneContent, isInList: Bool, _ screen: inout Screen) -> [Effect] {
    if let pane {
      if menu == nil { replace(pane, with: content, &screen) }
      return []
    }
    guard isInList else { return [] }
    if let nothing = content.nothing { return screen.say(nothing) }
    guard let pane = Pane(content) else { return [] }
    screen.clearNotice()
    open = .pane(pane)
    return []
  }

  private mutating func replace(_ pane: Pane, with content: PaneContent, _ screen: inout Screen) {
    if content == .gone {
      open = nil
      // Else it was undone here, and that has just been said.
      if case .change(.reversed) = screen.notice {} else { screen.say(.pane(.itemGone)) }
      return
    }
    var pane = pane.replaced(with: content, height: screen.paneHeight) ?? Pane(content) ?? pane
    if let restored { pane.choose(restored, height: screen.paneHeight) }
    restored = nil
    open = .pane(pane)
  }

  mutating func movePane(_ step: Step, _ screen: Screen) {
    guard case .pane(var pane) = open else { return }
    pane.move(step, height: screen.paneHeight, last: lastLine(of: pane, screen))
    open = .pane(pane)
  }

  private func lastLine(of pane: Pane, _ screen: Screen) -> Int {
    guard case .detail(let detail, _) = pane else { return 0 }
    return DetailView(detail: detail, hasServer: true, brush: Brush(screen)).lastPage(height: screen.listHeight)
  }

  /// Something else begins in the list.
  mutating func leave() { open = nil }

  /// The text is typed in the list.
  mutating func stepAside() {
    guard let open else { return }
    aside = open
    self.open = nil
  }

  /// Opens again the place that stepped aside, if there is one. Returns the effects that read it again.
  mutating func comeBack() -> [Effect] {
    guard let aside else { return [] }
    self.aside = nil
    open = aside
    return reload
  }

  /// Having read what changed is having seen it.
  mutating func close() -> [Effect] {
    defer { open = nil }
    if case .digest(let choice) = pane { return [.note(.seen(choice.elements.map(\.id)))] }
    return []
  }
}

// MARK: Conflicts

extension Panes {
  /// Asked for in the list, what was read opens at this item; later it takes the place of what is looked at.
  mutating func accept(_ conflicts: [TodoConflict], at id: RecordID?, isInList: Bool, _ screen: inout Screen) {
    if case .conflicts(var browser) = open {
      browser.replace(with: conflicts, at: restored)
      restored = nil
      open = .conflicts(browser)
      guard conflicts.isEmpty else { return }
      open = nil
      sayAllDecided(&screen)
    } else if conflicts.isEmpty {
      screen.say(.conflict(.nothingToDecide))
    } else if isInList {
      screen.clearNotice()
      open = .conflicts(ConflictBrowser(conflicts, at: id))
    }
  }

  /// Leaves standing where the text is that was typed for one of them, and how a change is undone.
  private func sayAllDecided(_ screen: inout Screen) {
    if case .conflict(.decided(let outcome, let text, _)) = screen.notice {
      screen.say(.conflict(.decided(outcome, text, isLast: true)))
      return
    }
    if case .editor(.draftKept) = screen.notice { return }
    if screen.notice?.isUndoable != true { screen.say(.conflict(.allDecided)) }
  }

  func lastPage(_ screen: Screen) -> Int {
    ConflictView(browser: conflicts, brush: Brush(screen)).lastPage(height: screen.listHeight)
  }

  mutating func browse(_ change: (inout ConflictBrowser) -> Void) {
    guard case .conflicts(var browser) = open else { return }
    change(&browser)
    open = .conflicts(browser)
  }
}

// MARK: The help and the palette

extension Panes {
  mutating func openMenu(from place: Place, isPalette: Bool) {
    menu = CommandMenu(from: place, isPalette: isPalette)
  }

  mutating func moveMenu(_ step: Step, _ screen: Screen) {
    menu?.move(step, screen)
  }

  private mutating func moveMenu(_ motion: Motion, _ screen: Screen) {
    let isStep = motion == .up || motion == .down
    if isStep, menu?.browse(older: motion == .up, in: commands) == true { return }
    moveMenu(Step(motion, page: screen.listHeight), screen)
  }

  mutating func typeInMenu(_ edit: (inout LineEditor) -> Void) {
    menu?.type(edit)
  }

  /// Returns the command that was chosen to be run. The menu is closed then.
  mutating func performInMenu(_ command: Command, _ screen: Screen) -> CommandMenu.Entry? {
    switch command {
    case .move(let motion): moveMenu(motion, screen)
    case .edit(let edit): typeInMenu { $0.apply(edit) }
    case .list(.filter): menu?.beginTyping()
    case .typing(.cancel):
      if menu?.isPalette == false { menu?.endTyping() } else { menu = nil }
    case .pane(.run):
      guard let menu, let entry = menu.chosen(screen) else { return nil }
      if menu.isPalette { _ = commands.note(menu.wordsToRepeat(entry, screen)) }
      self.menu = nil
      return entry
    case .pane(.close), .common(.help): menu = nil
    case .list, .item, .open, .pane, .conflict, .answer, .typing, .common: break
    }
    return nil
  }
}
