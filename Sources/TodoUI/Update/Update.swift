import Terminal
import TodoCore

/// Takes in what happened and says what is to be done about it. Pure: the same model and message give the same answer.
func update(_ model: inout Model, _ message: Message) -> [Effect] {
  switch message {
  case .key(let key): return model.press(key)
  case .resized(let size): return model.resize(size)
  case .painted:
    model.isPainted = true
    return model.survey()
  case .tick:
    model.refresh.step += 1
    return []
  case .storeChanged: return model.reloadAll()
  case .rowsRead(let request, let page): return model.accept(page, for: request)
  case .added(let item): return model.follow(added: item)
  case .changed:
    model.finishTyping()
    return model.reload()
  case .reversed(let direction, let reversal, let item): return model.hear(direction, reversal, item)
  case .conflictsRead(let conflicts): return model.accept(conflicts)
  case .resolved: return model.settle()
  case .overtaken(let text):
    model.showOvertaken(by: text)
    return []
  case .failed(let reason):
    model.notice = .trouble(reason)
    return []
  case .refresh(let event): return model.hear(event)
  case .surveyed(let survey):
    model.take(survey)
    return []
  }
}

/// What is read before the first paint. All else comes after it.
func firstEffects(_ model: Model) -> [Effect] {
  [.read(model.query, .first(count: model.window.page))]
}

extension Model {
  /// What a key does here. Pasted text is text everywhere: in the list it begins a new item.
  fileprivate mutating func press(_ key: Key) -> [Effect] {
    if case .paste(let text) = key { return paste(text) }
    if let command = Keymap.standard.command(for: key, in: mode.place) { return perform(command) }
    if case .character(let character) = key { return type(String(character)) }
    return []
  }

  private mutating func perform(_ command: Command) -> [Effect] {
    switch (command, mode.place) {
    case (.redraw, _): return [.redraw]
    case (.suspend, _): return [.suspend]
    case (_, .list): return performInList(command)
    case (_, .typing): return performInTyping(command)
    case (_, .conflicts): return performInConflicts(command)
    case (_, .help): return performInHelp(command)
    case (_, .quitPrompt), (_, .accountPrompt), (_, .removalPrompt): return answer(command)
    }
  }

  private mutating func performInHelp(_ command: Command) -> [Effect] {
    guard case .help(let line) = mode else { return [] }
    let last = max(0, HelpView.lineCount - window.height)
    switch command {
    case .closeHelp: mode = home
    case .first: mode = .help(from: 0)
    case .last: mode = .help(from: last)
    default: mode = .help(from: max(0, min(last, line + (command.step(page: window.height) ?? 0))))
    }
    return []
  }

  fileprivate mutating func resize(_ size: Size) -> [Effect] {
    self.size = size
    window.resize(height: Model.listHeight(size))
    return readMissing()
  }

  fileprivate mutating func hear(_ event: RefreshEvent) -> [Effect] {
    switch event {
    case .waitingForOtherProgram: if refresh.progress != .stopping { refresh.progress = .waitingForOtherProgram }
    case .progress(let progress): if refresh.progress != .stopping { refresh.progress = .moving(progress) }
    case .finished(let result): return finish(result)
    case .compared: break
    }
    return []
  }

  fileprivate mutating func take(_ survey: Survey) {
    status = survey.status
    guard survey.query == query else { return }
    matching = survey.matching
    overall = survey.overall
    if let item = survey.located, let position = survey.position { window.locate(item.id, at: position) }
  }
}

extension Command {
  /// Rows down (up when negative); nil when it does not move by rows.
  func step(page: Int) -> Int? {
    switch self {
    case .down: 1
    case .up: -1
    case .pageDown: page
    case .pageUp: -page
    case .halfPageDown: max(1, page / 2)
    case .halfPageUp: -max(1, page / 2)
    default: nil
    }
  }
}
