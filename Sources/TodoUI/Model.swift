import OfflineSync
import TableProtocol
import Terminal
import TodoCore
import Words

/// Everything on the screen, and nothing else: seven values that each know how to change, and how they go together.
struct Model: Equatable, Sendable {
  var screen: Screen
  var list: ItemList
  var editor = Editor()
  var sync = Syncing()
  var panes = Panes()
  var panel = Panel()
  var side = SideDetails()

  init(size: Size, charset: Charset, preferences: Preferences = Preferences(), now: Now = Now()) {
    screen = Screen(size: size, charset: charset, preferences: preferences, now: now)
    list = ItemList(height: screen.listHeight, savedFilters: preferences.savedFilters)
  }

  /// Without a server nothing waits for one, and nothing is said of it.
  var hasServer: Bool { sync.status.map { $0.sync.server != nil } ?? screen.preferences.hasServer }

  /// The words for an outbox without a change: only after a sync does the server have all of it.
  var emptyOutbox: NoticeKey {
    hasServer && sync.status?.sync.lastSync != nil ? .noticeOutboxEmpty : .noticeOutboxEmptyAlone
  }

  var signs: SyncSigns { SyncSigns(isRefreshing: sync.refresh.isRunning, hasServer: hasServer) }

  /// The meaning of the keys now.
  var mode: Mode {
    if let menu = panes.menu { return .menu(menu) }
    if let question = panes.question { return .prompt(question) }
    if let pasted = panes.pasted { return .paste(pasted) }
    switch (editor.field, panes.open) {
    case (.item(let editing), _): return .editor(editing)
    case (.filter(let line), _): return .filter(line)
    case (.due(let line, let ids), _): return .due(line, of: ids)
    case (nil, .pane(let pane)): return .pane(pane)
    case (nil, .conflicts): return .conflicts
    case (nil, nil): return panel.isEntered && panel.isShown(on: screen) ? .panel : .list
    }
  }
}

/// The meaning of the keys: the topmost of what lies over the list.
enum Mode: Equatable, Sendable {
  case list
  case panel
  case editor(Editing)
  case filter(LineEditor)
  case due(LineEditor, of: [RecordID])
  case conflicts
  case pane(Pane)
  case menu(CommandMenu)
  case paste(PastedText)
  case prompt(Question)

  var place: Place {
    switch self {
    case .list: .list
    case .panel: .panel
    case .editor: .editor
    case .filter: .filter
    case .due: .due
    case .conflicts: .conflicts
    case .pane(let pane): pane.place
    case .menu(let menu): menu.isTyping ? .palette : .help
    case .paste: .pastePrompt
    case .prompt(let question): question.place
    }
  }
}

/// Takes in what happened, and when, and returns the effects that must follow. Pure: the same model and message give
/// the same answer.
func update(_ model: inout Model, _ message: Message, at now: Now) -> [Effect] {
  let (yesterday, field) = (model.screen.today, model.editor.field)
  model.screen.now = now
  defer { model.list.lostRow.follow(isCovered: model.mode != .list, at: now) }
  let effects = model.take(message) + model.side.follow(model.list.window.selectedItem, on: model.screen)
  if model.editor.field == nil || model.editor.field != field { model.screen.noteTyping() }
  return model.screen.today == yesterday ? effects : effects + model.list.beginDay(model.screen.today)
}

/// The reads before the first paint. All else comes after it.
func firstEffects(_ model: Model) -> [Effect] {
  model.list.readFirst()
}

extension Model {
  fileprivate mutating func take(_ message: Message) -> [Effect] {
    switch message {
    case .key(let key): return sync.receive(.focused(true), screen) + press(key)
    case .mouse(let event): return sync.receive(.focused(true), screen) + point(event)
    case .resized(let size): return resize(size)
    // Beside that, what time it is now has been noted.
    case .focused: return sync.receive(.focused(true), screen)
    case .unfocused: return sync.receive(.focused(false), screen)
    case .suspended: return sync.suspend(screen)
    case .resumed: return sync.receive(.resumed, screen)
    case .background(let color):
      screen.fit(to: color)
      return []
    case .fewColors:
      screen.keepTerminalColors()
      return []
    case .painted: return begin()
    case .tick: return tick()
    case .storeChanged(let changes): return receive(changes)
    case .read(let result): return take(result)
    case .signInMissing(let reason):
      screen.signInProblem = reason
      return []
    case .refresh(let event): return receive(event)
    case .noticed(let event, let connection): return sync.receive(.heard(event, connection: connection), screen)
    case .verified(let event): return sync.receive(event, &screen)
    case .done(let outcome): return take(outcome)
    case .edited(let target, let seen, let edited): return takeEdited(edited, for: target, seen)
    case .linkDone(let link, let isOpened): return screen.say(.rows(isOpened ? .opened(link) : .copied(link)))
    case .failed(let reason):
      list.lastChange.fail()
      if editor.withEditing({ $0.takeBackNext() }) != nil { editor.noteTyping(at: screen.now) }
      return screen.say(.trouble(reason))
    }
  }

  /// Something was read from the store: it goes to the part of the model that asked for it.
  private mutating func take(_ result: ReadResult) -> [Effect] {
    switch result {
    case .opening(let view, let page): return list.open(view, page, &screen)
    case .rows(let request, let page): return list.accept(page, for: request, &screen)
    case .search(let search, let page): return list.accept(page, for: search, &screen)
    case .counts(let counts):
      sync.accept(counts.status, screen)
      list.accept(counts)
      return readPanel()
    case .marks(let marked, let command): return take(list.accept(marked, then: command, &screen))
    case .marked(let left, let asked):
      list.marks.keep(left, of: asked)
      return []
    case .arrival(let item): return list.go(toArrival: item, &screen)
    case .conflicts(let conflicts): return take(conflicts)
    case .item(let id, let item): return leaveConflict(of: id, item)
    case .pane(let content): return panes.accept(content, isInList: mode == .list, &screen)
    case .memory(let memory): return recall(memory)
    case .draft(let draft):
      offer(draft)
      return []
    case .position(let position, let level): return sync.receive(.compared(position, with: level), screen)
    case .panel(let contents):
      panel.accept(contents, savedFilters: list.saved.byNumber)
      return []
    case .side(let contents):
      side.accept(contents)
      return []
    case .completions(let prefix, let words): return complete(words, prefix)
    case .items(let items, let command): return take(items, for: command)
    }
  }

  /// Only what is shown is read again. While a refresh runs that waits for the next turn of the spinner.
  private mutating func receive(_ changes: StoreChanges) -> [Effect] {
    // The last change may be that of the other program now, and undo would take back that.
    if changes.contains(.otherProgram), screen.notice?.isUndoable == true { screen.clearNotice() }
    if !changes.isDisjoint(with: [.rows, .journal]) { return sync.noteNews() ? [] : reloadAll(atOnce: false) }
    guard changes.contains(.requests), case .log = panes.pane else { return [] }
    return sync.noteNews() ? [] : panes.reload
  }

  /// The rows, and what is read for whatever stands in their place. At once after a change that was made here.
  mutating func reloadAll(atOnce: Bool = true) -> [Effect] {
    list.reload(atOnce: atOnce) + panes.reload + editor.reload
  }

  private mutating func resize(_ size: Size) -> [Effect] {
    screen.resize(size)
    if !panel.isShown(on: screen) { panel.leave() }
    return list.resize(height: screen.listHeight) + (sync.status == nil ? [] : readPanel())
  }

  /// Reads the panel again, since a change that made the list count again may have changed its counts.
  func readPanel() -> [Effect] {
    guard panel.isShown(on: screen) else { return [] }
    return [.read(.panel(filters: list.saved.byNumber.values.sorted()))]
  }

  /// The first frame is on the screen.
  private mutating func begin() -> [Effect] {
    list.begin() + [.read(.memory)] + sync.launch(screen)
  }

  /// Applies the memory of the list; what was asked for meanwhile stays. Text being typed when another run of the
  /// program ended is offered; a decision when its conflict is opened.
  private mutating func recall(_ memory: Memory) -> [Effect] {
    editor.recall(memory)
    panel.recall(memory)
    var effects = list.recall(memory)
    if !screen.preferences.configuresTheme, let theme = memory.values[.theme].flatMap(ThemeChoice.init(rawValue:)),
      theme != screen.preferences.themeChoice
    {
      effects += screen.choose(theme)
    }
    offer(memory.draft)
    return effects
  }

  private mutating func offer(_ draft: TodoDraft?) {
    editor.offer(draft)
    if editor.offersFirst, let line = editor.offeredLine, screen.notice == nil {
      screen.say(.editor(.draftOffered(line)))
    }
  }

  /// The draft is in the editor; its item is looked for.
  mutating func show(_ draft: TodoDraft) -> [Effect] {
    screen.clearNotice()
    switch draft.target {
    case .merge: return screen.say(.editor(.draftRestored))
    case .new:
      panes.stepAside()
      return draft.isDecided ? screen.say(.editor(.itemGone)) : []
    case .item(let id, let seen):
      panes.stepAside()
      if draft.isDecided { screen.say(.editor(.decided(text: seen))) }
      return list.go(to: TodoItem(id: id, text: seen))
    }
  }

  private mutating func complete(_ words: [String], _ prefix: String) -> [Effect] {
    editor.accept(words, completing: prefix, at: screen.now)
    return searchTypedFilter()
  }

  private mutating func receive(_ event: RefreshEvent) -> [Effect] {
    switch event {
    case .waitingForOtherProgram: sync.receive(.waitingForOtherProgram)
    case .progress(let progress): sync.receive(.moving(progress))
    case .compared(let comparison): sync.receive(comparison, &screen)
    case .finished(let result): return sync.noteEnd(result, screen) + end(result)
    }
    return []
  }

  private mutating func end(_ result: RefreshResult) -> [Effect] {
    switch sync.finish(result, canAsk: mode == .list, &screen) {
    case .reading: return reloadAll(atOnce: false)
    case .readingAfter(let effects): return effects + reloadAll(atOnce: false)
    case .asking(let question):
      panes.ask(question)
      return reloadAll(atOnce: false)
    case .leaving: return [.screen(.quit)]
    }
  }
}

// MARK: Time

extension Model {
  /// The uptime at which something has to happen although nothing came; nil when nothing has. While the list is idle
  /// and synced only another day is worth it, and that only where dates are shown.
  var nextWake: Int? {
    let midnight = list.window.showsDates ? screen.midnight : nil
    return [sync.nextWake(at: screen.now), editor.draftDue, list.seenDue, midnight, answerDue].compactMap(\.self).min()
  }

  /// The uptime at which what was answered makes room for what has come and was not looked at; nil when neither is
  /// there.
  private var answerDue: Int? {
    guard sync.arrived > 0, screen.notice?.isAnswer == true, screen.size.rows >= NoticeView.rowsForArrivals else {
      return nil
    }
    return screen.noticeSince + Refresh.receiptTime
  }

  /// Effects that must run before the program ends, whatever ends it, without waiting for the next pause.
  func lastEffects() -> [Effect] { list.lastEffects + editor.lastEffects }

  /// Does what has become due.
  private mutating func tick() -> [Effect] {
    if let answerDue, answerDue <= screen.now.uptime { screen.clearAnswer() }
    let rows = sync.turnSpinner(at: screen.now) ? reloadAll(atOnce: false) : []
    let kept = editor.keepDraft(at: screen.now) + list.flushSeen(at: screen.now)
    return rows + kept + sync.tick(isAsking: panes.question != nil, &screen)
  }
}
