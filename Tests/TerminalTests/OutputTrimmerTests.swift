import Testing

@testable import Terminal

@Suite("The same drawing in fewer bytes")
struct OutputTrimmerTests {
  private func trimmed(_ text: String) -> String {
    String(decoding: OutputTrimmer.trimmed(Array(text.utf8)), as: UTF8.self)
  }

  @Test("a colour is not set back right before everything is, and ASCII is not chosen again")
  func waste() {
    #expect(trimmed("a\u{1B}[39m\u{1B}(B\u{1B}[mb") == "a\u{1B}[mb")
    #expect(trimmed("\u{1B}[39;49m\u{1B}[0;1mb\u{1B}(B\u{F}") == "\u{1B}[0;1mb")
  }

  @Test("what has an effect stays")
  func effect() {
    for text in ["\u{1B}[39m\u{1B}[1m", "\u{1B}[39m買\u{1B}[m", "\u{1B}[31m\u{1B}[m", "(B\u{1B}[2;1H", ""] {
      #expect(trimmed(text) == text)
    }
  }
}
