import FoundationEssentials
import GRDB
import Glibc
import OfflineSync
import Support
import TableProtocol
import Testing

@testable import SQLiteStore

@Suite("The connections of a store")
struct StoreConnectionTests {
  /// The open items by their texts.
  static let openByText = RowIndex(
    name: "by_text", table: "TodoItem", flag: RowIndex.Flag("complete", is: false), order: [RowKey(.column("text"))])

  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("ebb.sqlite")
    let store = try SQLiteStore(path: path)
    try store.write { try $0.upsert([Record(id: "a", values: ["text": .text("milk")])], in: "TodoItem") }
  }

  @Test(
    "a store that is there reads, writes, and reads what it wrote, whatever it is opened for",
    arguments: [SQLiteStore.Use.longUse, .oneCommand])
  func both(use: SQLiteStore.Use) throws {
    let store = try SQLiteStore(path: path, for: use)
    #expect(try ids(store) == ["a"])
    try store.write { try $0.upsert([Record(id: "b", values: [:])], in: "TodoItem") }
    #expect(try ids(store) == ["a", "b"])
    #expect(try SQLiteStore(path: path).read { try $0.ids(beginning: "", in: "TodoItem") } == ["a", "b"])
  }

  @Test(
    "a second store on the file takes no lock away from the first one",
    arguments: [SQLiteStore.Use.longUse, .oneCommand])
  func locks(use: SQLiteStore.Use) throws {
    let first = try SQLiteStore(path: path)
    try first.write { try $0.upsert([Record(id: "b", values: [:])], in: "TodoItem") }
    let before = try FileLocks.ofDatabase(at: path)
    #expect(before > 0)
    do {
      let second = try SQLiteStore(path: path, for: use)
      #expect(try ids(second) == ["a", "b"])
    }
    #expect(try FileLocks.ofDatabase(at: path) == before)
    withExtendedLifetime(first) {}
  }

  @Test("a store whose file was removed or replaced takes no change, and can still be read")
  func replaced() throws {
    let store = try SQLiteStore(path: path)
    try store.write { try $0.upsert([Record(id: "b", values: [:])], in: "TodoItem") }
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(rename(copy, path) == 0)
    #expect(throws: StoreError.fileGone(path: path)) {
      try store.write { try $0.upsert([Record(id: "c", values: [:])], in: "TodoItem") }
    }
    #expect(try ids(store) == ["a", "b"])
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: StoreError.fileGone(path: path)) { try store.write { try $0.setFact("a", "b") } }
  }

  @Test("a store whose log was removed takes no change, and keeps in its file what it had", arguments: [false, true])
  func logRemoved(another: Bool) throws {
    do {
      let store = try SQLiteStore(path: path)
      try store.write { try $0.upsert([Record(id: "b", values: [:])], in: "TodoItem") }
      try FileManager.default.removeItem(atPath: path + "-wal")
      for _ in 0..<2 {
        #expect(throws: StoreError.fileGone(path: path + "-wal")) {
          try store.write { try $0.upsert([Record(id: "c", values: [:])], in: "TodoItem") }
        }
      }
      #expect(try ids(store) == ["a", "b"])
      if another {
        let other = try SQLiteStore(path: path)
        #expect(try ids(other) == ["a", "b"])
        try other.write { try $0.upsert([Record(id: "d", values: [:])], in: "TodoItem") }
      }
      withExtendedLifetime(store) {}
    }
    #expect(try ids(SQLiteStore(path: path)) == ["a", "b"] + (another ? ["d"] : []))
  }

  @Test("a program that ends without closing its store saves a log that was removed")
  func logRemovedBeforeExit() throws {
    let store = try SQLiteStore(path: path)
    try store.write { try $0.upsert([Record(id: "b", values: [:])], in: "TodoItem") }
    try FileManager.default.removeItem(atPath: path + "-wal")
    store.tidyUp()
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try ids(SQLiteStore(path: copy)) == ["a", "b"])
    withExtendedLifetime(store) {}
  }

  @Test(
    "a store that only reads after its log was removed leaves it all in its file",
    arguments: [SQLiteStore.Use.longUse, .oneCommand])
  func logRemovedBeforeTheEnd(use: SQLiteStore.Use) throws {
    do {
      let store = try SQLiteStore(path: path, for: use)
      try store.write { try $0.upsert([Record(id: "b", values: [:])], in: "TodoItem") }
      try FileManager.default.removeItem(atPath: path + "-wal")
      #expect(try ids(store) == ["a", "b"])
    }
    #expect(try ids(SQLiteStore(path: path)) == ["a", "b"])
  }

  @Test("a read in the middle of another one, and a write in the middle of a read, wait for nobody")
  func nested() throws {
    let store = try SQLiteStore(path: path)
    try store.read { reader in
      #expect(try reader.ids(beginning: "", in: "TodoItem") == ["a"])
      #expect(try ids(store) == ["a"])
      try store.write { try $0.upsert([Record(id: "b", values: [:])], in: "TodoItem") }
      #expect(try reader.ids(beginning: "", in: "TodoItem") == ["a"])
    }
    #expect(try ids(store) == ["a", "b"])
  }

  @Test("an order prepared after another tool counted the rows (ANALYZE) leaves the other orders unsorted")
  func statistics() throws {
    let analysed = try DatabaseQueue(path: path)
    try analysed.write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000)
          INSERT INTO TodoItem (id, text) SELECT 'item' || n, 'text ' || n FROM number; ANALYZE
          """)
    }
    try analysed.close()
    try SQLiteStore(path: path).write { try $0.prepare(Self.openByText) }
    let reader = try DatabaseQueue(path: path)
    let plan = try reader.read { database in
      try String.fetchAll(
        database,
        sql: "EXPLAIN QUERY PLAN SELECT * FROM TodoItem WHERE complete = 0 ORDER BY createdAt, id LIMIT 24",
        adapter: SuffixRowAdapter(fromIndex: 3))
    }
    #expect(plan == ["SEARCH TodoItem USING INDEX TodoItem_inOrderByState (complete=?)"])
  }

  @Test("statistics of a moment at which the journal was small (ANALYZE) do not have all of it read later")
  func oldStatistics() throws {
    let analysed = try DatabaseQueue(path: path)
    try analysed.write { database in
      try database.execute(
        sql: """
          INSERT INTO MS_TableOperations ("table", itemId, properties) VALUES ('TodoItem', 'a', '{}');
          INSERT INTO Ebb_Versions ("table", itemId, number, origin) VALUES ('TodoItem', 'a', 1, 'here'); ANALYZE
          """)
    }
    try analysed.close()
    let store = try SQLiteStore(path: path)
    let many = Array(repeating: "'a'", count: 500).joined(separator: ", ")
    let sql = [
      #"SELECT id FROM MS_TableOperations WHERE itemId IN (\#(many)) AND "table" = 'TodoItem' ORDER BY id"#,
      "SELECT itemId, number FROM Ebb_Versions WHERE id > 5 AND number > 50",
    ]
    let plans = try store.write { transaction in
      let database = try #require(transaction as? SQLiteTransaction).database
      return try sql.flatMap {
        try String.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + $0, adapter: SuffixRowAdapter(fromIndex: 3))
      }
    }
    #expect(plans.allSatisfy { !$0.hasPrefix("SCAN") }, "\(plans)")
  }

  @Test(
    "statistics that come while a program has the store open are gone after its next write",
    arguments: [SQLiteStore.Use.longUse, .oneCommand])
  func statisticsMeanwhile(use: SQLiteStore.Use) throws {
    let store = try SQLiteStore(path: path, for: use)
    try store.write { try $0.setFact("a", "1") }
    let other = try DatabaseQueue(path: path)
    try other.write { try $0.execute(sql: "INSERT INTO TodoItem (id, text) VALUES ('b', 'b'); ANALYZE") }
    try store.write { try $0.prepare(Self.openByText) }
    let left = try other.read {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'sqlite_stat%'")
    }
    #expect(left == [])
    let plan = try store.read { reader in
      try String.fetchAll(
        try #require(reader as? SQLiteTransaction).database,
        sql: "EXPLAIN QUERY PLAN SELECT * FROM TodoItem WHERE complete = 0 ORDER BY createdAt, id LIMIT 24",
        adapter: SuffixRowAdapter(fromIndex: 3))
    }
    #expect(plan == ["SEARCH TodoItem USING INDEX TodoItem_inOrderByState (complete=?)"])
  }

  @Test("statistics do not make a program wait that only reads while another one writes")
  func statisticsAndReaders() throws {
    let other = try DatabaseQueue(path: path)
    try other.write { try $0.execute(sql: "INSERT INTO TodoItem (id, text) VALUES ('b', 'b'); ANALYZE") }
    try other.inTransaction(.immediate) { _ in
      let store = try SQLiteStore(path: path)
      #expect(try store.read { try $0.fact("a") } == nil)
      return .rollback
    }
  }

  @Test("a newer version that is only in the log is refused", arguments: [SQLiteStore.Use.longUse, .oneCommand])
  func newerInTheLog(use: SQLiteStore.Use) throws {
    let other = try DatabasePool(path: path)
    try other.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 9999") }
    #expect(throws: StoreError.newerVersion(path: path)) { try SQLiteStore(path: path, for: use) }
    try other.close()
  }

  @Test("a command leaves its changes in the log, and one of many commands puts them into the file")
  func commands() throws {
    let file = try Data(contentsOf: URL(filePath: path))
    try command(0)
    #expect(try Data(contentsOf: URL(filePath: path)) == file)
    for number in 1...400 { try command(number) }
    #expect(try Data(contentsOf: URL(filePath: path)) != file)
    #expect(try size(of: path + "-wal") < 2 * WriteAheadLog.mostKept)
    #expect(try ids(SQLiteStore(path: path)).count == 402)
  }

  @Test("a long log is emptied by the program that closes the store last")
  func longUse() throws {
    do {
      let store = try SQLiteStore(path: path)
      let rows = (0..<4_000).map { Record(id: RecordID("row \($0)"), values: ["text": .text("milk and bread")]) }
      try store.write { try $0.upsert(rows, in: "TodoItem") }
      #expect(try size(of: path + "-wal") > WriteAheadLog.mostKept)
    }
    #expect(try size(of: path + "-wal") == 0)
    #expect(try ids(SQLiteStore(path: path)).count == 4_001)
  }

  @Test("a long log is emptied by a program that ends while its threads have the store, but not under a writer")
  func endOfProgram() throws {
    let (store, other) = (try SQLiteStore(path: path), try DatabasePool(path: path))
    let rows = (0..<4_000).map { Record(id: RecordID("row \($0)"), values: ["text": .text("milk and bread")]) }
    try store.write { try $0.upsert(rows, in: "TodoItem") }
    try other.write { _ in store.tidyUp() }
    #expect(try size(of: path + "-wal") > WriteAheadLog.mostKept)
    store.tidyUp()
    #expect(try size(of: path + "-wal") == 0)
    try other.close()
    #expect(try ids(store).count == 4_001)
  }

  @Test(
    "a connection that reads many rows by their ids keeps as many pages after it as before", arguments: [300, 70_000])
  func pagesAfterReading(kibibytes: Int) throws {
    let ids = (0...SQLiteTransaction.manyRows).map { RecordID("row \($0)") }
    try SQLiteStore(path: path).read { store in
      guard let transaction = store as? SQLiteTransaction else {
        Issue.record("\(store)")
        return
      }
      try transaction.database.execute(sql: "PRAGMA cache_size = -\(kibibytes)")
      #expect(try transaction.records(ids, in: "TodoItem").isEmpty)
      #expect(try PageCache.size(in: transaction.database) == -kibibytes)
    }
  }

  @Test("a connection that writes many rows keeps as many pages after it as before")
  func pagesAfterWriting() throws {
    let store = try SQLiteStore(path: path)
    let rows = (0...SQLiteTransaction.manyRows).map { Record(id: RecordID("row \($0)"), values: [:]) }
    func pages(after body: (any StoreWriter) throws -> Void = { _ in }) throws -> Int? {
      try store.write { writer in
        try body(writer)
        return try (writer as? SQLiteTransaction).flatMap { try PageCache.size(in: $0.database) }
      }
    }
    let before = try pages()
    let meanwhile = try pages { try $0.upsert(rows, in: "TodoItem") }
    #expect(before == -PageCache.writing.rawValue)
    #expect(meanwhile == -PageCache.writingManyRows.rawValue)
    #expect(try pages() == before)
  }

  private func command(_ number: Int) throws {
    let store = try SQLiteStore(path: path, for: .oneCommand)
    try store.write { try $0.upsert([Record(id: RecordID("item \(number)"), values: [:])], in: "TodoItem") }
  }

  private func ids(_ store: SQLiteStore) throws -> [RecordID] {
    try store.read { try $0.ids(beginning: "", in: "TodoItem") }
  }

  private func size(of file: String) throws -> Int {
    try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
  }
}
