import Testing

@testable import Terminal

@Suite("Pastes that the terminal does not mark")
struct BurstTests {
  @Test(
    "text of several lines in one read is a paste",
    arguments: ["eggs\rmilk\r", "Call\tAnna\rBuy 買牛奶", "a\r\rbcdef"])
  func paste(text: String) {
    #expect(Keyboard.keys(text) == [.paste(String(text.map { $0 == "\r" ? "\n" : $0 }))])
  }

  @Test(
    "keys stay keys: held down, arrows, and what scripts send",
    arguments: [
      String(repeating: "j", count: 300), String(repeating: "\u{1B}[B", count: 50), "abuy\r", "jjx", "gjjx\r",
      "jj\rkk\rq", "\r\r\r\r\r\r\r\r", "/milk\r\u{1B}jjjx\r", "jkjkjkjk\rjkjkjkjk\r", "e\u{15}Buy x\r", "買買買買",
      "gjjx jjd ud", "jj xx kk dd mm", "x x x x x x d",
    ])
  func keys(text: String) {
    #expect(Self.events(text).allSatisfy { if case .key(let key) = $0 { !key.isPaste } else { false } })
  }

  @Test(
    "a line of words in one read may be pasted or typed: it is told as one, with its Enters",
    arguments: [
      "Buy milk", "pay rent due:fri +home\r", "abuy milk\r", "call Bob\r\r", "comprar pan", "買 牛奶", "去 買 牛奶\r",
      "a買牛奶\r", "买药\r", "ir a Málaga",
    ])
  func line(text: String) {
    #expect(Self.events(text) == [.line(String(text.map { $0 == "\r" ? "\n" : $0 }))])
    #expect(Self.events(text, marksPastes: true).count == text.count)
  }

  @Test("the keys of a line write it")
  func keysOfLine() {
    #expect("a\té\n".unicodeScalars.map(Key.init(writing:)) == [.character("a"), .tab, .character("é"), .enter])
  }

  private static func events(_ text: String, marksPastes: Bool = false) -> [TerminalEvent] {
    var keyboard = Keyboard(marksPastes: marksPastes)
    return keyboard.send(text) + keyboard.pause(.seconds(10))
  }

  @Test("keys are handed on in order, each once, and at once when they were few")
  func order() {
    var keyboard = Keyboard()
    #expect(keyboard.send("j").keys == [.character("j")])
    #expect(keyboard.pause(.milliseconds(50)) == [])
    #expect(keyboard.send("abuy\r") == [])
    #expect(keyboard.pause(.milliseconds(10)).keys == "abuy".map(Key.character) + [.enter])
  }

  @Test("a paste in pieces is one, though its beginning was ahead of it")
  func pieces() {
    var keyboard = Keyboard()
    var events: [TerminalEvent] = []
    for character in "eggs\rmilk\rtea\r" {
      events += keyboard.send(String(character)) + keyboard.pause(.milliseconds(2))
    }
    events += keyboard.pause(.seconds(1))
    #expect(events.keys == [.character("e"), .character("g"), .paste("gs\nmilk\ntea\n")])
  }

  @Test("the next piece of a paste may be late")
  func latePiece() {
    var keyboard = Keyboard()
    #expect(keyboard.send("eggs\rmilk\r") == [])
    #expect(keyboard.pause(.milliseconds(90)) == [])
    #expect(keyboard.send("dd\r") == [])
    #expect(keyboard.pause(.milliseconds(100)).keys == [.paste("eggs\nmilk\ndd\n")])
  }

  @Test("letters typed one by one are keys, however many lines they make")
  func typing() {
    var keyboard = Keyboard()
    var events: [TerminalEvent] = []
    for character in "abuy milk\rabuy tea\r" {
      events += keyboard.send(String(character)) + keyboard.pause(.milliseconds(15))
    }
    #expect(events.count == 19)
  }

  @Test("on a terminal that marks pastes, lines that were typed ahead are keys, and each comes at once")
  func typedAhead() {
    var keyboard = Keyboard(marksPastes: true)
    #expect(keyboard.send("abuy milk\rbuy tea\r").count == 18)
    #expect(keyboard.pause(.seconds(1)) == [])
    #expect(keyboard.send("\u{1B}[200~dd\rq\u{1B}[201~").keys == [.paste("dd\rq")])
  }

  @Test("a terminal that has marked one paste marks all of them")
  func marked() {
    var keyboard = Keyboard()
    #expect(keyboard.send("eggs\rmilk\r") == [])
    #expect(keyboard.pause(.seconds(1)).keys == [.paste("eggs\nmilk\n")])
    _ = keyboard.send("\u{1B}[200~dd\u{1B}[201~")
    #expect(keyboard.send("eggs\rmilk\r").count == 10)
  }

  @Test(
    "keys that no text has end a paste and stay keys, though they came in the same read",
    arguments: [
      ("\u{1B}[A", [Key.up]), ("\u{15}", [.control("u")]), ("\u{1B}x", [.alt("x")]),
    ])
  func besideKeys(bytes: String, keys: [Key]) {
    let paste = Key.paste("eggs dd\nquit\n")
    #expect(Keyboard.keys(bytes + "eggs dd\rquit\r") == keys + [paste])
    #expect(Keyboard.keys("eggs dd\rquit\r" + bytes) == [paste] + keys)
  }

  @Test(
    "the mouse, and bytes that are no key, do not end a paste, before it, in it and after it",
    arguments: [
      ("\u{1B}[<0;9;9M", TerminalEvent.mouse(MouseEvent(.press, column: 8, row: 8))),
      ("\u{1B}[12;40R", .key(.unknown)), ("\u{92}", .key(.unknown)), ("\u{1B}[1;9d", .key(.unknown)),
    ])
  func besideOthers(bytes: String, event: TerminalEvent) {
    for text in [bytes + "eggs dd\rquit\r", "eggs d" + bytes + "d\rquit\r", "eggs dd\rquit\r" + bytes] {
      var keyboard = Keyboard()
      let events = keyboard.send(text) + keyboard.pause(.seconds(1))
      #expect(events == [event, .key(.paste("eggs dd\nquit\n"))], "\(text.debugDescription)")
    }
  }

  @Test("the rest of a paste that was recognised is none of the list's commands, though the wheel turned before it")
  func wheelBetweenPieces() {
    var keyboard = Keyboard()
    #expect(keyboard.send("eggs\rmilk\r") == [])
    #expect(keyboard.send("\u{1B}[<65;9;9M").count == 1)
    #expect(keyboard.send("dd\rq") == [])
    #expect(keyboard.pause(.seconds(1)).keys == [.paste("eggs\nmilk\ndd\nq")])
  }

  @Test("what the terminal says in the middle of a paste does not end it")
  func answerBetween() {
    var keyboard = Keyboard()
    let events = keyboard.send("eggs\u{1B}[I dd\rquit\r") + keyboard.pause(.seconds(1))
    #expect(events == [.focused, .key(.paste("eggs dd\nquit\n"))])
  }
}

extension Key {
  fileprivate var isPaste: Bool { if case .paste = self { true } else { false } }
}
