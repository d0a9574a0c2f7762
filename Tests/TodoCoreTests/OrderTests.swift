import GRDB
import OfflineSync
import SQLiteStatements
import Support
import TableProtocol
import TableSQL
import Testing

@testable import SQLiteStore
@testable import TodoCore

@Suite("The orders of the list")
struct OrderTests {
  let list: TodoList
  private let device: TestDevice

  init() throws {
    device = try TestDevice(FakeServer())
    list = TodoList(context: device.context)
  }

  /// Texts in which something looks like a date or a priority.
  static let nasty = [
    "(A) a", "(A)", "(A)x", "(A)\u{A0}x", "(a) x", "(AB) x", "( A) x", "x (A) y", "(Z)  ", "(\u{391}) x",
    "(A) \u{301}x",
    "due:2026-12-24", "due:2026-12-24 x", "x due:2026-12-24", "x due:2026-12-24x", "x due:2026-12-24\u{301}",
    "xdue:2026-12-24", "x due:2026-02-29", "x due:2028-02-29", "x due:2026-04-31", "x due:2026-00-10",
    "x due:2026-10-00",
    "due:now", "x due:now", "due:", "due: 2026-12-24", "due: due:2026-12-24", "due:x due:2026-12-24",
    "due:2026-12-24 due:2020-01-01", "x\tdue:2026-12-24", "x\ndue:2026-12-24", "due:2026-12-24\n",
    "x due:2026-12-24\nnote due:2026-11-01", "x\n\nxdue: due:2026-12-24", "(A) x\ny", "due:2026-12-24\t",
    "ab2026-12-24 xdue:", "abc 2026-12-24 xdue:y", "due:２０２６-12-24", "Due:2026-12-24", "due:0000-01-01",
    "due:9999-12-31",
    "due:2451545.12", "due:-001-01-01", "é due:2026-12-24", "👩‍👩‍👧 due:2026-12-24 ü", "due:'2026-12-24'", "due:2026-12-241",
    "due:12:00:00.0", "~", "",
    "call +home", "+home", "2 + 3 +math", "+ + + +x y", "a+b", "++x", "+", "+\u{301}x", "x\t+home", "+a +b",
    "BETA", "alpha", "Alpha", "beta", "Ärger", "ärger", "zulu",
  ]

  private func fill() throws {
    for (number, text) in Self.nasty.enumerated() {
      if number % 5 == 0 { device.world.advance(milliseconds: 1) }
      let id = try device.add(text)
      if number % 4 == 0 { try list.setComplete([id], true) }
    }
    try device.store.write { store in
      var rows = try store.records(TableQuery(table: TodoList.table)).records
      for index in rows.indices where index % 3 > 0 {
        rows[index].system.updatedAt = Timestamp(milliseconds: 5_000 + Int64(index % 7))
      }
      try store.upsert(rows, in: TodoList.table)
    }
  }

  @Test("due and priority are the same to the store, to its stand-in, and to the notation")
  func agree() throws {
    try fill()
    let rows = try device.store.read { try $0.records(TableQuery(table: TodoList.table)).records }
    for (value, own) in [
      (RowValue.due, { (text: String) in TodoNotation(text).due?.text }),
      (RowValue.priority, { TodoNotation($0).priority.map(String.init) }),
      (RowValue.project, { TodoNotation($0).projects.first }),
    ] {
      let queue = try DatabaseQueue(path: device.path)
      let sql = try queue.read { database in
        try Row.fetchAll(database, sql: "SELECT id, \(value.sql(in: TodoList.table)) FROM TodoItem").map {
          ($0[0] as String, $0[1] as String)
        }
      }
      let stored = Dictionary(uniqueKeysWithValues: sql)
      for row in rows {
        let text = row.values["text"]?.text ?? ""
        #expect(stored[row.id.text] == own(text) ?? RowValue.absent, "\(text.debugDescription)")
        #expect(value.text(of: row) == stored[row.id.text], "\(text.debugDescription)")
      }
    }
  }

  @Test("pages meet end to end in every order and view, prepared or not", arguments: TodoOrder.allCases)
  func pages(order: TodoOrder) throws {
    try fill()
    for view in [TodoView.open, .all, .done] {
      let query = TodoQuery(view: view, order: order)
      let all = try list.items(query, .first, count: 1_000)
      var run: [TodoItem] = []
      try list.forEachRun(of: query, size: 7) { run += $0 }
      #expect(run == all && all.count > 10)
      for _ in 0..<2 {
        for (index, item) in all.enumerated() {
          #expect(try list.position(of: item, in: query) == index)
          #expect(try list.items(query, .after(item), count: 4) == Array(all[(index + 1)...].prefix(4)))
          #expect(try list.items(query, .before(item), count: 4) == Array(all[..<index].suffix(4)))
        }
        #expect(try list.items(query, .last, count: 5) == Array(all.suffix(5)))
        try list.prepare(order, view: view)
      }
    }
  }

  @Test("each order puts first what its name says")
  func first() throws {
    for text in ["milk due:2026-12-24", "(B) bread", "Apples due:2026-11-30", "(A) zebra"] {
      device.world.advance(milliseconds: 10)
      try list.add(text)
    }
    func texts(_ order: TodoOrder) throws -> [String] {
      try list.items(TodoQuery(order: order), .first, count: 10).map(\.text)
    }
    #expect(try texts(.text) == ["(A) zebra", "(B) bread", "Apples due:2026-11-30", "milk due:2026-12-24"])
    #expect(try texts(.due) == ["Apples due:2026-11-30", "milk due:2026-12-24", "(A) zebra", "(B) bread"])
    #expect(try texts(.priority) == ["(A) zebra", "(B) bread", "Apples due:2026-11-30", "milk due:2026-12-24"])
    #expect(try texts(.updated) == texts(.created).reversed(), "no server has stored any of them")
  }

  @Test("once prepared, a page comes out of the index, wherever it begins", arguments: TodoOrder.allCases)
  func plan(order: TodoOrder) throws {
    try fill()
    for view in [TodoView.open, .all, .done] {
      let query = TodoQuery(view: view, order: order)
      let item = try #require(try list.items(query, .first, count: 9).last)
      try list.prepare(order, view: view)
      try list.prepare(order, view: view)
      for anchor in [TodoAnchor.first, .last, .after(item), .before(item)] {
        let rows = try query.rows(anchor, limit: 10, today: list.today())
        let steps = try plan { try RowSQL(rows, shape: $0).runs(selecting: $0.selection) }
        let index = order.index(for: view)?.name ?? "TodoItem_inOrder"
        #expect(steps.allSatisfy { $0.contains("USING INDEX \(index)") || $0.contains("sqlite_autoindex") }, "\(steps)")
        #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
      }
    }
  }

  @Test(
    "once prepared, items are counted by date in the order of the index", arguments: [TodoView.agenda, .all, .done])
  func planOfCounts(view: TodoView) throws {
    try fill()
    try list.prepare(.due, view: view)
    let index = try #require(TodoOrder.due.index(for: view)).name
    let rows = try TodoQuery(view: view, order: .due).rows(today: list.today())
    let steps = try plan { try RowSQL(rows, shape: $0).counts(by: .due) }
    #expect(steps.allSatisfy { $0.contains("INDEX \(index)") }, "\(steps)")
    #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
  }

  /// The steps by which SQLite would run the statements, each with 10 for its limit, if it has one.
  private func plan(_ runs: (TableShape) throws -> [SQLFragment]) throws -> [String] {
    try DatabaseQueue(path: device.path).read { database in
      let shape = try SQLiteTransaction(database: database).shape(TodoList.table)
      return try runs(shape).flatMap { run in
        let limit: [any DatabaseValueConvertible] = run.sql.hasSuffix("LIMIT ?") ? [10] : []
        return try Row.fetchAll(
          database, sql: "EXPLAIN QUERY PLAN " + run.sql, arguments: StatementArguments(run.databaseValues + limit)
        ).map { $0["detail"] as String }
      }
    }
  }

  @Test("another tool can write to a table whose orders are prepared, and to no other columns")
  func plainTable() throws {
    for order in TodoOrder.allCases { try list.prepare(order, view: .all) }
    let queue = try DatabaseQueue(path: device.path)
    try queue.write {
      try $0.execute(sql: "INSERT INTO TodoItem (id, text) VALUES ('a', '(A) x due:now'), ('b', 'y due:2026-12-24')")
    }
    #expect(try list.items(TodoQuery(view: .all, order: .due), .first, count: 9).map(\.id) == ["b", "a"])
    let columns = try queue.read { try $0.columns(in: "TodoItem").map(\.name) }
    #expect(columns == ["id", "text", "complete", "createdAt", "updatedAt", "version", "deleted"])
  }
}
