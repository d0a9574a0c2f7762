import Testing

@testable import Terminal

@Suite("Text from elsewhere is safe to draw")
struct PrintableTests {
  @Test("no control character is left in any text")
  func noControls() {
    let all = String(String.UnicodeScalarView((0..<0x3000).compactMap(Unicode.Scalar.init)))
    let left = Printable.text(all).unicodeScalars.filter { $0.properties.generalCategory == .control }
    #expect(left.isEmpty)
  }

  @Test("an escape sequence becomes something to read")
  func escape() {
    #expect(Printable.text("a\u{1B}[31mb\u{7}\n\u{9B}c\u{7F}") == "a␛[31mb␇␊\u{FFFD}c␡")
  }

  @Test("text cannot turn the direction of the row round")
  func direction() {
    #expect(Printable.text("a\u{202E}b\u{2066}") == "a\u{FFFD}b\u{FFFD}")
  }

  @Test("letters, marks and joined emoji stay as they are")
  func unchanged() {
    let text = "café नमस्ते 👨‍👩‍👧 ❤️ שלום"
    #expect(Printable.text(text) == text)
  }

  @Test("a chain of joined emoji ends after thirty; a family, and the next chain, are whole")
  func chains() {
    let family = "👨‍👩‍👧‍👦"
    let chain = Array(repeating: "👩", count: 1_000).joined(separator: "\u{200D}")
    let text = Printable.text(family + chain + " " + family)
    #expect(text.hasPrefix(family) && text.hasSuffix(" " + family))
    #expect(text.count > 900)
    #expect(text.map(\.unicodeScalars.count).max() == 61)
  }

  @Test("a letter keeps as many marks as any writing needs, and no more")
  func marks() {
    let flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}"
    #expect(Printable.text(flag) == flag)
    let text = "a" + String(repeating: "\u{301}", count: 100_000) + "b\u{301}"
    let kept = Printable.text(text).unicodeScalars
    #expect(kept.count == 33)
    #expect(String(kept.suffix(2)) == "b\u{301}")
  }

  @Test("a span is printable whatever it is made of")
  func span() {
    #expect(Span("\u{1B}[2J").text == "␛[2J")
  }

  @Test("what ASCII cannot show keeps its columns")
  func ascii() {
    #expect(Charset.ascii.encode("a買é👍🏽") == "a??" + "?" + "??")
    #expect(Charset.utf8.encode("買") == "買")
  }
}
