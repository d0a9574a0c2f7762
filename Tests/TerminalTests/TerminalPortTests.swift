import Glibc
import Testing

@testable import Terminal

@Suite("The two ends of the terminal")
struct TerminalPortTests {
  /// Waits until as many events have come.
  private func events(_ port: TerminalPort, _ count: Int) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    for _ in 0..<1000 where events.count < count { events += port.wait(milliseconds: 1000).events }
    return events
  }

  @Test("keys come raw, and the line is as it was afterwards")
  func modes() throws {
    let pty = try Pty()
    let before = pty.modes
    let port = try pty.port(Wake())
    #expect(pty.modes != before)
    pty.type("\u{3}\u{1A}\r\u{1B}")
    #expect(events(port, 4).keys == [.control("c"), .control("z"), .enter, .escape])
    port.close()
    #expect(pty.modes == before)
  }

  @Test("a ring comes through, and signals once each")
  func wake() throws {
    let wake = try Wake()
    let port = try Pty().port(wake)
    wake.ring()
    #expect(port.wait(milliseconds: nil).signals == [])
    for signal in [SIGWINCH, SIGWINCH, SIGTERM, SIGWINCH] { Wake.send(UInt8(signal), to: wake.writeEnd) }
    #expect(port.wait(milliseconds: nil).signals == [SIGWINCH, SIGTERM])
  }

  @Test("a terminal that takes nothing stops nobody, and gets all of it in the end")
  func blocked() throws {
    let wake = try Wake()
    let pty = try Pty()
    let port = try pty.port(wake)
    let text = String(repeating: "0123456789", count: 100_000)
    port.output.send(text)
    #expect(!port.output.isIdle)
    wake.ring()
    pty.type("j")
    #expect(events(port, 1).keys == [.character("j")])
    var seen = ""
    while seen.count < text.count {
      seen += pty.written()
      _ = port.wait(milliseconds: 1000)
    }
    #expect(seen == text && port.output.isIdle)
  }

  @Test("one that never takes anything again is given up when the terminal is given back")
  func blockedForEver() throws {
    let pty = try Pty()
    let output = TerminalOutput(pty.slave)
    output.send(String(repeating: "x", count: 1_000_000))
    output.finish(milliseconds: 1)
    #expect(output.isIdle)
  }

  @Test("a terminal that hangs up is gone, also while it takes nothing")
  func hungUp() throws {
    let pty = try Pty()
    let port = try pty.port(Wake())
    port.output.send(String(repeating: "x", count: 1_000_000))
    let master = dup(pty.master)
    close(master)
    let other = try Pty()
    _ = dup2(other.slave, pty.master)
    #expect(events(port, 1) == [.gone])
    port.close()
    #expect(port.output.isIdle)
  }

  @Test("absurd sizes are taken within reason")
  func sizes() throws {
    let pty = try Pty()
    let port = try pty.port(Wake())
    for (columns, rows, size) in [
      (1, 1, Size(columns: 1, rows: 1)), (0, 0, Size(columns: 80, rows: 24)), (0, 9, Size(columns: 80, rows: 24)),
      (1000, 500, Size(columns: 1000, rows: 500)), (65_535, 65_535, Size(columns: 1024, rows: 512)),
    ] as [(UInt16, UInt16, Size)] {
      pty.resize(columns: columns, rows: rows)
      #expect(port.size == size)
    }
  }
}
