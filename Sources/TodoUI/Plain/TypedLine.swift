import Terminal
import Words

/// The line that is typed, with what it is for before it, and the column of the cursor in it.
struct TypedLine: Equatable, Sendable {
  let text: String
  let cursorColumn: Int

  init(text: String, cursorColumn: Int) {
    self.text = text
    self.cursorColumn = cursorColumn
  }

  /// Nil where nothing is typed.
  init?(_ model: Model) {
    let context = ViewContext(telling: model)
    guard let (label, line) = context.typed else { return nil }
    self.init(
      text: label + line.text,
      cursorColumn: TextWidth.columns(of: label) + TextWidth.columns(of: Printable.text(line.before)))
  }
}

extension ViewContext {
  fileprivate var typed: (label: String, line: LineEditor)? {
    if case .editor(let editing) = model.mode {
      return (text.text(.label, ["name": text.hint(editing.command), "words": ""]), editing.line)
    }
    return bottomField.map { ($0.label, $0.line) }
  }
}

extension Editing {
  fileprivate var command: Command {
    switch target {
    case .new: .add
    case .item: .edit
    case .merge: .editMerge
    }
  }
}
