import Chance
import Glibc

/// Ways to stop, end and kill the list, and what then holds.
extension RoughStory {
  mutating func signalSomehow() async throws {
    switch chance.number(1...9) {
    case 1:
      for _ in 1...10 { terminal.signal(SIGWINCH) }
      note("SIGWINCH, ten times")
      try await look()
    case 2:
      note("SIGCONT")
      terminal.signal(SIGCONT)
      try await look()
    case 3, 4: try await stop()
    case 5:
      note("Ctrl-C")
      try await acting { story in
        try await story.terminal.session.send([3])
        try await story.look()
      }
    default: try await end(by: chance.pick([SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGKILL]))
    }
  }

  private mutating func stop() async throws {
    let isKey = chance.once(in: 2)
    note(isKey ? "Ctrl-Z" : "SIGTSTP")
    if isKey { try await terminal.session.send([26]) } else { terminal.signal(SIGTSTP) }
    try await terminal.waitUntilStopped()
    try await takeUpAgain()
  }

  /// While it is stopped the terminal is the shell's.
  mutating func takeUpAgain() async throws {
    let before = try await terminal.session.settingsBefore()
    let left = try await terminal.session.leftOn()
    guard left == Self.nothingLeftOn, try terminal.settingsWhileStopped() == before else {
      throw Failure("stopped, the list leaves the terminal with \(left)")
    }
    try terminal.goOn()
    note("  taken up again by the shell")
    _ = try await waitFor {
      try await terminal.session.told("#{alternate_on}") == "1" || terminal.hasEnded ? true : nil
    } otherwise: {
      "the list did not come back"
    }
    try await look()
  }

  mutating func end(by signal: Int32) async throws {
    note("signal \(signal)")
    terminal.signal(signal)
    try await expectEnd(status: 128 + signal)
  }

  /// It ended as expected, and gave the terminal back unless it was killed. Then it is started again.
  mutating func expectEnd(status expected: Int32) async throws {
    let status = try await terminal.session.exitStatus()
    guard status == expected else { throw Failure("the list ended with \(status) instead of \(expected)") }
    if expected != 128 + SIGKILL {
      let settings = try await terminal.session.settings()
      let left = try await terminal.session.leftOn()
      guard left == Self.nothingLeftOn, settings.before == settings.after else {
        throw Failure("the list left the terminal with \(left), \(settings)")
      }
    }
    let damage = try laptop.file.damage()
    guard damage.isEmpty else { throw Failure(damage.joined(separator: "\n")) }
    try await restart()
    saw(try await terminal.settle(size))
  }

  private static let nothingLeftOn = "alternate 0, cursor 1, mouse 0, keypad 0"
}
