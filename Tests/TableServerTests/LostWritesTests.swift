import FoundationEssentials
import GRDB
import Glibc
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("What a server wrote and its database has no more")
struct LostWritesTests {
  private let table = "/tables/TodoItem"

  /// The moments of two rows, of which the second is in the log alone, and the files as a killed server leaves them.
  private func killed(_ file: ServerDatabaseFile) async throws -> [Timestamp] {
    let left = file.folder.appending(path: "left")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    var moments = try await TestServer.result(databasePath: file.path) { server async throws in
      [try #require(try await server.insert("a").system.updatedAt)]
    }
    moments += try await TestServer.result(databasePath: file.path) { server async throws in
      let moment = try #require(try await server.insert("b").system.updatedAt)
      for end in ["", "-wal", "-mark"] {
        let name = "server.sqlite\(end)"
        try FileManager.default.copyItem(at: file.folder.appending(path: name), to: left.appending(path: name))
      }
      return [moment]
    }
    for end in ["", "-wal", "-shm", "-mark"] { try? FileManager.default.removeItem(atPath: file.path + end) }
    for end in ["", "-wal", "-mark"] {
      let name = "server.sqlite\(end)"
      try FileManager.default.moveItem(at: left.appending(path: name), to: file.folder.appending(path: name))
    }
    return moments
  }

  private func ids(_ file: ServerDatabaseFile) async throws -> [RecordID] {
    try await TestServer.result(databasePath: file.path) { try await $0.ids("id ne ''") }
  }

  @Test("is not missed after a crash, since the log has it")
  func crash() async throws {
    try await ServerDatabaseFile.use { file in
      _ = try await killed(file)
      #expect(try await ids(file) == ["a", "b"])
      #expect(try await ids(file) == ["a", "b"])
    }
  }

  @Test("is in the log alone after a crash until a server starts: a look at the database leaves it there")
  func looks() async throws {
    try await ServerDatabaseFile.use { file in
      _ = try await killed(file)
      func contents() throws -> [Data] { try ["", "-wal"].map { try Data(contentsOf: URL(filePath: file.path + $0)) } }
      let left = try contents()
      #expect(left.allSatisfy { !$0.isEmpty })
      #expect(DatabaseLocation(file.path).wereTokensGiven == false)
      #expect(try ServerDatabase(path: file.path).check().findings == [])
      #expect(try contents() == left)
      #expect(try await ids(file) == ["a", "b"])
    }
  }

  @Test("is missed if the log is removed or damaged after a crash: nothing is served until somebody decides")
  func lostLog() async throws {
    for isRemoved in [true, false] {
      try await ServerDatabaseFile.use { file in
        let moments = try await killed(file)
        let log = file.path + "-wal"
        let bytes = try Data(contentsOf: URL(filePath: log))
        if isRemoved {
          try FileManager.default.removeItem(atPath: log)
        } else {
          try Data(bytes.map { $0 ^ 0x55 }).write(to: URL(filePath: log))
        }
        let error = ServerError.database(.lacksWrites(path: file.path, reached: moments[1], has: moments[0]))
        await #expect(throws: error) { _ = try await ids(file) }
        let finding = DatabaseFinding.lacksWrites(path: file.path, reached: moments[1], has: moments[0])
        #expect(try ServerDatabase(path: file.path).check().findings == [finding])
        let epoch = try TableServer.raiseEpoch(ofDatabase: file.path, clock: TestServer.systemClock)
        #expect(epoch.number == 2 && epoch.from == moments[0])
        #expect(try await ids(file) == ["a"])
      }
    }
  }

  @Test("is missed if an older copy is in the place of the database, and not in that of another one")
  func olderCopy() async throws {
    try await ServerDatabaseFile.use { file in
      let copy = file.folder.appending(path: "copy").path
      let clock = TestServer.clock(standingAt: 5_000)
      try await TestServer.run(databasePath: file.path, clock: clock) { try await $0.insert("a") }
      _ = try ServerDatabase(path: file.path).backUp(to: copy)
      try await TestServer.run(databasePath: file.path, clock: clock) { server async throws in
        try await server.insert("b")
        _ = try await server.send(.delete, "\(table)/a")
      }
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) }
      try FileManager.default.copyItem(atPath: copy, toPath: file.path)
      let (reached, has) = (Timestamp(milliseconds: 5_002), Timestamp(milliseconds: 5_000))
      await #expect(throws: ServerError.database(.lacksWrites(path: file.path, reached: reached, has: has))) {
        _ = try await ids(file)
      }
      // A command puts it back as it should be, whatever the machine's clock says.
      _ = try ServerDatabase(path: file.path).restore(from: copy, clock: clock)
      #expect(try await ids(file) == ["a"])
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) }
      #expect(try await ids(file) == [], "a new database is no older copy")
      #expect(try await ids(file) == [])
    }
  }

  @Test("and has only in the log beside the place of the file: nothing is made there, and with the file all is back")
  func onlyLog() async throws {
    try await ServerDatabaseFile.use { file in
      _ = try await killed(file)
      let (aside, log) = (file.folder.appending(path: "aside").path, file.path + "-wal")
      let written = try Data(contentsOf: URL(filePath: log))
      try FileManager.default.moveItem(atPath: file.path, toPath: aside)
      await #expect(throws: ServerError.database(.onlyLog(path: file.path))) { _ = try await ids(file) }
      #expect(!FileManager.default.fileExists(atPath: file.path))
      #expect(try Data(contentsOf: URL(filePath: log)) == written)
      try FileManager.default.moveItem(atPath: aside, toPath: file.path)
      #expect(try await ids(file) == ["a", "b"])
    }
  }

  @Test("would not be noticed without its mark: a mark that is a link or can't be read is named, and nothing is served")
  func unreadableMark() async throws {
    try await ServerDatabaseFile.use { file in
      let (mark, aside) = (file.path + "-mark", file.folder.appending(path: "aside").path)
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a") }
      try FileManager.default.moveItem(atPath: mark, toPath: aside)
      try FileManager.default.createSymbolicLink(atPath: mark, withDestinationPath: aside)
      let error = ServerDatabaseError.unreadableMark(path: mark, reason: "too many levels of symbolic links")
      await #expect(throws: ServerError.database(error)) { _ = try await ids(file) }
      let report = try ServerDatabase(path: file.path).check()
      #expect(report.items == 1)
      #expect(report.findings == [.unreadableMark(path: mark, reason: "too many levels of symbolic links")])
      try FileManager.default.removeItem(atPath: mark)
      #expect(try await ids(file) == ["a"])
    }
  }

  @Test("is noticed in the list that lost it, and a list that is gone is lost")
  func lists() async throws {
    try await ServerDatabaseFile.use { file in
      let policy = TablePolicy(.open)
      let clock = TestServer.clock(standingAt: 5_000)
      try await TestServer.run(databasePath: file.path, clock: clock, tables: policy) { server async throws in
        for _ in 0..<3 { try await server.insert(RecordID(UUID().uuidString)) }
        #expect(try await server.send(.post, "/tables/movies", body: "{}").status == 201)
      }
      try await file.run("DELETE FROM StoredList WHERE name = 'movies'")
      let error = ServerError.database(
        .lacksWrites(path: file.path, reached: Timestamp(milliseconds: 5_000), has: .epoch))
      await #expect(throws: error) { _ = try await ids(file) }
    }
  }

  /// A server writes to the list of to-do items, number 1, and to that of movies, number 2.
  private func writeTwoLists(_ file: ServerDatabaseFile) async throws {
    try await TestServer.run(databasePath: file.path, tables: TablePolicy(.open)) { server async throws in
      try await server.insert("a")
      #expect(try await server.send(.post, "/tables/movies", body: "{}").status == 201)
    }
    #expect(try marked(file) == [1, 2])
  }

  /// The numbers of the lists that the mark has a moment of.
  private func marked(_ file: ServerDatabaseFile) throws -> [Int64] {
    let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
    defer { try? storage.close() }
    return try storage.mark.moments(storage.identity).keys.sorted()
  }

  @Test("is not missed in a list that the keeper has removed, and still is in every other")
  func removed() async throws {
    let movies = try #require(ServedTable(named: "movies"))
    try await ServerDatabaseFile.use { file in
      try await writeTwoLists(file)
      let removed = try await ServerDatabase(path: file.path).remove([movies], .ofTests)
      #expect(try removed.lists == 1 && marked(file) == [1])
      #expect(try await ids(file) == ["a"])
    }
  }

  @Test("is no more missed in a list as soon as its removal is about to be committed, also if that fails")
  func failedRemoval() async throws {
    let movies = try #require(ServedTable(named: "movies"))
    try await ServerDatabaseFile.use { file in
      try await writeTwoLists(file)
      // All statements of the removal succeed, and the commit finds that something still refers to the list.
      try await file.run(
        """
        CREATE TABLE Reference (list INTEGER REFERENCES StoredList (number) DEFERRABLE INITIALLY DEFERRED);
        INSERT INTO Reference VALUES (2)
        """)
      let database = ServerDatabase(path: file.path)
      await #expect(throws: ServerDatabaseError.self) { _ = try await database.remove([movies], .ofTests) }
      #expect(try marked(file) == [1])
      #expect(try await database.tables(.ofTests).map(\.table.name) == ["TodoItem", "movies"])
      #expect(try await ids(file) == ["a"])
    }
  }

  @Test("would be missed in a removed list if its mark could not be written: then the removal fails, and says why")
  func unwritableMark() async throws {
    try await ServerDatabaseFile.use { file in
      let mark = file.path + "-mark"
      #expect(mkfifo(mark, 0o600) == 0)
      #expect(throws: StorageError.failed("\(mark): No such device or address"), "nobody reads the pipe") {
        try WriteMark(database: file.path).forget([1])
      }
      let reader = open(mark, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      #expect(throws: StorageError.failed("\(mark): Illegal seek")) {
        try WriteMark(database: file.path).forget([1])
      }
    }
  }

  /// The first page of the index that pulls go by.
  private func indexPage(_ file: ServerDatabaseFile) async throws -> Int {
    let queue = try DatabaseQueue(path: file.path)
    let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'TodoItem_updatedAt'"
    let page = try await queue.read { try Int.fetchOne($0, sql: sql) }
    try queue.close()
    return try #require(page)
  }

  @Test("a file that was cut off, or whose index has a damaged page, is refused at the start, by its name")
  func pages() async throws {
    for isCut in [true, false] {
      try await ServerDatabaseFile.use { file in
        try await TestServer.run(databasePath: file.path) { server async throws in
          for number in 0..<300 { try await server.insert("row\(number)", #""text":"some words""#) }
        }
        try await file.run("PRAGMA wal_checkpoint(TRUNCATE)")
        var bytes = try Data(contentsOf: URL(filePath: file.path))
        let page = try await indexPage(file)
        for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) }
        if isCut {
          bytes = bytes.prefix(bytes.count - 8_192)
        } else {
          bytes.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(repeating: 0, count: 4_096))
        }
        try bytes.write(to: URL(filePath: file.path))
        do {
          _ = try await ids(file)
          Issue.record("it started")
        } catch ServerError.database(.damaged(let path, _)) {
          #expect(path == file.path)
        }
      }
    }
  }
}
