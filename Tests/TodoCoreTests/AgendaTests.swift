import OfflineSync
import Support
import TableProtocol
import Testing

@testable import SQLiteStore
@testable import TodoCore

@Suite("The agenda and its groups in the store")
struct AgendaTests {
  let list: TodoList
  private let device: TestDevice
  private let today: CalendarDay

  init() throws {
    device = try TestDevice(FakeServer())
    let today = try #require(CalendarDay("2026-11-22"))
    self.today = today
    list = TodoList(context: device.context, today: { today })
  }

  private func add(_ texts: String...) throws {
    for text in texts {
      device.world.advance(milliseconds: 1)
      try list.add(text)
    }
  }

  @Test("the list opens with the agenda once an open item has a date, at once while it is short")
  func firstView() throws {
    #expect(try list.firstView() == .open)
    try add("plants", "tea due:2026-11-30")
    #expect(try list.firstView() == .agenda)
    let item = try #require(try list.items(TodoQuery(filter: "tea"), .first, count: 1).first)
    try list.setComplete([item.id], true)
    #expect(try list.firstView() == .open)
  }

  @Test("a long list opens with the agenda when its order is prepared, so that the first paint never sorts it")
  func longList() throws {
    try list.add((0..<600).map { "item \($0) due:2026-11-30" })
    #expect(try list.firstView() == .open)
    try list.prepare(.due, view: .agenda)
    #expect(try list.firstView() == .agenda)
  }

  @Test("each item counts in the group it stands in, by date, priority, project and day", arguments: [true, false])
  func counts(isPrepared: Bool) throws {
    try add(
      "(A) rent +home due:2026-11-19", "milk +shop due:2026-11-22", "(B) call due:2026-11-23", "report due:2026-11-28",
      "passport due:2026-11-29", "plants +home", "Buy +shop 2 + 3 due:soon")
    for (view, order) in [
      (TodoView.agenda, TodoOrder.due), (.open, .priority), (.open, .project), (.all, .finished),
    ] {
      if isPrepared { try list.prepare(order, view: view) }
      let query = TodoQuery(view: view, order: order)
      let grouping = try #require(TodoGrouping(query))
      let items = try list.items(query, .first, count: 100)
      let groups = items.map { grouping.group(of: $0, today: today) }
      #expect(try list.counts(query, by: grouping) == groups.reduce(into: [:]) { $0[$1, default: 0] += 1 })
      // Those of a group stand together.
      #expect(zip(groups, groups.dropFirst()).count { $0 != $1 } == Set(groups).count - 1)
    }
    #expect(
      try list.counts(TodoQuery(view: .agenda, order: .due), by: .date)
        == [.overdue: 1, .today: 1, .sevenDays: 2, .later: 1, .undated: 2])
  }

  @Test("the edges of a group are places right before and right after its items")
  func edges() throws {
    for day in ["2026-11-19", "2026-11-22", "2026-11-23", "2026-11-28", "2026-11-29", "9999-12-31"] {
      try add("x due:\(day)", "(A) +a y due:\(day)", "(Z) +b z due:\(day)")
    }
    try add("none", "(A) none +a", "(C) +c none")
    for (view, order) in [(TodoView.agenda, TodoOrder.due), (.open, .priority), (.open, .project), (.all, .finished)] {
      let query = TodoQuery(view: view, order: order)
      let grouping = try #require(TodoGrouping(query))
      let items = try list.items(query, .first, count: 100)
      for group in Set(items.map { grouping.group(of: $0, today: today) }) {
        let own = items.filter { grouping.group(of: $0, today: today) == group }
        #expect(try list.items(query, .after(group.start(today: today)), count: 1).first == own.first, "\(group)")
        #expect(try list.items(query, .before(group.end(today: today)), count: 1).first == own.last, "\(group)")
      }
    }
  }

  @Test("done items stand by the moment they were done, the last first, and pages meet end to end")
  func finished() throws {
    try add("one", "two", "three", "four")
    let ids = try list.items(TodoQuery(), .first, count: 9).map(\.id)
    for place in [2, 0, 3, 1] {
      device.world.advance(milliseconds: 90_000_000)
      try list.setComplete([ids[place]], true)
    }
    let query = TodoQuery(view: .done, order: .finished)
    let items = try list.items(query, .first, count: 9)
    #expect(items.map(\.text) == ["two", "four", "one", "three"])
    #expect(items.allSatisfy { $0.completedAt != nil })
    #expect(try list.counts(query, by: .day).count == 4)
    try expectPages(of: query, toMeetIn: items)
  }

  private func expectPages(of query: TodoQuery, toMeetIn items: [TodoItem]) throws {
    for (index, item) in items.enumerated() {
      #expect(try list.position(of: item, in: query) == index)
      #expect(try list.items(query, .after(item), count: 9) == Array(items[(index + 1)...]))
      #expect(try list.items(query, .before(item), count: 9) == Array(items[..<index]))
    }
  }

  @Test("of done items whose day is not known the server's last comes first, behind those that it never stored")
  func unknownDayOfServer() throws {
    let moments: [(id: RecordID, milliseconds: Int64)] = [("a", 2_000), ("b", 3_000), ("c", 1_000), ("d", 3_000)]
    let rows = moments.map { id, milliseconds in
      Record(
        id: id, values: [TodoColumn.text: .text(id.text), TodoColumn.complete: .bool(true)],
        system: SystemProperties(
          createdAt: Timestamp(milliseconds: 10), updatedAt: Timestamp(milliseconds: milliseconds)))
    }
    try device.store.write { try $0.upsert(rows, in: TodoList.table) }
    _ = try list.add([PortableItem("own", complete: true)], exact: false)
    let query = TodoQuery(view: .done, order: .finished)
    let items = try list.items(query, .first, count: 9)
    #expect(items.map(\.text) == ["own", "b", "d", "a", "c"])
    try expectPages(of: query, toMeetIn: items)
    let (start, end) = (TodoGroup.day(nil).start(today: today), TodoGroup.day(nil).end(today: today))
    #expect(try list.items(query, .after(start), count: 9) == items)
    #expect(try list.items(query, .before(end), count: 9) == items)
  }

  @Test("done items whose day is not known are a group at the end, whenever they were imported, edited or synced")
  func unknownDay() throws {
    try add("known")
    let known = try #require(try list.items(TodoQuery(), .first, count: 1).first).id
    try list.setComplete([known], true)
    _ = try list.add([PortableItem("x", complete: true), PortableItem("y", complete: true)], exact: false)
    let query = TodoQuery(view: .done, order: .finished)
    let x = try #require(try list.items(query, .first, count: 9).first { $0.text == "x" }).id
    try list.edit(x, text: "edited")
    let items = try list.items(query, .first, count: 9)
    #expect(items.map(\.text) == ["known", "edited", "y"])
    let day = CalendarDay(try #require(items[0].completedAt).date)
    #expect(items.map { TodoGrouping.day.group(of: $0, today: today) } == [.day(day), .day(nil), .day(nil)])
    #expect(try list.counts(query, by: .day) == [.day(day): 1, .day(nil): 2])
    let (start, end) = (TodoGroup.day(nil).start(today: today), TodoGroup.day(nil).end(today: today))
    #expect(try list.items(query, .after(start), count: 9).map(\.text) == ["edited", "y"])
    #expect(try list.items(query, .before(end), count: 1).map(\.text) == ["y"])
  }
}
