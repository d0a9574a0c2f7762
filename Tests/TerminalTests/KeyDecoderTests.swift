import Testing

@testable import Terminal

@Suite("What the terminal sends becomes keys")
struct KeyDecoderTests {
  @Test("letters, control letters and the named keys of ASCII")
  func ascii() {
    #expect(
      Keyboard.keys("a \u{4}\r\t\u{7F}\u{8}") == [
        .character("a"), .character(" "), .control("d"), .enter, .tab, .backspace, .backspace,
      ])
  }

  @Test("any script comes scalar by scalar", arguments: ["é", "買", "👍", "я"])
  func scripts(text: String) {
    #expect(Keyboard.keys(text) == [.character(Character(text))])
  }

  @Test("a character that a slow line cuts in two is whole in the end")
  func cutCharacter() {
    var keyboard = Keyboard()
    let bytes = Array("買".utf8)
    #expect(keyboard.send([bytes[0]]) == [])
    #expect(keyboard.pause(.seconds(10)) == [])
    #expect(keyboard.send([bytes[1], bytes[2]]).keys == [.character("買")])
  }

  @Test("bytes that are no UTF-8 are dropped, and what follows is read")
  func badBytes() {
    var keyboard = Keyboard()
    let bytes: [UInt8] = [0xFF, 0xC0, 0x80, 0xE8, 0xED, 0xA0, 0x80, UInt8(ascii: "x")]
    #expect(keyboard.send(bytes).keys == [.character("x")])
  }

  @Test("Escape alone is the Escape key, and with any other key right behind it that key with Alt, never both")
  func escape() {
    #expect(Keyboard.keys("\u{1B}") == [.escape])
    #expect(Keyboard.keys("\u{1B}b") == [.alt("b")])
    #expect(Keyboard.keys("\u{1B}q") == [.alt("q")])
    #expect(Keyboard.keys("\u{1B}U\u{1B}.") == [.alt("u"), .alt(".")])
    #expect(Keyboard.keys("\u{1B}\u{1B}") == [.escape, .escape])
    #expect(Keyboard.keys("\u{1B}/x") == [.alt("/"), .character("x")])
    #expect(Keyboard.keys("\u{1B}é買") == [.alt("é"), .character("買")])
    #expect(Keyboard.keys("\u{1B}\u{7F}") == [.altBackspace])
    #expect(Keyboard.keys("\u{1B}\r\u{1B} \u{1B}\u{4}") == [.unknown, .unknown, .unknown])
  }

  @Test("a character with Alt that a slow line cuts in two is no text, and neither is half of one")
  func cutAltCharacter() {
    var keyboard = Keyboard()
    let bytes = Array("買".utf8)
    #expect(keyboard.send([0x1B, bytes[0]]) == [])
    #expect(keyboard.send([bytes[1], bytes[2]]).keys == [.alt("買")])
    #expect(keyboard.send([0x1B, bytes[0]]) == [])
    #expect(keyboard.send("x").keys == [.character("x")])
  }

  @Test("Escape waits 25 ms for a sequence to follow")
  func escapeDelay() {
    var keyboard = Keyboard()
    #expect(keyboard.send("\u{1B}") == [])
    #expect(keyboard.pause(.milliseconds(24)) == [])
    #expect(keyboard.pause(.milliseconds(1)).keys == [.escape])
  }

  @Test(
    "the keys that terminals send differently",
    arguments: [
      (Key.up, ["[A", "OA", "[1;2A"]), (.down, ["[B", "OB"]), (.right, ["[C", "OC"]), (.left, ["[D", "OD"]),
      (.home, ["[H", "OH", "[1~", "[7~"]), (.end, ["[F", "OF", "[4~", "[8~"]), (.pageUp, ["[5~"]),
      (.pageDown, ["[6~"]), (.insert, ["[2~"]), (.delete, ["[3~"]), (.backTab, ["[Z"]), (.enter, ["OM"]),
      (.controlLeft, ["[1;5D", "[1;3D", "[5D", "Od"]), (.controlRight, ["[1;5C", "[1;3C", "[5C", "Oc"]),
      (.function(1), ["OP", "[11~", "[[A", "[P"]), (.function(5), ["[15~", "[[E"]), (.function(12), ["[24~"]),
    ])
  func named(key: Key, sequences: [String]) {
    for sequence in sequences { #expect(Keyboard.keys("\u{1B}" + sequence) == [key], "\(sequence)") }
  }

  @Test("the terminal's own description comes first")
  func described() {
    let sequences = KeySequences(described: [
      DescribedKey(sequence: Array("\u{1B}[M".utf8), key: .function(1)),
      DescribedKey(sequence: Array("\u{1B}A".utf8), key: .up), DescribedKey(sequence: [0x0B], key: .down),
    ])
    #expect(Keyboard.keys("\u{1B}[Mj", sequences) == [.function(1), .character("j")])
    #expect(Keyboard.keys("\u{1B}A", sequences) == [.up])
    #expect(Keyboard.keys("\u{B}", sequences) == [.control("k")])
  }

  @Test("a paste is one key, whatever is in it, also when it comes in pieces")
  func paste() {
    var keyboard = Keyboard()
    #expect(keyboard.send("\u{1B}[200~q\u{1B}d\n") == [])
    #expect(keyboard.pause(.seconds(4)) == [])
    #expect(keyboard.send("\u{1B}[A買\u{1B}[20") == [])
    #expect(keyboard.send("1~q").keys == [.paste("q\u{1B}d\n\u{1B}[A買"), .character("q")])
  }

  @Test("a paste whose end never comes does not lock the keyboard")
  func endlessPaste() {
    var keyboard = Keyboard()
    _ = keyboard.send("\u{1B}[200~milk")
    #expect(keyboard.pause(.seconds(6)).keys == [.paste("milk")])
    #expect(keyboard.send("q").keys == [.character("q")])
  }
}
