import TableProtocol
import Testing
import TodoCore

@testable import Exchange

@Suite("To-dos of a calendar")
struct CalendarTests {
  private let id: RecordID = "0f0c1a52-7d94-4c1e-9a55-1d2f6b7c8e01"

  private func todo(_ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "BEGIN:VTODO"] + lines + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  @Test("an item is written with its date, priority, categories, note and state in fields of their own")
  func writes() {
    let item = PortableItem(
      "(B) Buy milk, tea; jam +shop @town due:2026-12-24\ntwo\\litres", complete: true, id: id,
      created: .moment(Timestamp(milliseconds: 1_700_000_000_123)),
      completed: .moment(Timestamp(milliseconds: 1_800_000_000_000)))
    #expect(
      ExportFile.text([item], .ics).split(separator: "\r\n").map(String.init) == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Ebb//Ebb//EN", "BEGIN:VTODO", "UID:\(id.text)",
        "DTSTAMP:20270115T080000Z", "CREATED:20231114T221320Z", "SUMMARY:Buy milk\\, tea\\; jam +shop @town",
        "DESCRIPTION:two\\\\litres", "DUE;VALUE=DATE:20261224", "PRIORITY:2", "CATEGORIES:shop,town",
        "STATUS:COMPLETED", "COMPLETED:20270115T080000Z", "END:VTODO", "END:VCALENDAR",
      ])
  }

  @Test("a to-do that begins within another is told, and neither is lost without a word")
  func nested() throws {
    let result = try ImportResult.of(todo("SUMMARY:outer", "BEGIN:VTODO", "SUMMARY:inner", "END:VTODO"), .ics)
    #expect(result.texts == ["inner"] && result.leftOut.map(\.reason) == [.malformed])
  }

  @Test(
    "the text comes back to the letter, wherever its signs stand",
    arguments: [
      "milk", "(A) milk", "(J) milk", "(Z) milk due:2026-12-24", "a due:2026-12-24 b +c", "(A) (B) milk",
      "due:2026-12-24",
      "a due:2026-12-24 due:2026-12-24", "a due:x due:2026-12-24", "(A) due:2026-12-24", "+a @a +b", "a\n\nnote\nmore",
      "  two  spaces  due:2026-12-24", "\\n ; , : \"", "買茶" + String(repeating: "🍵", count: 60),
    ])
  func roundTrip(text: String) throws {
    let item = PortableItem(text, id: id, created: .second(Timestamp(milliseconds: 1_700_000_000_000)))
    let file = ExportFile.text([item], .ics)
    #expect(file.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    let read = try #require(try ImportResult.of(file, .ics).portable.first)
    #expect(read.text == text && read.id == id && read.created == item.created && !read.complete)
  }

  @Test("folded lines, escapes, parameters and dates with a time are read")
  func reads() throws {
    let file = todo(
      "SUMMARY;LANGUAGE=en;X=\"a:b\":Buy", "  oat\\, milk", "DESCRIPTION:one\\ntwo\\Nthree\\;",
      "DUE;TZID=Asia/Tokyo:20261224T233000",
      "CATEGORIES:a\\,b,c d", "CATEGORIES:e", "PRIORITY:1", "UID:abc@example", "CREATED:20261101T100000Z")
    let result = try ImportResult.of(file, .ics)
    let item = try #require(result.portable.first)
    #expect(item.text == "(A) Buy oat, milk @a,b @c_d @e due:2026-12-24\none\ntwo\nthree;")
    #expect(item.otherID == "abc@example" && item.id == UUIDText.id(for: "abc@example"))
    #expect(result.timesOfDay == 1)
  }

  @Test(
    "the state is the status; without one, a completion or 100 per cent",
    arguments: [
      ("STATUS:COMPLETED", true), ("STATUS:NEEDS-ACTION", false), ("STATUS:IN-PROCESS", false),
      ("STATUS:CANCELLED", true),
      ("COMPLETED:20261120T100000Z", true), ("PERCENT-COMPLETE:100", true), ("PERCENT-COMPLETE:50", false),
    ])
  func states(line: String, complete: Bool) throws {
    #expect(try ImportResult.of(todo("SUMMARY:a", line), .ics).portable.first?.complete == complete)
  }

  @Test("events and to-dos without text are left out with their line, and what has no place here is named")
  func leavesOut() throws {
    let file = """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      BEGIN:STANDARD
      END:STANDARD
      END:VTIMEZONE
      BEGIN:VEVENT
      SUMMARY:party
      END:VEVENT
      BEGIN:VTODO
      SUMMARY:milk
      LOCATION:shop
      X-APPLE-SORT-ORDER:1
      BEGIN:VALARM
      ACTION:DISPLAY
      END:VALARM
      END:VTODO
      BEGIN:VTODO
      DUE:20261224
      END:VTODO
      BEGIN:VTODO
      SUMMARY:milk
      RECURRENCE-ID:20261224
      END:VTODO
      END:VCALENDAR
      """
    let result = try ImportResult.of(file, .ics)
    #expect(result.texts == ["milk"])
    #expect(
      result.leftOut == [
        LeftOut(line: 6, reason: .component("VEVENT")), LeftOut(line: 17, reason: .noText),
        LeftOut(line: 20, reason: .repeating),
      ])
    #expect(result.dropped == ["LOCATION": 1, "VALARM": 1])
  }

  @Test("a moment that no calendar has is named with the to-do's line")
  func strangeTimes() throws {
    let result = try ImportResult.of(todo("SUMMARY:a", "CREATED:yesterday", "COMPLETED:20261340T000000Z"), .ics)
    #expect(result.portable == [PortableItem("a")])
    #expect(
      result.notUnderstood == [
        StrangeValue("CREATED", "yesterday", line: 2), StrangeValue("COMPLETED", "20261340T000000Z", line: 2),
      ])
  }

  @Test(
    "a calendar that is cut off, or is none, is a problem",
    arguments: ["BEGIN:VCALENDAR\nBEGIN:VTODO\n", "a:b", "milk"])
  func cutOff(file: String) {
    #expect(throws: ImportProblem.self) { try ImportResult.of(file, .ics) }
  }
}
