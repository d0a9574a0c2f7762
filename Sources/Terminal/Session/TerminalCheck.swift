import Glibc

/// Why no list can be shown here.
package enum TerminalProblem: Error, Sendable, Hashable {
  /// Keys cannot be read: standard input is a file, a pipe, or closed.
  case inputIsNoTerminal
  case outputIsNoTerminal
  /// `TERM` is unset or empty.
  case termUnset
  /// `TERM=dumb`: the terminal cannot move its cursor.
  case termDumb
  /// There is no description of a terminal of this name, or none that ncurses can use.
  case termUnknown(name: String)
}

/// Finds out, before anything is drawn, whether a list can be shown.
package enum TerminalCheck {
  /// Looks at standard input, standard output and `TERM`. Nil when all is well. Changes nothing.
  package static func problem() -> TerminalProblem? {
    problem(
      inputIsTerminal: isatty(STDIN_FILENO) == 1, outputIsTerminal: isatty(STDOUT_FILENO) == 1,
      term: environment("TERM"), isKnown: Curses.knowsTerminal)
  }

  /// Why not even a list line by line can be shown: it needs a terminal, but of no particular kind.
  package static func plainProblem() -> TerminalProblem? {
    plainProblem(inputIsTerminal: isatty(STDIN_FILENO) == 1, outputIsTerminal: isatty(STDOUT_FILENO) == 1)
  }

  static func plainProblem(inputIsTerminal: Bool, outputIsTerminal: Bool) -> TerminalProblem? {
    inputIsTerminal ? outputIsTerminal ? nil : .outputIsNoTerminal : .inputIsNoTerminal
  }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  static func problem(
    inputIsTerminal: Bool, outputIsTerminal: Bool, term: String?, isKnown: (String) -> Bool
  ) -> TerminalProblem? {
    if let problem = plainProblem(inputIsTerminal: inputIsTerminal, outputIsTerminal: outputIsTerminal) {
      return problem
    }
    return termProblem(term, isKnown: isKnown)
  }

  static func termProblem(_ term: String?, isKnown: (String) -> Bool) -> TerminalProblem? {
    guard let term, !term.isEmpty else { return .termUnset }
    if term == "dumb" { return .termDumb }
    return isKnown(term) ? nil : .termUnknown(name: term)
  }
}
