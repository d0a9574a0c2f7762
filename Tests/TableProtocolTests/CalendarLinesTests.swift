import TableProtocol
import Testing

@Suite("Lines of a calendar")
struct CalendarLinesTests {
  private func line(_ text: String) -> String {
    var lines = CalendarLines()
    lines.add("SUMMARY", text: text)
    return String(decoding: lines.bytes, as: UTF8.self)
  }

  @Test(
    "are folded after 75 octets, and no character is cut",
    arguments: [
      String(repeating: "買", count: 200), String(repeating: "🌱x", count: 100), String(repeating: "a,", count: 100),
      "BEGIN:VEVENT\r\nEND:VCALENDAR\u{0}\u{7}\u{7F}\tb",
    ])
  func folding(text: String) {
    let written = line(text)
    let lines = written.unicodeScalars.split(separator: "\r\n".unicodeScalars).map { String($0) }
    #expect(lines.allSatisfy { $0.utf8.count <= 75 && !$0.contains("\u{FFFD}") })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" ") }, "no line begins anything of its own")
    let whole = written.replacing("\r\n ", with: "").replacing("\\,", with: ",").replacing("\\n", with: "\n")
    #expect(whole.hasPrefix("SUMMARY:\(text.prefix(12))"))
  }

  @Test(
    "have one sign for a line break of any kind, and a space for any other control",
    arguments: [
      ("a\r\nb\nc\rd", "a\\nb\\nc\\nd"), ("a\n\rb", "a\\n\\nb"), ("a\u{0}b\u{7}c\u{7F}d\u{85}e\tf", "a b c d e\tf"),
      ("a\\b;c,d:e", "a\\\\b\\;c\\,d:e"),
    ])
  func escaping(text: String, written: String) {
    #expect(line(text) == "SUMMARY:\(written)\r\n")
  }
}
