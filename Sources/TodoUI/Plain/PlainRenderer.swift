import Terminal

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
    let news = told.map { announcements(from: $0, to: model) } ?? [ViewContext(telling: model).urgentWords ?? ""]
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
