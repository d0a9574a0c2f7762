import Terminal
import Words

/// Prints the list as lines: what changed since the last call.
final class PlainRenderer: Renderer {
  var session: any Session { lines }
  private let lines: PlainSession
  private var told: Model?

  init(wake: Wake, options: TerminalOptions) throws(TerminalProblem) {
    lines = try PlainSession(wake: wake, options: options)
  }

  func draw(_ model: Model) {
    let typed = TypedLine(model)
    if typed == nil { lines.prompt("", cursorColumn: 0) }
    let news = told.map { announcements(from: $0, to: model) } ?? [Announcer(model, model).urgentWords ?? ""]
    for line in news where !line.isEmpty { lines.say(line) }
    told = model
    if let typed { lines.prompt(typed.text, cursorColumn: typed.cursorColumn) }
  }

  /// Says again where the user is.
  func redraw() {
    lines.redraw()
    for line in told.map(recapitulation) ?? [] { lines.say(line) }
  }

  /// There is nothing on the screen to point at.
  func setMouse(_ isOn: Bool) {}

  func close() {
    lines.prompt("", cursorColumn: 0)
    lines.close()
  }
}

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
    let brush = Brush(telling: model.screen)
    let label: String
    let line: LineEditor
    if case .editor(let editing) = model.mode {
      label = brush.text.text(.label, ["name": brush.text.hint(editing.command), "words": ""])
      line = editing.line
    } else if let field = BottomView(model: model, brush: brush).field {
      label = field.label
      line = field.line
    } else {
      return nil
    }
    self.init(
      text: label + line.text,
      cursorColumn: TextWidth.columns(of: label) + TextWidth.columns(of: Printable.text(line.before)))
  }
}

extension Editing {
  fileprivate var command: Command {
    switch target {
    case .new: .list(.add)
    case .item: .list(.edit)
    case .merge: .conflict(.editMerge)
    }
  }
}
