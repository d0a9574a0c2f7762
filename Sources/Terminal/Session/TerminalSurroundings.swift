/// What the surroundings say of the terminal, whether or not one is there.
package struct TerminalSurroundings: Sendable, Hashable {
  /// What `TERM` says; nil when it says nothing.
  package let term: String?
  /// Why no list can be drawn on a terminal of that kind; nil when one can.
  package let problem: TerminalProblem?
  package let charset: Charset
  package let colors: ColorDepth

  /// Reads the environment and the description of the terminal, and draws nothing. Main thread only.
  package static func found() -> TerminalSurroundings {
    let term = TerminalCheck.environment("TERM")
    let problem = TerminalCheck.termProblem(term, isKnown: Curses.knowsTerminal)
    return TerminalSurroundings(
      term: term?.isEmpty == false ? term : nil, problem: problem, charset: Curses.charset(),
      colors: problem == nil
        ? ColorDepth.found(described: Curses.describedColors, environment: TerminalCheck.environment) : .none)
  }
}
