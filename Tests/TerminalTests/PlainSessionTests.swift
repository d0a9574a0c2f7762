import Testing

@testable import Terminal

@Suite("A list line by line")
struct PlainSessionTests {
  private func session(_ pty: Pty, charset: Charset = .utf8) throws -> PlainSession {
    PlainSession(try pty.port(Wake()), charset, knowsPrivateModes: false)
  }

  @Test("lines are whole, and the prompt stays below them")
  func lines() throws {
    let pty = try Pty()
    let session = try session(pty)
    session.say("1 [ ] Buy milk")
    session.prompt("Add: te", cursorColumn: 7)
    session.say("Sent.\u{1B}[2J")
    #expect(pty.written() == "1 [ ] Buy milk\r\nAdd: te\r       \rSent.␛[2J\r\nAdd: te")
    session.prompt("", cursorColumn: 0)
    #expect(pty.written() == "\r       \r")
  }

  @Test("escape sequences are decoded as keys")
  func keys() throws {
    let pty = try Pty()
    let session = try session(pty)
    pty.type("\u{1B}[Aj")
    #expect(session.wait(milliseconds: 5000).keys == [.up, .character("j")])
  }

  @Test("nothing but text, carriage returns and line feeds is ever sent, in ASCII where it is asked for")
  func nothingElse() throws {
    let pty = try Pty()
    let session = try session(pty, charset: .ascii)
    session.say("買 milk")
    session.prompt("› x", cursorColumn: 1)
    session.redraw()
    session.prompt("", cursorColumn: 0)
    #expect(pty.written().utf8.allSatisfy { $0 == 13 || $0 == 10 || (32..<127).contains($0) })
  }
}
