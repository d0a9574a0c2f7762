import TableProtocol
import Terminal
import TodoCore

extension String {
  /// The text without the spaces and line breaks at its ends.
  fileprivate var trimmingLines: String {
    var text = Substring(self)
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// Where text is typed: an item, the filter, a date.
extension Model {
  /// Changes the line that is typed, and does what hangs on it.
  mutating func type(_ edit: (inout LineEditor) -> Void) -> [Effect] {
    if panes.menu != nil {
      panes.typeInMenu(edit)
      return []
    }
    guard !panes.asks else { return [] }
    if case .editor(.typedNoDate) = screen.notice { screen.clearNotice() }
    editor.change(at: screen.now, edit)
    return searchTypedFilter()
  }

  /// A filter that is not understood leaves the rows as they are.
  mutating func searchTypedFilter() -> [Effect] {
    guard case .filter(let line) = editor.field else { return [] }
    if case .filter(.problem) = screen.notice { screen.clearNotice() }
    return problem(inFilter: line.text) == nil ? list.search(filter: line.text) : []
  }

  private func problem(inFilter filter: String) -> FilterProblem? {
    TodoFilter.problem(in: filter, today: CalendarDay(screen.now.date))
  }

  mutating func performInTyping(_ command: Command) -> [Effect] {
    switch command {
    case .typing(let command): return perform(command)
    case .edit(let edit): return type { $0.apply(edit) }
    case .move(let motion):
      guard case .by(let rows) = Step(motion, page: screen.listHeight) else { return [] }
      return list.move(by: rows, at: screen.now)
    case .list, .item, .open, .pane, .conflict, .answer, .common: return []
    }
  }

  private mutating func perform(_ command: TypingCommand) -> [Effect] {
    switch command {
    case .accept: return accept()
    case .cancel: return cancel()
    case .complete: return editor.complete(at: screen.now) + searchTypedFilter()
    case .older, .olderFilter: editor.browseHistory(older: true, at: screen.now)
    case .newer, .newerFilter: editor.browseHistory(older: false, at: screen.now)
    case .lastWord: editor.insertLastWord(at: screen.now)
    }
    return searchTypedFilter()
  }

  private mutating func accept() -> [Effect] {
    switch editor.field {
    case .item(let editing):
      if editing.origin != nil, editing.line.isBlank { return editor.drop() + panes.comeBack() }
      guard !editing.saysNothingNew else {
        let isEmptied = if case .item = editing.target { editing.line.isBlank } else { false }
        return cancel() + (isEmptied ? screen.say(.editor(.emptyText)) : [])
      }
      let today = screen.typedOn
      if let word = editor.withEditing({ $0.doubtDate(today: today) }) {
        return screen.say(.editor(.typedNoDate(word)))
      }
      return save(editing)
    case .due(let line, let ids): return setDue(line.text, of: ids)
    case .filter(let line):
      if let problem = problem(inFilter: line.text) { return screen.say(.filter(.problem(problem))) }
      return editor.finishFilter() + list.settleSearch()
    case nil: return []
    }
  }

  /// Saves a new item whose date was refused, if the text typed after that belongs to the next one: who types without
  /// looking up must not find two items in one line. Returns nil if the text goes into the line.
  mutating func beginNextItem(with text: String) -> [Effect]? {
    guard case .editor = mode, let editing = editor.withEditing({ $0.follow(with: text) }) else { return nil }
    return save(editing)
  }

  /// If the conflict that the text was to decide is gone, its item is read, which the text is for then.
  private mutating func save(_ editing: Editing) -> [Effect] {
    let text = editing.text
    let change: Change
    switch editing.target {
    case .new: change = .add([text])
    case .item(let id, let seen): change = .edit(id: id, text: text, seen: seen)
    case .merge(let id):
      guard let conflict = panes.conflicts?.conflicts.first(where: { $0.id == id }) else {
        return [.read(.item(id: id))]
      }
      change = .resolve([conflict], .text(text))
    }
    list.lastChange.request(editing.isMerge ? .decided(.merged) : .edited, [text], obstacle: .nothingChanged)
    return [.change(change)]
  }

  /// A date as people say it; nothing takes away the date of one item, whose date stood in the field. Of several nothing
  /// stood there. Words that are no date stay in the field.
  private mutating func setDue(_ words: String, of ids: [RecordID]) -> [Effect] {
    let word = words.split(separator: " ").joined(separator: " ")
    if word.isEmpty { return ids.count == 1 ? removeDue(of: ids) : screen.say(.editor(.noDateOfSeveral)) }
    switch DueWords.meaning(of: word, today: screen.typedOn) {
    case .day(let day): return list.setDue(day, of: ids)
    case .never: return removeDue(of: ids)
    case nil: return screen.say(.editor(.noDate(words)))
    }
  }

  /// An item that is only a date would be left without a text.
  private mutating func removeDue(of ids: [RecordID]) -> [Effect] {
    if ids.count == 1, list.isOnlyDate(ids[0]) { return cancel() + screen.say(.editor(.emptyText)) }
    return list.setDue(nil, of: ids)
  }

  /// Saves the text from the user's own editor as if it had been typed here: whatever stands in the way of that, the
  /// text stays.
  mutating func takeEdited(_ edited: EditedText, for target: TodoDraft.Target, _ seen: String) -> [Effect] {
    switch edited {
    case .missing(let name): return screen.say(.externalEditor(.missing(name)))
    case .failed(let name, let path): return screen.say(.externalEditor(.failed(name, keptAt: path)))
    case .notUTF8(let name, let path): return screen.say(.externalEditor(.notUTF8(name, keptAt: path)))
    case .noFile(let folder): return screen.say(.externalEditor(.noFile(folder: folder)))
    case .text(let text):
      let trimmed = text.trimmingLines
      if trimmed.isEmpty { return screen.say(.externalEditor(.noteEmpty)) }
      if trimmed == seen.trimmingLines { return screen.say(.externalEditor(.noteUnchanged)) }
      editor.openEdited(Editing.Target(target), trimmed, at: screen.now)
      return accept()
    }
  }

  private mutating func cancel() -> [Effect] {
    if case .filter = editor.field {
      if case .filter(.problem) = screen.notice { screen.clearNotice() }
      editor.close()
      return list.restore(filter: editor.filterBefore)
    }
    // Someone who types fast has not read it.
    if screen.notice?.isOfAddedItem != true { screen.clearNotice() }
    var given = editor.cancel()
    // The text that was proposed is proposed again.
    if given.remembered == panes.conflicts?.current.map({ ItemText($0.proposal).line }) { given.remembered = nil }
    return take(given) + panes.comeBack() + list.endAdding()
  }

  mutating func take(_ given: Editor.GivenUp) -> [Effect] {
    if let line = given.kept { screen.say(.editor(.draftKept(line))) }
    if let line = given.remembered { screen.say(.editor(.mergeDropped(line))) }
    return given.effects
  }

  /// The keys that stand for a line of words which came at once. Where keys are commands it counts as pasted, unless
  /// the first key opens a line in which the others are text.
  func keys(ofLine text: String) -> [Key] {
    let first = text.first.flatMap { screen.keymap.command(for: .character($0), in: mode.place) }
    let isTyped = mode.place.isText || first?.opensLine == true
    return isTyped ? text.unicodeScalars.map(Key.init(writing:)) : [.paste(text)]
  }

  /// Takes in pasted text. One line is text in every mode; of several lines the user says what they become, also while
  /// a new item is typed.
  mutating func paste(_ text: String) -> [Effect] {
    switch mode {
    case .list, .panel, .pane:
      panes.leave()
      if let pasted = PastedText(text) {
        panes.ask(about: pasted)
        return []
      }
      edit(.new, "")
    case .editor(let editing) where editing.target == .new:
      let isNext = editing.isFollowedByNext
      let before = isNext ? editing.line.text + "\n" : editing.line.before
      let pasted = PastedText(before + text, after: editing.line.after, isInFirst: isNext)
      if PastedText(text) != nil, let pasted {
        panes.ask(about: pasted)
        return []
      }
      if let effects = beginNextItem(with: text) { return effects }
    case .editor, .filter, .due, .menu, .conflicts, .paste, .prompt: break
    }
    return type { $0.insert(text) }
  }

  /// The lines stay on the screen until they are in the store.
  mutating func answer(_ pasted: PastedText, _ command: Command) -> [Effect] {
    switch command {
    case .answer(.pasteItems): return [.change(.add(pasted.items))]
    case .answer(.pasteOne):
      panes.closePasted()
      edit(.new, pasted.asOne)
      editor.noteTyping(at: screen.now)
      if pasted.ticksLeftOut > 0 { return screen.say(.editor(.ticksLeftOut(pasted.ticksLeftOut))) }
    case .list, .item, .open, .move, .pane, .conflict, .answer, .typing, .edit, .common: panes.closePasted()
    }
    return []
  }
}

extension Command {
  /// The keys after it are text.
  fileprivate var opensLine: Bool {
    switch self {
    case .list(let command): command == .add || command == .addInGroup || command == .filter
    case .common(let command): command == .palette
    case .item, .open, .move, .pane, .conflict, .answer, .typing, .edit: false
    }
  }
}
