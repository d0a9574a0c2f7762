import Terminal

/// Shows the list to its user: drawn on the whole screen, or said line by line. Main thread only.
protocol Renderer: AnyObject {
  var session: any Session { get }

  /// Shows the list as it is now. Call it whenever something may have changed.
  func draw(_ model: Model)
  /// Shows everything once more, whatever the terminal shows now.
  func redraw()
  func setMouse(_ isOn: Bool)
  /// Gives the terminal back. Call it once, as the last thing.
  func close()
}

/// The list on the whole screen.
final class ScreenRenderer: Renderer {
  var session: any Session { screen }
  private let screen: TerminalSession

  init(wake: Wake, options: TerminalOptions) throws(TerminalProblem) {
    screen = try TerminalSession(wake: wake, options: options)
  }

  func draw(_ model: Model) { screen.draw(view(model)) }
  func redraw() { screen.redraw() }
  func setMouse(_ isOn: Bool) { screen.setMouse(isOn) }
  func close() { screen.close() }
}
