import TableProtocol
import TodoCore
import Words

extension Model {
  mutating func performInTyping(_ command: Command) -> [Effect] {
    if let rows = command.step(page: window.height) { return leaving { $0.move(by: rows) } + readMissing() }
    if command != .complete { completions = nil }
    switch command {
    case .accept: return accept()
    case .cancel: return cancel()
    case .complete: return complete()
    case .older: return recall(older: true)
    case .newer: return recall(older: false)
    default:
      guard let edit = command.edit else { return [] }
      return change { $0.apply(edit) }
    }
  }

  /// A key that is no command here: text where text is typed, nothing elsewhere.
  mutating func type(_ text: String) -> [Effect] {
    completions = nil
    return change { $0.insert(text) }
  }

  /// One line is text wherever it comes; of several the user says what they are to be, also while a new item is typed.
  mutating func paste(_ text: String) -> [Effect] {
    completions = nil
    switch mode {
    case .list, .pane:
      if let pasted = PastedText(text) { return show(pasted) }
      mode = .list
      _ = edit(.new, "")
    case .editor(let editing) where editing.target == .new:
      let whole = editing.line.before + text + editing.line.after
      if PastedText(text) != nil, var pasted = PastedText(whole) {
        pasted.editing = editing
        return show(pasted)
      }
    case .editor, .filter, .due, .menu, .conflicts, .paste, .prompt: break
    }
    return change { $0.insert(text) }
  }

  private mutating func show(_ pasted: PastedText) -> [Effect] {
    mode = .paste(pasted)
    return []
  }

  /// The lines stay on the screen until they are in the store.
  mutating func answer(_ pasted: PastedText, _ command: Command) -> [Effect] {
    switch command {
    case .pasteItems: return [.add(pasted.lines)]
    case .pasteOne:
      draftDue = now.uptime + 300
      return edit(.new, pasted.asOne)
    default:
      mode = pasted.editing.map(Mode.editor) ?? .list
      return []
    }
  }

  /// The text typed is in the store now. Until then the editor keeps it, whatever fails.
  mutating func finishTyping() -> [Effect] {
    notice = nil
    guard case .editor(let editing) = mode else {
      let wasTyped = mode.editing != nil
      if mode.isDoneWithChange { mode = .list }
      return wasTyped ? forgetDraft() : []
    }
    mode = home
    return noteHistory(editing.line.text) + forgetDraft()
  }

  /// Somebody else changed the text meanwhile: nothing is saved before that was seen. The text typed stays.
  mutating func showOvertaken(by text: String) -> [Effect] {
    notice = .overtaken(text: text)
    guard case .editor(var editing) = mode, case .item(let id, _) = editing.target else { return [] }
    editing.target = .item(id: id, seen: text)
    mode = .editor(editing)
    return []
  }

  /// Changes the line that is typed, and does what hangs on it.
  mutating func change(_ edit: (inout LineEditor) -> Void) -> [Effect] {
    switch mode {
    case .editor(var editing):
      edit(&editing.line)
      mode = .editor(editing)
      draftDue = draftDue ?? now.uptime + 300
    case .filter(var line):
      edit(&line)
      mode = .filter(line)
      if line.text != query.filter { return search(filter: line.text) }
    case .due(var line, let ids):
      edit(&line)
      mode = .due(line, of: ids)
    case .menu(var menu):
      guard menu.isTyping else { break }
      menu.type(edit)
      mode = .menu(menu)
    case .list, .conflicts, .pane, .paste, .prompt: break
    }
    return []
  }

  private mutating func accept() -> [Effect] {
    switch mode {
    case .editor(let editing): return save(editing)
    case .due(let line, let ids): return setDue(line.text, of: ids)
    default:
      mode = .list
      return settleSearch()
    }
  }

  /// A date as people say it; nothing takes the date away. What is no date stays in the field.
  private mutating func setDue(_ words: String, of ids: [RecordID]) -> [Effect] {
    if !marks.items.isEmpty { marks.act() }
    let word = words.split(separator: " ").joined(separator: "").lowercased()
    if word.isEmpty { return rewrite(ids, .due(nil)) }
    switch DueWords.meaning(of: word, today: CalendarDay(now.date)) {
    case .day(let day): return rewrite(ids, .due(day))
    case .never: return rewrite(ids, .due(nil))
    case nil: return say(.noDate(words))
    }
  }

  /// Text that is empty, or that is what it was, changes nothing.
  private mutating func save(_ editing: Editing) -> [Effect] {
    let text = editing.line.text
    if text.allSatisfy(\.isWhitespace) { return cancel() }
    lastChange.request(.edited, [text])
    switch editing.target {
    case .new: return [.add([text])]
    case .item(let id, let seen): return text == seen ? cancel() : [.edit(id: id, text: text, seen: seen)]
    case .merge(let id):
      guard let conflict = conflictBrowser?.conflicts.first(where: { $0.id == id }) else {
        lastChange.fail()
        return say(.conflictGone)
      }
      return [.resolve([conflict], .text(text))]
    }
  }

  private mutating func cancel() -> [Effect] {
    switch mode {
    case .filter:
      mode = .list
      guard !query.filter.isEmpty else { return settleSearch() }
      query.filter = ""
      matching = nil
      return reload()
    case .editor(let editing):
      mode = home
      notice = nil
      if editing.isMerge { mergeDraft = nil }
      return (editing.isChanged ? noteHistory(editing.line.text) : []) + forgetDraft()
    default:
      mode = home
      notice = nil
      return []
    }
  }
}
