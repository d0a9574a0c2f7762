import TodoCore

extension Model {
  mutating func performInTyping(_ command: Command) -> [Effect] {
    switch command {
    case .accept: return accept()
    case .cancel: return cancel()
    default:
      guard let edit = command.edit else { return [] }
      return change { $0.apply(edit) }
    }
  }

  /// A key that is no command here: text where text is typed, nothing elsewhere.
  mutating func type(_ text: String) -> [Effect] {
    change { $0.insert(text) }
  }

  mutating func paste(_ text: String) -> [Effect] {
    if mode == .list { mode = .editor(Editing(target: .new, line: LineEditor())) }
    return change { $0.insert(text) }
  }

  /// The text typed is in the store now. Until then the editor keeps it, whatever fails.
  mutating func finishTyping() {
    notice = nil
    if case .editor = mode { mode = home }
  }

  /// Somebody else changed the text meanwhile: nothing is saved before that was seen. The text typed stays.
  mutating func showOvertaken(by text: String) {
    notice = .overtaken(text: text)
    guard case .editor(var editing) = mode, case .item(let id, _) = editing.target else { return }
    editing.target = .item(id: id, seen: text)
    mode = .editor(editing)
  }

  private mutating func change(_ edit: (inout LineEditor) -> Void) -> [Effect] {
    switch mode {
    case .editor(var editing):
      edit(&editing.line)
      mode = .editor(editing)
    case .filter(var line, let before):
      edit(&line)
      mode = .filter(line, before: before)
      if line.text != query.filter { return show(filter: line.text) }
    case .list, .conflicts, .help, .prompt: break
    }
    return []
  }

  private mutating func accept() -> [Effect] {
    switch mode {
    case .editor(let editing): return save(editing)
    default:
      mode = .list
      return []
    }
  }

  /// Text that is empty, or that is what it was, changes nothing.
  private mutating func save(_ editing: Editing) -> [Effect] {
    let text = editing.line.text
    if text.allSatisfy(\.isWhitespace) { return cancel() }
    switch editing.target {
    case .new: return [.add(text)]
    case .item(let id, let seen): return text == seen ? cancel() : [.edit(id: id, text: text, seen: seen)]
    case .merge(let id): return [.resolve(id: id, .text(text))]
    }
  }

  private mutating func cancel() -> [Effect] {
    guard case .filter = mode else {
      mode = home
      notice = nil
      return []
    }
    mode = .list
    guard !query.filter.isEmpty else { return [] }
    query.filter = ""
    matching = nil
    return reload()
  }
}
