import Chance
import TableProtocol
import Testing
import TodoCore

@testable import Exchange

@Suite("Random lists that go out and come back")
struct RoundTripTests {
  private static let pieces = [
    " ", "  ", "milk", "x", "x ", "(A) ", "(B)", "(J) ", "+shop", "@home", "due:2026-12-24", "due:soon", "2026-11-01",
    "2026-11-01 ", "pri:A", "pri:B ", "uid:1a2b", "uid:1", "\n", "\n\n", "- [ ] ", "* [x] ", "\\", "\"", ",", ";", "'",
    "=",
    "'=", "+", "-", "@", "買茶", "🍵", "é", "e\u{301}", "\u{301}", "{", "[", "BEGIN:VTODO", "```", "1. [ ] a", ":",
    "\u{A0}", "%0A", "\n\tn", "\n\t\tn", "\nn\tn",
  ]

  /// A text as the list keeps one: no lines without a word at its ends.
  private static func text(_ chance: inout SeededGenerator) -> String {
    while true {
      let count = Int.random(in: 1...9, using: &chance)
      let text = (0..<count).compactMap { _ in pieces.randomElement(using: &chance) }.joined()
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let isKept = [lines.first, lines.last].allSatisfy { $0?.contains { !$0.isWhitespace } == true }
      if isKept { return text }
    }
  }

  private static func items(_ seed: UInt64, count: Int = 40) -> [PortableItem] {
    var chance = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let day = PortableTime.day(CalendarDay(year: 2026, month: 11, day: 1)!.adding(days: index % 20))
      let complete = Bool.random(using: &chance)
      return PortableItem(
        text(&chance), complete: complete, id: RecordID("00000000-0000-4000-8000-\(100_000_000_000 + index)"),
        created: Bool.random(using: &chance) ? day : nil, completed: complete && Bool.random(using: &chance) ? day : nil
      )
    }
  }

  private func hold(_ format: ExchangeFormat, seeds: Int = 200, _ expected: (PortableItem) -> PortableItem) throws {
    let base = UInt64.random(in: .min ... .max)
    for seed in (0..<UInt64(seeds)).map({ base &+ $0 }) {
      let items = Self.items(seed)
      let file = ExportFile.text(items, format)
      let read = try ImportResult.of(file, format)
      for (item, read) in zip(items, read.portable) {
        #expect(Array(read.text.utf8) == Array(expected(item).text.utf8), "seed \(seed)")
        #expect(read == expected(item), "seed \(seed)")
      }
      #expect(read.items.count == items.count && read.leftOut.isEmpty, "seed \(seed)")
      let kept = read.portable.map { item in
        var kept = item
        kept.text = item.handle?.text ?? item.text
        return kept
      }
      let isSame = ExportFile.text(kept, format).utf8.elementsEqual(file.utf8)
      #expect(isSame, "seed \(seed)")
    }
  }

  @Test("are the same as a todo.txt")
  func todoTxt() throws {
    try hold(.todotxt) { item in
      var expected = item
      expected.id = nil
      expected.text = item.text.replacing("\n", with: "␤")
      // One date of a done item would be that of its completion.
      if item.complete, item.completed == nil { expected.created = nil }
      // A word like a handle is one until the list says otherwise.
      expected.handle = TodoTxtReader.item(TodoTxtWriter.line(item).dropLast()).handle
      if let handle = expected.handle {
        #expect(handle.text == expected.text)
        expected.text = TodoTxtReader.item(TodoTxtWriter.line(item).dropLast()).text
      }
      return expected
    }
  }

  @Test("are the same as JSON")
  func json() throws {
    try hold(.json) { $0 }
  }

  @Test("are the same as a table")
  func csv() throws {
    try hold(.csv) { $0 }
  }

  @Test("have the same texts in a calendar and a check list")
  func texts() throws {
    let base = UInt64.random(in: .min ... .max)
    for seed in (0..<200).map({ base &+ $0 }) {
      let items = Self.items(seed)
      let calendar = try ImportResult.of(ExportFile.text(items, .ics), .ics)
      for (read, item) in zip(calendar.texts, items) { #expect(read == item.text, "seed \(seed)") }
      #expect(calendar.portable.map(\.complete) == items.map(\.complete), "seed \(seed)")
      // A blank line of a note has no spaces in a check list.
      let plain = items.filter { !$0.text.split(separator: "\n").contains { $0.utf8.allSatisfy { $0 == 0x20 } } }
      let list = try ImportResult.of(ExportFile.text(plain, .markdown), .markdown)
      for (read, item) in zip(list.texts, plain) { #expect(read == item.text, "seed \(seed)") }
      #expect(list.portable.map(\.complete) == plain.map(\.complete), "seed \(seed)")
    }
  }

  @Test("no bytes bring a reader down, and what it reads has a text")
  func hostile() {
    let base = UInt64.random(in: .min ... .max)
    let files = ExchangeFormat.allCases.map { Array(ExportFile.text(Self.items(base, count: 5), $0).utf8) }
    for seed in (0..<300).map({ base &+ $0 }) {
      var chance = SeededGenerator(seed: seed)
      guard var bytes = files.randomElement(using: &chance) else { return }
      for _ in 0..<Int.random(in: 1...6, using: &chance) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &chance)
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &chance)
        case 1: bytes.remove(at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 20))
        }
      }
      for format in ExchangeFormat.allCases {
        let read = try? ImportFile.read(bytes, name: "-", format: format).result
        #expect(read?.items.allSatisfy { $0.line > 0 } ?? true, "seed \(seed)")
      }
    }
  }
}
