import FoundationEssentials
import GRDB
import StorageSupport
import Synchronization
import TableProtocol
import TableSQL
import Testing

@testable import TableStorage

@Suite("A brief read", .timeLimit(.minutes(5)))
struct BriefReadTests {
  private typealias Record = TableProtocol.Record

  private func withStorage(_ body: (SQLiteStorage, ServerDatabaseFile) async throws -> Void) async throws {
    try await ServerDatabaseFile.use { file in
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      defer { try? storage.close() }
      try await body(storage, file)
    }
  }

  private static func fill(_ storage: SQLiteStorage, _ count: Int) async throws {
    try await storage.write(.first) { list in
      for number in 0..<count {
        var row = Record(id: "row\(number)", values: ["text": .text("some words")])
        let moment = Timestamp(milliseconds: Int64(number))
        row.system = SystemProperties(createdAt: moment, updatedAt: moment, version: RecordVersion("v"))
        try list.insert(row)
      }
    }
  }

  @Test("runs once, on the thread that asks")
  func once() async throws {
    try await withStorage { storage, file in
      try await Self.fill(storage, 3)
      let runs = Mutex(0)
      let readers = BriefReaders(path: file.path)
      let found = try readers.read(.first) { list in
        runs.withLock { $0 += 1 }
        return try list.row("row1")
      }
      #expect(found??.values["text"] == .text("some words"))
      #expect(runs.withLock(\.self) == 1)
    }
  }

  @Test("begins anew on another thread if it takes long, and answers the same")
  func long() async throws {
    try await withStorage { storage, file in
      try await Self.fill(storage, 20_000)
      let runs = Mutex(0)
      let read: @Sendable (any StoredList) throws -> Int = { list in
        runs.withLock { $0 += 1 }
        var count = 0
        for _ in 0..<20 { count += try list.count(of: ListQuery(nulls: .sql, limit: 1)) }
        return count
      }
      let answer = try BriefReaders(path: file.path).read(.first, read)
      #expect(answer == nil)
      #expect(try await storage.read(.first, read) == 400_000)
      #expect(runs.withLock(\.self) == 3)
    }
  }

  @Test("has no answer of a list whose time ran out, even if that was passed over")
  func passedOver() async throws {
    try await withStorage { storage, file in
      try await Self.fill(storage, 20_000)
      let answer = try BriefReaders(path: file.path).read(.first) { list in
        for _ in 0..<20 { _ = try? list.count(of: ListQuery(nulls: .sql, limit: 1)) }
        return "all is well"
      }
      #expect(answer == nil)
    }
  }

  @Test("sees a column, and a list, that came since the one before")
  func newColumn() async throws {
    try await withStorage { storage, file in
      let readers = BriefReaders(path: file.path)
      let columns = { try readers.read(.first) { $0.schema.columns.map(\.name) } }
      #expect(try columns() == ["text", "complete"])
      try await storage.write(.first) { list in
        try list.add([TableColumn(name: "note", kind: .text)])
        let system = SystemProperties(createdAt: .epoch, updatedAt: .epoch, version: RecordVersion("v"))
        try list.insert(Record(id: "row", values: ["note": .text("new")], system: system))
      }
      #expect(try columns() == ["text", "complete", "note"])
      let note = try readers.read(.first) { try $0.row("row")?.values["note"] }
      #expect(note == .text("new"))
    }
  }

  @Test("knows no list any more whose owner has changed since, and finds it under the new one")
  func handedOver() async throws {
    try await withStorage { storage, file in
      try await Self.fill(storage, 3)
      let readers = BriefReaders(path: file.path)
      let hers = ListID(.todoItem, owner: UserName("ada"))
      let texts = { (list: ListID) in try readers.read(list) { try $0.row("row1")?.values["text"] } }
      #expect(try texts(.first) == .text("some words") && texts(hers) == .some(nil))
      let grant = Grant(id: "", user: try #require(UserName("ada")), scope: .sync, createdAt: .epoch)
      _ = try storage.add(grant, TokenDigest(hash: Array(repeating: 1, count: 32)))
      #expect(try texts(.first) == .some(nil) && texts(hers) == .text("some words"))
    }
  }

  @Test("does not keep what a writer took back")
  func takenBack() async throws {
    struct Regret: Error {}
    try await withStorage { storage, file in
      let readers = BriefReaders(path: file.path)
      let columns = { try readers.read(.first) { $0.schema.columns.map(\.name) } }
      await #expect(throws: Regret.self) {
        try await storage.write(.first) { list in
          try list.add([TableColumn(name: "first", kind: .text)])
          throw Regret()
        }
      }
      #expect(try columns() == ["text", "complete"])
      try await storage.write(.first) { list in
        try list.add([TableColumn(name: "second", kind: .text)])
        let system = SystemProperties(createdAt: .epoch, updatedAt: .epoch, version: RecordVersion("v"))
        try list.insert(Record(id: "row", values: [:], system: system))
      }
      #expect(try columns() == ["text", "complete", "second"])
    }
  }

  @Test("waits for nobody: when all connections are in use there is no answer")
  func allInUse() async throws {
    try await withStorage { storage, file in
      let readers = BriefReaders(path: file.path)
      func nested(_ depth: Int) throws -> Int {
        try readers.read(.first) { _ in try nested(depth + 1) } ?? depth
      }
      let deepest = try nested(0)
      #expect((2...8).contains(deepest))
      let again = try readers.read(.first) { _ in true }
      #expect(again == true, "they are given back")
    }
  }

  @Test("gives no answer while another program has the file to itself")
  func busy() async throws {
    try await ServerDatabaseFile.use { file in
      try SQLiteStorage(path: file.path, makeUUID: { UUID() }).close()
      let readers = BriefReaders(path: file.path)
      let other = try DatabaseQueue(path: file.path)
      let answer = try await other.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        defer { try? database.execute(sql: "COMMIT") }
        return try readers.read(.first) { try $0.row("row") == nil }
      }
      #expect(answer == nil)
    }
  }

  @Test("never looks at a whole list")
  func check() async throws {
    try await withStorage { storage, file in
      try await Self.fill(storage, 3)
      let answer = try BriefReaders(path: file.path).read(.first) { try $0.check().counted.count }
      #expect(answer == nil)
      #expect(try await storage.read(.first) { try $0.check().counted.count } == 3)
    }
  }

  @Test("is done by another connection after many different queries, so that none keeps ever more of them")
  func usedUp() async throws {
    try await withStorage { storage, file in
      let readers = BriefReaders(path: file.path)
      let connections = Mutex<Set<ObjectIdentifier>>([])
      for number in 1...200 {
        let words = Array(repeating: "complete eq true", count: number)
        let filter = try FilterParser.parse(words.joined(separator: " or "))
        _ = try readers.read(.first) { list in
          let connection = (list as? SQLiteStoredList).map { ObjectIdentifier($0.database) }
          connections.withLock { $0.formUnion([connection].compactMap(\.self)) }
          return try list.count(of: ListQuery(filter: filter, nulls: .sql, limit: 1))
        }
      }
      #expect(connections.withLock(\.count) >= 2)
    }
  }

  @Test("gives no answer once the storage is closed")
  func closed() async throws {
    try await withStorage { storage, file in
      let readers = BriefReaders(path: file.path)
      let before = try readers.read(.first) { _ in true }
      readers.close()
      let after = try readers.read(.first) { _ in true }
      #expect(before == true && after == nil)
    }
  }
}
