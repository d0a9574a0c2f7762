import Testing

@testable import Terminal

@Suite("What the terminal sends becomes keys")
struct KeyDecoderTests {
  private func keys(_ text: String, _ decoder: inout KeyDecoder) -> [Key] {
    Array(text.utf8).flatMap { decoder.decode(.byte($0)) }
  }

  private func keys(_ text: String) -> [Key] {
    var decoder = KeyDecoder()
    return keys(text, &decoder) + decoder.flush()
  }

  @Test("letters, control letters and the named keys of ASCII")
  func ascii() {
    #expect(
      keys("a \u{4}\r\t\u{7F}\u{8}") == [
        .character("a"), .character(" "), .control("d"), .enter, .tab, .backspace, .backspace,
      ])
  }

  @Test("any script comes scalar by scalar", arguments: ["é", "買", "👍", "я"])
  func scripts(text: String) {
    #expect(keys(text) == [.character(Character(text))])
  }

  @Test("a character that a slow line cuts in two is whole in the end")
  func cutCharacter() {
    var decoder = KeyDecoder()
    let bytes = Array("買".utf8)
    #expect(decoder.decode(.byte(bytes[0])) == [])
    #expect(decoder.flush() == [])
    #expect(decoder.decode(.byte(bytes[1])) == [])
    #expect(decoder.decode(.byte(bytes[2])) == [.character("買")])
  }

  @Test("bytes that are no UTF-8 are dropped, and what follows is read")
  func badBytes() {
    var decoder = KeyDecoder()
    let bytes: [UInt8] = [0xFF, 0xC0, 0x80, 0xE8, 0xED, 0xA0, 0x80, UInt8(ascii: "x")]
    #expect(bytes.flatMap { decoder.decode(.byte($0)) } == [.character("x")])
  }

  @Test("Escape alone is the Escape key, with b, f or d it is Alt, and before others both keys count")
  func escape() {
    #expect(keys("\u{1B}") == [.escape])
    #expect(keys("\u{1B}b") == [.alt("b")])
    #expect(keys("\u{1B}q") == [.escape, .character("q")])
    #expect(keys("\u{1B}\u{1B}") == [.escape, .escape])
  }

  @Test("the letters of a sequence nobody knows are no commands")
  func unknownSequence() {
    #expect(keys("\u{1B}[1;9dj") == [.unknown, .character("j")])
    #expect(keys("\u{1B}Oq") == [.unknown])
  }

  @Test("a paste is one key, whatever is in it, also when it comes in pieces")
  func paste() {
    var decoder = KeyDecoder()
    #expect(decoder.decode(.pasteBegins) == [])
    #expect(keys("q\u{1B}d\n", &decoder) == [])
    #expect(decoder.flush() == [])
    #expect(decoder.decode(.key(.up)) == [])
    #expect(keys("買", &decoder) == [])
    #expect(decoder.decode(.pasteEnds) == [.paste("q\u{1B}d\n買")])
    #expect(keys("q", &decoder) == [.character("q")])
  }
}
