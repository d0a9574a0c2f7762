import Foundation
import Testing

@testable import Terminal

@Suite("What the terminal is told in strings")
struct TerminalStringTests {
  @Test("base 64 is that of everybody else")
  func base64() {
    for count in 0..<40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ count) }
      #expect(TerminalString.base64(bytes) == Data(bytes).base64EncodedString())
    }
  }

  @Test("no control character of a text gets through, in a title or on the clipboard")
  func harmless() {
    let evil = "a\u{1B}]2;b\u{7}\u{9C}\u{1B}\\c\r\nd"
    for sent in [TerminalString.title(evil, .utf8), TerminalString.title(evil, .ascii), TerminalString.clipboard(evil)]
    {
      #expect(sent.hasPrefix("\u{1B}]") && sent.hasSuffix("\u{1B}\\"))
      let inside = sent.dropFirst(2).dropLast(2)
      #expect(inside.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }, "\(sent)")
    }
  }

  @Test("what is pasted from the clipboard has no controls but tabs and the ends of lines")
  func pasted() throws {
    let sent = TerminalString.clipboard("a\u{1B}]0;b\u{7}\u{9C}\tc\nd\u{7F}é")
    let coded = try #require(Data(base64Encoded: String(sent.dropFirst(7).dropLast(2))))
    #expect(String(decoding: coded, as: UTF8.self) == "a]0;b\tc\ndé")
  }

  @Test("a title has at most 200 characters")
  func long() {
    #expect(TerminalString.title(String(repeating: "x", count: 500), .utf8).count == 200 + 6)
  }
}
