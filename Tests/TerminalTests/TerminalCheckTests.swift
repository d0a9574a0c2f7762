import Testing

@testable import Terminal

@Suite("Why no list can be shown")
struct TerminalCheckTests {
  @Test("a terminal without a description counts as one of its family that does no more")
  func families() {
    #expect(Curses.likeNames("xterm-16color") == ["xterm-16color", "xterm"])
    #expect(Curses.likeNames("xterm-kitty") == ["xterm-kitty", "xterm-256color", "xterm"])
    #expect(Curses.likeNames("tmux-direct") == ["tmux-direct", "tmux-256color", "tmux"])
    #expect(Curses.likeNames("xterminator") == ["xterminator"])
    #expect(Curses.likeNames("vt100") == ["vt100"])
  }

  private func problem(input: Bool = true, output: Bool = true, term: String? = "xterm") -> TerminalProblem? {
    TerminalCheck.problem(inputIsTerminal: input, outputIsTerminal: output, term: term) { $0 == "xterm" }
  }

  @Test("a terminal of a known name will do")
  func fine() {
    #expect(problem() == nil)
  }

  @Test("each obstacle has its name")
  func obstacles() {
    #expect(problem(input: false) == .inputIsNoTerminal)
    #expect(problem(output: false) == .outputIsNoTerminal)
    #expect(problem(term: nil) == .termUnset)
    #expect(problem(term: "") == .termUnset)
    #expect(problem(term: "dumb") == .termDumb)
    #expect(problem(term: "vt9000") == .termUnknown(name: "vt9000"))
  }

  @Test("line by line any terminal will do, as long as it is one")
  func plain() {
    #expect(TerminalCheck.plainProblem(inputIsTerminal: true, outputIsTerminal: true) == nil)
    #expect(TerminalCheck.plainProblem(inputIsTerminal: false, outputIsTerminal: true) == .inputIsNoTerminal)
    #expect(TerminalCheck.plainProblem(inputIsTerminal: true, outputIsTerminal: false) == .outputIsNoTerminal)
  }

  @Test("a name that no description has does not end the program")
  @MainActor func unknownName() {
    #expect(!Curses.knowsTerminal("no-such-terminal"))
  }
}
