import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("Dates as people say them")
struct DueWordTests {
  /// A Saturday.
  private let today = CalendarDay("2026-11-21")

  @Test(
    "each word is a day",
    arguments: [
      ("today", "2026-11-21"), ("Tomorrow", "2026-11-22"), ("fri", "2026-11-27"), ("saturday", "2026-11-28"),
      ("sun", "2026-11-22"), ("+3d", "2026-11-24"), ("3d", "2026-11-24"), ("+2w", "2026-12-05"), ("1m", "2026-12-21"),
      ("1y", "2027-11-21"), ("nextweek", "2026-11-23"), ("nextmonth", "2026-12-01"), ("2026-12-24", "2026-12-24"),
      ("2026-1-5", "2026-01-05"), ("12-24", "2026-12-24"), ("11-21", "2026-11-21"), ("1-5", "2027-01-05"),
      ("02-29", "2028-02-29"), ("24.12.", "2026-12-24"), ("24.12", "2026-12-24"), ("5.1.2027", "2027-01-05"),
      ("hoy", "2026-11-21"), ("MAÑANA", "2026-11-22"), ("vie", "2026-11-27"), ("sábado", "2026-11-28"),
      ("今日", "2026-11-21"), ("明日", "2026-11-22"), ("金曜", "2026-11-27"), ("月", "2026-11-23"),
      ("今天", "2026-11-21"), ("明天", "2026-11-22"), ("週五", "2026-11-27"), ("星期日", "2026-11-22"), ("周天", "2026-11-22"),
    ])
  func meanings(word: String, day: String) throws {
    #expect(DueWords.meaning(of: word, today: try #require(today)) == CalendarDay(day).map { .day($0) })
  }

  @Test(
    "any other word says nothing",
    arguments: [
      "", "soon", "+", "d", "+d", "99999d", "-3d", "13-40", "02-30", "2026-13-01", "26-12-24", "24.12.26", "1.2.3.4",
      "..",
      "--", "+3", "３d",
    ])
  func unknown(word: String) throws {
    #expect(DueWords.meaning(of: word, today: try #require(today)) == nil)
  }

  @Test("a text is kept with the day itself, by whatever way it comes in")
  func saved() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    let day = try #require(today)
    let list = TodoList(context: device.context, today: { day })
    let item = try list.add("call due:fri +bank")
    #expect(item.text == "call due:2026-11-27 +bank")
    try list.edit(item.id, text: "call due:mañana", seen: item.text)
    #expect(try list.item(item.id)?.text == "call due:2026-11-22")
    try list.edit(item.id, text: "call due:none now")
    #expect(try list.item(item.id)?.text == "call now")
    #expect(try list.add("call due:soon due:fri").text == "call due:soon due:fri")
    #expect(throws: TodoError.emptyText) { try list.add("due:none") }
    await device.sync()
    server.put(item.id, ["text": .text("write")])
    try list.edit(item.id, text: "phone")
    await device.sync()
    try list.decide(item.id, .text("phone due:today"))
    #expect(try list.item(item.id)?.text == "phone due:2026-11-21")
  }
}
