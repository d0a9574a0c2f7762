package import Terminal
package import Words

extension Catalogue {
  /// Why no list can be shown, and what works instead.
  package func sentence(for problem: TerminalProblem) -> String {
    switch problem {
    case .inputIsNoTerminal: text(.problemInputIsNoTerminal)
    case .outputIsNoTerminal: text(.problemOutputIsNoTerminal)
    case .termUnset: text(.problemTermUnset)
    case .termDumb: text(.problemTermDumb)
    case .termUnknown(let name): text(.problemTermUnknown, ["name": Printable.text(name)])
    }
  }
}
