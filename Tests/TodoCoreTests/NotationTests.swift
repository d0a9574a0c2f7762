import FoundationEssentials
import Support
import Testing

@testable import TodoCore

@Suite("The words of todo.txt in a text")
struct NotationTests {
  @Test("priority, projects, contexts and the date are found, and where they stand")
  func words() {
    let text = "(B) call @bob about +garden due:2026-12-24 and +Trees"
    let notation = TodoNotation(text)
    #expect(notation.priority == "B" && notation.due?.text == "2026-12-24")
    #expect(notation.projects == ["+garden", "+Trees"] && notation.contexts == ["@bob"])
    #expect(
      notation.words.map { String(text[$0.range]) } == ["(B)", "@bob", "+garden", "due:2026-12-24", "+Trees"])
    #expect(notation.words.map(\.kind) == [.priority, .context, .project, .due, .project])
  }

  @Test(
    "what only looks like them is text",
    arguments: [
      "(b) x", "(A)->x", "x (A) y", "(A)", " (A) x", "(Ä) x", "a@b.com", "2+2", "+", "@ home", "due:", "due:2026-02-30",
      "xdue:2026-12-24", "due:2026-12-24x", "due:2026-1-2", "Due:2026-12-24", "http://x.y", "due:soon due:2026-12-24",
    ])
  func text(text: String) {
    #expect(TodoNotation(text).words.isEmpty)
  }

  @Test("dates are read as the server's calendar reads them", arguments: DueTexts.all)
  func dates(text: String, day: String?) {
    #expect(TodoNotation(text).due?.text == day)
  }

  @Test(
    "a priority is set, changed and taken away, and the rest stays as it is",
    arguments: [
      ("milk", "A", "(A) milk"), ("(C) milk  (B) ", "A", "(A) milk  (B) "), ("(C) milk", nil, "milk"),
      ("milk", nil, "milk"),
      ("milk", "a", "milk"), ("", "A", "(A) "),
    ] as [(String, Character?, String)])
  func setPriority(text: String, priority: Character?, after: String) {
    #expect(TodoNotation.settingPriority(priority, in: text) == after)
  }

  @Test("raising begins at C and ends at A, lowering goes to C and then away; a letter below C is kept to Z")
  func steps() {
    let raised = ["milk", "(C) milk", "(B) milk", "(A) milk", "(F) milk"].map { TodoNotation.raisingPriority(in: $0) }
    #expect(raised == ["(C) milk", "(B) milk", "(A) milk", "(A) milk", "(E) milk"])
    let lowered = ["milk", "(A) milk", "(B) milk", "(C) milk", "(F) milk", "(Z) milk"].map {
      TodoNotation.loweringPriority(in: $0)
    }
    #expect(lowered == ["milk", "(B) milk", "(C) milk", "milk", "(G) milk", "milk"])
  }

  @Test(
    "a date takes the place of the one that counts, comes at the end, or goes",
    arguments: [
      ("milk", "2026-12-24", "milk due:2026-12-24"),
      ("a due:2026-01-01 b", "2026-12-24", "a due:2026-12-24 b"),
      ("a due:soon b", "2026-12-24", "a due:2026-12-24 b"),
      ("a due:2026-01-01 b", nil, "a b"), ("due:2026-01-01 b", nil, "b"), ("a due:2026-01-01", nil, "a"),
      ("a due:2026-01-01 due:2026-01-02 b", nil, "a b"), ("a", nil, "a"), ("due:2026-01-01", nil, ""),
    ] as [(String, String?, String)])
  func setDue(text: String, day: String?, after: String) {
    #expect(TodoNotation.settingDue(day.flatMap { CalendarDay($0) }, in: text) == after)
  }

  @Test("days are counted over months, years and leap days, and have their weekday")
  func days() throws {
    let today = try #require(CalendarDay("2026-11-21"))
    #expect(today.weekday == 6 && today.text == "2026-11-21")
    #expect(today.adding(days: 41).text == "2027-01-01")
    #expect(today.adding(days: -365).text == "2025-11-21")
    #expect(try #require(CalendarDay("2028-01-31")).adding(months: 1).text == "2028-02-29")
    #expect(try #require(CalendarDay("2026-10-31")).adding(months: 13).text == "2027-11-30")
    #expect(today.adding(days: .max).text == "9999-12-31" && today.adding(days: .min).text == "0000-01-01")
    #expect(try #require(CalendarDay("1969-12-28")).weekday == 7)
    #expect(CalendarDay("2026-02-29") == nil && CalendarDay("2026-2-9") == nil && CalendarDay("２０２６-01-01") == nil)
    #expect(try today < #require(CalendarDay("2026-12-01")))
    #expect(try #require(CalendarDay("2026-12-01")).days(since: today) == 10)
    #expect(abs(CalendarDay(Date(timeIntervalSince1970: 1_795_000_000)).days(since: today)) <= 39)
  }
}
