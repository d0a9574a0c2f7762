import Foundation
import OfflineSync
import Support
import TableProtocol
import Testing

@testable import Exchange
@testable import TodoCore

@Suite("A list and what is imported into it")
struct ListImportTests {
  let server = FakeServer()
  let device: TestDevice
  let list: TodoList

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context)
  }

  @discardableResult
  private func take(_ text: String, _ format: ExchangeFormat = .todotxt) throws -> (added: [String], plan: ImportPlan) {
    let result = try ImportResult.of(text, format)
    let planned = try list.plan(result.portable, exact: result.isExact)
    let (plan, ids) = try list.add(result.portable, exact: result.isExact)
    #expect(planned.verdicts == plan.verdicts)
    return (try ids.compactMap { try list.item($0)?.text }, plan)
  }

  private func export(_ format: ExchangeFormat = .todotxt, _ query: TodoQuery = TodoQuery(view: .all)) throws -> String
  {
    var items: [PortableItem] = []
    try list.forEachPortable(of: query, size: 2) { items += $0 }
    return ExportFile.text(items, format)
  }

  private static let lines = """
    (A) 2026-11-01 Call  mum +family due:2026-11-30
    No date
    x 2026-11-20 2026-11-01 Pay rent pri:B
    2026-11-05 key:value
    x 2026-11-19 Only completed
    x Neither
    Buy milk␤two litres

    """

  @Test("what is added here has a creation, also in the minutes in which imports have their places")
  func ownCreation() throws {
    let day = try #require(CalendarDay(year: 2026, month: 11, day: 22))
    for moment in [day.start, day.commonMoment, day.noon] {
      for milliseconds: Int64 in [0, 1, 2, 199_999] {
        let now = moment.advanced(byMilliseconds: milliseconds)
        device.world.advance(milliseconds: now.milliseconds - device.world.now.milliseconds)
        for item in try [list.add("One")] + list.add(["Two", "Three"]) { #expect(item.knownCreation != nil) }
      }
    }
  }

  @Test("a todo.txt goes through the list unchanged: order, spaces, dates and what has none")
  func unchanged() throws {
    try take(Self.lines)
    #expect(try export() == Self.lines)
    #expect(
      try list.items(TodoQuery(view: .all), .first, count: 9).map(\.text).first
        == "(A) Call  mum +family due:2026-11-30")
  }

  @Test(
    "what goes out comes back into another list the same, and to this one as nothing new",
    arguments: ExchangeFormat.written)
  func comesBack(format: ExchangeFormat) throws {
    try take(Self.lines)
    let file = try export(format)
    #expect(try take(file, format).added == [])
    #expect(try take(try export(), .todotxt).added == [])
    let other = try ListImportTests()
    try other.take(file, format)
    #expect(try other.export(format) == file)
  }

  @Test("a file that is imported again adds nothing, and two alike lines are two items")
  func again() throws {
    #expect(try take("milk\nmilk\ntea\n").added == ["milk", "milk", "tea"])
    #expect(try take("milk\nmilk\ntea\n").added == [])
    #expect(try take("milk\nmilk\nmilk\nx milk\n").added == ["milk", "milk"])
  }

  @Test("of two different items with one id none is lost: the second gets an id of its own")
  func oneIDTwice() throws {
    let id: RecordID = "0f0c1a52-7d94-4c1e-9a55-1d2f6b7c8e01"
    let plan = ImportPlan(
      forNewList: [PortableItem("milk", id: id), PortableItem("bread", id: id), PortableItem("milk", id: id)],
      exact: true, today: try #require(CalendarDay("2026-11-23")))
    #expect(plan.verdicts == [.add, .add, .isHere])
    #expect(plan.items.map(\.id) == [id, nil, id])
  }

  @Test("an import is one step to undo and to redo, and what it knew of completions stays")
  func undo() throws {
    try list.add("before")
    try take(Self.lines)
    let undone = try #require(try list.undo())
    #expect(undone.count == 7 && undone.madeAt != nil, "\(undone)")
    #expect(try list.items(TodoQuery(view: .all), .first, count: 9).map(\.text) == ["before"])
    #expect(try list.outboxCount() == 1)
    #expect(try list.redo()?.count == 7)
    #expect(try export().contains("x 2026-11-20 2026-11-01 Pay rent pri:B\n"))
  }

  @Test("an item that was completed and opened again is not exported as done, and one done here has its day")
  func completion() throws {
    let item = try list.add("milk")
    try list.setComplete([item.id], true)
    let day = CalendarDay(device.world.environment.now().date).text
    #expect(try export() == "x \(day) \(day) milk\n")
    try list.setComplete([item.id], false)
    #expect(try export() == "\(day) milk\n")
    #expect(try list.items(TodoQuery(view: .all, filter: "done:"), .first, count: 9).isEmpty)
  }

  @Test("when an imported item was completed is found by a filter, and is in its story")
  func doneFilter() throws {
    try take(Self.lines)
    let found = try list.items(TodoQuery(filter: "done:2026-11-20"), .first, count: 9)
    #expect(found.map(\.text) == ["(B) Pay rent"])
    #expect(try list.story(of: found[0].id).map(\.copy?.complete) == [true, false])
  }

  @Test("an item with an id is known by it, also with another text, and keeps it in a new list")
  func ids() throws {
    let file =
      "[{\"id\":\"1a2b-c\",\"text\":\"milk\",\"complete\":false},{\"id\":\"1a2b-d\",\"text\":\"milk\",\"complete\":false}]"
    #expect(try take(file, .json).added == ["milk", "milk"])
    try list.edit("1a2b-c", text: "oat milk")
    #expect(try take(file, .json).plan.verdicts == [.differs, .isHere])
    try list.delete(["1a2b-d"])
    #expect(try take(file, .json).added == ["milk"])
    #expect(try list.item("1a2b-d")?.text == "milk")
  }

  @Test("a handle of a todo.txt names its item; one that names none is a word")
  func handles() throws {
    let item = try list.add("milk")
    let handle = try list.handle(of: item.id)
    #expect(try take("milk uid:\(handle)\n").plan.verdicts == [.isHere])
    #expect(try take("oat milk uid:\(handle)\n").plan.verdicts == [.differs])
    #expect(try take("milk uid:nobody\n").added == ["milk uid:nobody"])
    #expect(try take("milk uid:nobody\n").added == [])
  }

  @Test("the same to-do of a calendar is the same item, whatever became of its text here")
  func calendarIDs() throws {
    let file = "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:abc@example\nSUMMARY:milk\nEND:VTODO\nEND:VCALENDAR\n"
    #expect(try take(file, .ics).added == ["milk"])
    try list.edit(try list.items(TodoQuery(), .first, count: 1)[0].id, text: "oat milk")
    #expect(try take(file, .ics).added == [])
  }

  @Test("control characters become spaces, texts without a word and U+0000 are passed over")
  func texts() throws {
    let (added, _) = try take("a\u{7}b\tc\u{9B}d\n")
    #expect(added == ["a b c d"])
    #expect(try take("a\u{7}b\tc\u{9B}d\n").added == [])
    let plan = try list.plan([PortableItem(" \n "), PortableItem("a\0")], exact: true)
    #expect(plan.verdicts == [.noText, .nullCharacter])
  }

  @Test("what is imported is sent with the next sync, and its creation is kept")
  func syncs() async throws {
    try take(Self.lines)
    await device.sync()
    #expect(try list.outboxCount() == 0)
    #expect(try take(Self.lines).added == [])
  }

  @Test("items of several files of one day stand in the order in which they came")
  func severalFiles() throws {
    try take("a\nb\n")
    try take("c\nd\n")
    #expect(try list.items(TodoQuery(), .first, count: 9).map(\.text) == ["a", "b", "c", "d"])
    #expect(try export() == "a\nb\nc\nd\n")
  }

  @Test("an item without a time stands right after the one before it in its file, before the next, and has no date")
  func undated() throws {
    let lines = "2026-01-01 a\nb\n2026-01-03 c\nd\n"
    try take(lines)
    let other = try ListImportTests()
    try other.take(try export(.ics), .ics)
    #expect(try other.export() == lines)
  }

  @Test("so it does beside items with a time of day, and has no date if there is room for a place that says so")
  func undatedBesideMoments() throws {
    let times = [
      "null", "\"2026-01-01T14:00:00.000Z\"", "null", "\"2026-01-01T14:00:05.000Z\"", "null", "null",
      "\"2026-01-09T08:00:00.000Z\"", "null",
    ]
    let items = times.enumerated().map { index, time in "{\"text\":\"\(index)\",\"createdAt\":\(time)}" }
    try take("[\(items.joined(separator: ",\n"))]", .json)
    let found = try list.items(TodoQuery(), .first, count: 9)
    #expect(found.map(\.text) == times.indices.map { String($0) })
    #expect(found.filter { $0.knownCreation == nil }.map(\.text) == ["0", "4", "5", "7"])
  }

  @Test("of a calendar's items of one second, one without a time keeps its place too")
  func undatedWithinSecond() throws {
    let created = ["", "CREATED:20260101T140000Z\n", "", "CREATED:20260101T140000Z\n", ""]
    let todos = created.enumerated().map { index, line in "BEGIN:VTODO\nSUMMARY:\(index)\n\(line)END:VTODO\n" }
    try take("BEGIN:VCALENDAR\n\(todos.joined())END:VCALENDAR\n", .ics)
    let found = try list.items(TodoQuery(), .first, count: 9)
    #expect(found.map(\.text) == created.indices.map { String($0) })
    #expect(found.filter { $0.knownCreation == nil }.map(\.text) == ["0", "4"])
  }

  @Test("a note below an empty line keeps its words in every format", arguments: ExchangeFormat.written)
  func noteAlone(format: ExchangeFormat) throws {
    try take("[{\"text\":\"\\n\\nthird line only\\nmore\"}]", .json)
    let other = try ListImportTests()
    let added = try other.take(try export(format), format).added
    #expect(added.map { TodoText.imported($0) } == ["third line only\nmore"])
  }

  @Test("an import that adds nothing is no change to undo")
  func nothingToUndo() throws {
    _ = try list.add("tea")
    try take("tea\n")
    _ = try list.undo()
    #expect(try list.items(TodoQuery(view: .all), .first, count: 9).isEmpty)
  }

  @Test("a plan for a list that is not there yet is the same as for an empty one")
  func newList() throws {
    let items = try ImportResult.of("milk\n \nmilk uid:a1b2\n", .todotxt).portable
    let plan = ImportPlan(forNewList: items, exact: false, today: CalendarDay(Date()))
    let planned = try list.plan(items, exact: false)
    #expect(plan.verdicts == planned.verdicts && plan.items == planned.items && plan.count == 2)
  }
}
