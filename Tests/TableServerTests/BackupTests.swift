import FoundationEssentials
import GRDB
import Glibc
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A server's database is backed up, put back and looked at")
struct BackupTests {
  private func size(_ path: String) throws -> Int { try Data(contentsOf: URL(filePath: path)).count }

  private func names(_ file: ServerDatabaseFile) throws -> Set<String> {
    try file.names
  }

  /// A database with the rows a, b and c, of which b was deleted.
  private func fill(_ file: ServerDatabaseFile) async throws {
    try await TestServer.run(databasePath: file.path) { server async throws in
      for id: RecordID in ["a", "b", "c"] { try await server.insert(id, #""text":"secret words""#) }
      _ = try await server.send(.delete, "/tables/TodoItem/b")
    }
  }

  private func problem(_ body: () throws -> Void) -> BackupProblem? {
    do {
      try body()
    } catch ServerDatabaseError.backup(let problem) {
      return problem
    } catch {
      Issue.record("another error: \(error)")
    }
    return nil
  }

  @Test("a backup made while the server writes is one whole state, in one file that only its owner can read")
  func online() async throws {
    try await ServerDatabaseFile.use { file in
      let backup = file.folder.appending(path: "copy").path
      let report = try await TestServer.result(databasePath: file.path) { server async throws in
        for number in 0..<20 { try await server.insert("before\(number)") }
        async let writes: Void = {
          for number in 0..<40 { try await server.insert("while\(number)") }
        }()
        let report = try ServerDatabase(path: file.path).backUp(to: backup)
        try await writes
        return report
      }
      #expect(report.lists == 1 && (20...60).contains(report.items) && report.findings == [])
      #expect(try ServerDatabase(path: backup).check() == report)
      #expect(try names(file).filter { $0.contains("copy") } == ["copy"], "no log beside it")
      let mode = try FileManager.default.attributesOfItem(atPath: backup)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }

  @Test("a backup of the server's own, or a look at its file, takes no lock away from it")
  func keepsLocks() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a")
        let before = try FileLocks.ofDatabase(at: file.path)
        #expect(before > 0)
        _ = try ServerDatabase(path: file.path).backUp(to: file.folder.appending(path: "copy").path) { false }
        #expect(try FileLocks.ofDatabase(at: file.path) == before)
        #expect(try DatabaseHeader.check(path: file.path))
        #expect(try FileLocks.ofDatabase(at: file.path) == before)
      }
    }
  }

  @Test("what a process left that was killed is removed by the next in the folder; what one still writes is not")
  func leftovers() async throws {
    try await ServerDatabaseFile.use { file in
      let abandoned = [".ebb-unfinished-0A1B2C3D", ".ebb-unfinished-0A1B2C3D-journal", ".ebb-unfinished-0A1B2C3D-wal"]
      let others = [".ebb-unfinished-notes", ".server.sqlite.0A1B2C3D", "ebb-unfinished-0A1B2C3D"]
      func leave() throws {
        for name in abandoned + others { try Data("x".utf8).write(to: file.folder.appending(path: name)) }
      }
      func backUp(_ name: String) throws {
        _ = try ServerDatabase(path: file.path).backUp(to: file.folder.appending(path: name).path)
      }
      try await fill(file)
      try leave()
      try UnfinishedFile.with(for: file.folder.appending(path: "slow").path) { slow in
        try backUp("first")
        #expect(access(slow.path, F_OK) == 0, "it is being written")
        #expect(try names(file).isDisjoint(with: abandoned) && names(file).isSuperset(of: others))
        try slow.finish()
      }
      #expect(try names(file).filter { $0.hasPrefix(".ebb-unfinished-") } == [".ebb-unfinished-notes"])
      try leave()
      try await TestServer.run(databasePath: file.path) { _ in }
      #expect(try names(file).isDisjoint(with: abandoned) && names(file).isSuperset(of: others + ["first", "slow"]))
    }
  }

  @Test("what is there is never overwritten, not even an empty file or a link to nothing")
  func neverOverwrites() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let backup = file.folder.appending(path: "copy").path
      try FileManager.default.createSymbolicLink(atPath: backup, withDestinationPath: "nowhere")
      #expect(
        problem { _ = try ServerDatabase(path: file.path).backUp(to: backup) } == BackupProblem.exists(path: backup))
      try FileManager.default.removeItem(atPath: backup)
      try Data().write(to: URL(filePath: backup))
      #expect(
        problem { _ = try ServerDatabase(path: file.path).backUp(to: backup) } == BackupProblem.exists(path: backup))
      #expect(try size(backup) == 0)
      #expect(try names(file).filter { !$0.hasPrefix("server.sqlite") } == ["copy"])
    }
  }

  @Test("a damaged database, a folder that is not there and no database leave nothing behind")
  func failures() async throws {
    try await ServerDatabaseFile.use { file in
      let database = ServerDatabase(path: file.path)
      let backup = file.folder.appending(path: "copy").path
      #expect(throws: ServerDatabaseError.noDatabase(path: file.path)) { try database.backUp(to: backup) }
      try await fill(file)
      let nowhere = file.folder.appending(path: "none/copy").path
      #expect(
        problem { _ = try database.backUp(to: nowhere) }
          == .failed(path: nowhere, reason: "no such file or directory"))
      try file.damage()
      let found = problem { _ = try database.backUp(to: backup) }
      guard case .damaged(file.path, _) = found else { throw Failure("\(String(describing: found))") }
      #expect(try names(file) == ["server.sqlite"])
    }
  }

  @Test("a backup that is put back begins an epoch, and the database that was there is kept whole beside it")
  func restoration() async throws {
    try await ServerDatabaseFile.use { file in
      let database = ServerDatabase(path: file.path)
      let backup = file.folder.appending(path: "copy").path
      try await fill(file)
      _ = try database.backUp(to: backup)
      let bytes = try Data(contentsOf: URL(filePath: backup))
      try await TestServer.run(databasePath: file.path) { try await $0.insert("later") }
      let now = try #require(Timestamp("2126-11-22T20:30:00.000Z"))
      let first = try database.restore(from: backup, clock: { now })
      let second = try database.restore(from: backup, clock: { now })
      #expect(first.epoch.number == 2 && second.epoch.number == 3 && first.epoch.nonce != second.epoch.nonce)
      #expect(first.report.items == 2 && first.report.lists == 1)
      #expect(first.old == file.path + ".2126-11-22T20-30-00Z" && second.old == file.path + ".2126-11-22T20-30-00Z-2")
      #expect(try ServerDatabase(path: try #require(first.old)).check().items == 3)
      #expect(try Data(contentsOf: URL(filePath: backup)) == bytes, "a backup is only read")
      #expect(try names(file).count == 4)
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await server.ids("id ne ''") == ["a", "c"])
        let last = try #require(try await server.insert("d").system.updatedAt)
        #expect(last > now, "no moment is given out twice")
      }
    }
  }

  @Test("the epoch rises above that of the database that was there, also if that was raised by hand")
  func risingEpoch() async throws {
    try await ServerDatabaseFile.use { file in
      let database = ServerDatabase(path: file.path)
      let backup = file.folder.appending(path: "copy").path
      try await fill(file)
      _ = try database.backUp(to: backup)
      for number in 2...3 {
        let raised = try TableServer.raiseEpoch(ofDatabase: file.path, clock: TestServer.systemClock)
        #expect(raised.number == number)
      }
      #expect(try database.restore(from: backup, clock: TestServer.systemClock).epoch.number == 4)
      try await file.run("UPDATE ServerIdentity SET epoch = 9223372036854775807")
      let restored = try database.restore(from: backup, clock: TestServer.systemClock)
      #expect(restored.epoch.number == 2, "that was damage")
    }
  }

  @Test("a token that was taken back since the backup lets nobody in after it")
  func revokedTokens() async throws {
    try await ServerDatabaseFile.use { file in
      let backup = file.folder.appending(path: "copy").path
      try await fill(file)
      func tokens<Value>(_ body: (ServerTokens) throws -> Value) throws -> Value {
        let tokens = try ServerTokens(database: file.path, makesDatabase: false, clock: TestServer.systemClock)
        defer { tokens.close() }
        return try body(tokens)
      }
      let anna = try #require(UserName("anna"))
      let ids = try tokens { tokens in
        try (0..<2).map { _ in try tokens.add(anna, label: "", scope: .sync, days: nil).grant.id }
      }
      _ = try ServerDatabase(path: file.path).backUp(to: backup)
      _ = try tokens { try $0.revoke(.id(ids[0])) }
      _ = try ServerDatabase(path: file.path).restore(from: backup, clock: TestServer.systemClock)
      #expect(try tokens { try $0.all().map(\.id) } == [ids[1]])
    }
  }

  @Test("a token that was given out since the backup and is lost with it is named, if it still let somebody in")
  func lostTokens() async throws {
    try await ServerDatabaseFile.use { file in
      let backup = file.folder.appending(path: "copy").path
      try await fill(file)
      let database = ServerDatabase(path: file.path)
      func give(_ user: String, _ label: String) throws -> Grant {
        let tokens = try ServerTokens(database: file.path, makesDatabase: false, clock: TestServer.systemClock)
        defer { tokens.close() }
        let name = try #require(UserName(user))
        let grant = try tokens.add(name, label: label, scope: .sync, days: nil).grant
        if label == "gone" { _ = try tokens.revoke(.id(grant.id)) }
        return grant
      }
      _ = try give("anna", "old")
      _ = try database.backUp(to: backup)
      _ = try give("anna", "gone")
      let expected = [try give("anna", "vm"), try give("bert", "")]
      let restoration = try database.restore(from: backup, clock: TestServer.systemClock)
      #expect(restoration.lostTokens.map(\.id) == expected.map(\.id) && !restoration.isOfOtherServer)
      #expect(try database.restore(from: backup, clock: TestServer.systemClock).lostTokens == [])
    }
  }

  @Test("a backup of another server is refused, unless that is what is wanted")
  func otherServer() async throws {
    try await ServerDatabaseFile.use { file in
      try await ServerDatabaseFile.use { other in
        try await fill(file)
        try await fill(other)
        let backup = file.folder.appending(path: "copy").path
        _ = try ServerDatabase(path: other.path).backUp(to: backup)
        let database = ServerDatabase(path: file.path)
        let before = try names(file)
        let refused = problem { _ = try database.restore(from: backup, clock: TestServer.systemClock) }
        #expect(refused == .ofOtherServer(backup: backup, path: file.path))
        #expect(try names(file).isSubset(of: before))
        let restoration = try database.restore(
          from: backup, allowsOtherServer: true, clock: TestServer.systemClock)
        #expect(restoration.isOfOtherServer && restoration.report.items == 2)
      }
    }
  }

  @Test("while a server runs nothing is put back, and nothing changes")
  func inUse() async throws {
    try await ServerDatabaseFile.use { file in
      let database = ServerDatabase(path: file.path)
      let backup = file.folder.appending(path: "copy").path
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a")
        _ = try database.backUp(to: backup)
        let found = problem { _ = try database.restore(from: backup, clock: TestServer.systemClock) }
        #expect(found == .inUse(path: file.path))
        try await server.insert("b")
        #expect(try await server.ids("id ne ''") == ["a", "b"])
        #expect(try names(file) == ["copy", "server.sqlite", "server.sqlite-wal", "server.sqlite-shm"])
      }
      #expect(try database.check().items == 2)
    }
  }

  @Test("a damaged database gives way to a backup, and a damaged backup to nothing")
  func damage() async throws {
    try await ServerDatabaseFile.use { file in
      let database = ServerDatabase(path: file.path)
      let copy = ServerDatabaseFile(folder: file.folder.appending(path: "copies"))
      try FileManager.default.createDirectory(at: copy.folder, withIntermediateDirectories: true)
      try await fill(file)
      _ = try database.backUp(to: copy.path)
      try file.damage()
      #expect(try !database.check().findings.isEmpty)
      let restored = try database.restore(from: copy.path, clock: TestServer.systemClock)
      #expect(restored.old != nil)
      #expect(try database.check() == restored.report)
      try copy.damage()
      let found = problem { _ = try database.restore(from: copy.path, clock: TestServer.systemClock) }
      guard case .damaged(copy.path, _) = found else { throw Failure("\(String(describing: found))") }
      #expect(try database.check() == restored.report)
    }
  }

  @Test("a database of which SQLite can't read even the size of its pages gives way to a backup, and is kept")
  func damagedHeader() async throws {
    try await ServerDatabaseFile.use { file in
      let database = ServerDatabase(path: file.path)
      let backup = file.folder.appending(path: "copy").path
      try await fill(file)
      _ = try database.backUp(to: backup)
      var bytes = try Data(contentsOf: URL(filePath: file.path))
      bytes.replaceSubrange(16..<18, with: [0x5a, 0x5a])
      try bytes.write(to: URL(filePath: file.path))
      let restored = try database.restore(from: backup, clock: TestServer.systemClock)
      let old = try #require(restored.old)
      #expect(try Data(contentsOf: URL(filePath: old)) == bytes)
      #expect(try database.check() == restored.report)
    }
  }

  @Test("an error of what runs while nothing else has the database open is thrown unchanged, and it runs once")
  func errorsOfBody() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      for code in [ResultCode.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_BUSY, .SQLITE_LOCKED] {
        var runs = 0
        let error = #expect(throws: DatabaseError.self) {
          try DatabaseReplacement.alone(with: file.path) { _ in
            runs += 1
            throw DatabaseError(resultCode: code)
          }
        }
        #expect(error?.resultCode == code && runs == 1)
      }
    }
  }

  @Test("a database of PostgreSQL is refused by each way to back one up: its own tools do that")
  func noFile() async throws {
    let url = "postgresql://anna@db.example/lists"
    let refusal = ServerDatabaseError.hasOwnTools(.backup, database: DatabaseLocation(url).shown)
    try await ServerDatabaseFile.use { file in
      let (database, copy) = (ServerDatabase(path: url), file.folder.appending(path: "copy").path)
      #expect(throws: refusal) { _ = try database.backUp(to: copy) }
      #expect(throws: refusal) { _ = try database.backUp(to: copy) { false } }
      let left = try names(file)
      #expect(left == [])
    }
  }

  @Test("a backup that was cut off is named as damaged, not the database that is well")
  func cutOff() async throws {
    try await ServerDatabaseFile.use { file in
      let database = ServerDatabase(path: file.path)
      try await fill(file)
      let copy = file.folder.appending(path: "copy")
      _ = try database.backUp(to: copy.path)
      let whole = try Data(contentsOf: copy)
      for length in [whole.count / 2, 5_000, 150] {
        try whole.prefix(length).write(to: copy)
        let found = problem { _ = try database.restore(from: copy.path, clock: TestServer.systemClock) }
        guard case .damaged(copy.path, _) = found else { throw Failure("\(length): \(String(describing: found))") }
      }
      #expect(try database.check() == DatabaseReport(lists: 1, items: 2))
    }
  }

  @Test("a backup goes where a link leads, and takes the permissions of what was there")
  func link() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let (copy, link) = (file.folder.appending(path: "copy").path, file.folder.appending(path: "link").path)
      #expect(chmod(file.path, 0o640) == 0 && symlink(file.path, link) == 0)
      let database = ServerDatabase(path: link)
      _ = try database.backUp(to: copy)
      let old = try #require(try database.restore(from: copy, clock: TestServer.systemClock).old)
      #expect(old.hasPrefix(file.path + "."))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file.path)
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(mode == 0o640)
      #expect(try ServerDatabase(path: file.path).check().items == 2)
    }
  }

  @Test("a backup of an earlier version is brought up to date as it is put back", arguments: [1, 6, 7, 8])
  func earlierVersion(version: Int) async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      try await file.becomeVersion(version)
      let other = ServerDatabase(path: file.folder.appending(path: "other.sqlite").path)
      let restored = try other.restore(from: file.path, clock: TestServer.systemClock)
      #expect(restored.old == nil && restored.report.items == 2)
      #expect(try other.check() == restored.report)
      let copied = problem {
        _ = try ServerDatabase(path: file.path).backUp(to: file.folder.appending(path: "copy").path)
      }
      #expect(copied == (version < 7 ? .olderVersion(path: file.path) : nil))
    }
  }

  @Test("a backup brings no code along: triggers and views that are not the server's do not come into its place")
  func foreignCode() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let database = ServerDatabase(path: file.path)
      let backup = file.folder.appending(path: "backup").path
      _ = try database.backUp(to: backup)
      let queue = try DatabaseQueue(path: backup)
      try await queue.writeWithoutTransaction {
        try $0.execute(
          sql: """
            CREATE TRIGGER evil AFTER UPDATE ON ServerIdentity BEGIN DELETE FROM TodoItem; END;
            CREATE TRIGGER "a""b" AFTER INSERT ON AccessToken BEGIN UPDATE AccessToken SET user = 'mallory'; END;
            DROP TRIGGER TodoItem_removed;
            CREATE TRIGGER TodoItem_removed AFTER INSERT ON TodoItem BEGIN DELETE FROM AccessToken; END;
            CREATE VIEW spy AS SELECT * FROM AccessToken;
            CREATE TRIGGER spying INSTEAD OF INSERT ON spy BEGIN DELETE FROM TodoItem; END;
            CREATE UNIQUE INDEX alike ON TodoItem (substr(id, 1, 5));
            CREATE INDEX few ON TodoItem (text) WHERE text IS NULL;
            """)
      }
      try queue.close()
      let restored = try database.restore(from: backup, clock: TestServer.systemClock)
      #expect(restored.report.items == 2)
      #expect(try database.check() == DatabaseReport(lists: 1, items: 2))
      let place = try DatabaseQueue(path: file.path)
      let code = try await place.read {
        try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE type IN ('trigger', 'view')")
      }
      try place.close()
      #expect(code.count == 1 && code.first?.contains("AFTER DELETE") == true, "\(code)")
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id: RecordID in ["alike1", "alike2"] { try await server.insert(id, #""text":"the same""#) }
      }
    }
  }

  @Test("a backup without an identity is refused: all devices would find another server")
  func noIdentity() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let database = ServerDatabase(path: file.path)
      let backup = ServerDatabaseFile(folder: file.folder.appending(path: "copies"))
      try FileManager.default.createDirectory(at: backup.folder, withIntermediateDirectories: true)
      _ = try database.backUp(to: backup.path)
      try await backup.run("DELETE FROM ServerIdentity")
      let refused = problem { _ = try database.restore(from: backup.path, clock: TestServer.systemClock) }
      #expect(refused == .withoutIdentity(backup: backup.path))
    }
  }

  @Test(
    "a backup whose tables are not a server's is named as damaged, and not the database that is well",
    arguments: [
      "DROP TABLE StoredList", "DROP TABLE KeptAnswer", "ALTER TABLE ServerIdentity DROP COLUMN epoch",
      "UPDATE ServerIdentity SET uuid = 'none'", "DELETE FROM StoredList",
      "UPDATE StoredList SET name = 'accesstoken'",
      "ALTER TABLE AccessToken RENAME TO Other; CREATE VIEW AccessToken AS SELECT * FROM Other",
    ])
  func crafted(change: String) async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let database = ServerDatabase(path: file.path)
      let backup = ServerDatabaseFile(folder: file.folder.appending(path: "copies"))
      try FileManager.default.createDirectory(at: backup.folder, withIntermediateDirectories: true)
      _ = try database.backUp(to: backup.path)
      try await backup.run(change)
      let before = try names(file)
      let found = problem {
        _ = try database.restore(from: backup.path, allowsOtherServer: true, clock: TestServer.systemClock)
      }
      guard case .damaged(backup.path, _) = found else { throw Failure("\(change): \(String(describing: found))") }
      #expect(try names(file).isSubset(of: before))
      #expect(try database.check() == DatabaseReport(lists: 1, items: 2))
    }
  }

  @Test("an index of a backup that has the name of the server's own is none of it, and early versions bring none")
  func foreignIndexes() async throws {
    for version in [6, 11] {
      try await ServerDatabaseFile.use { file in
        try await fill(file)
        if version < 7 { try await file.becomeVersion(version) }
        let name = version < 7 ? "alike" : "TodoItem_updatedAt"
        try await file.run(
          "DROP INDEX IF EXISTS \(name); CREATE UNIQUE INDEX \(name) ON TodoItem (substr(id, 1, 5))")
        let other = ServerDatabase(path: file.folder.appending(path: "other.sqlite").path)
        _ = try other.restore(from: file.path, clock: TestServer.systemClock)
        let place = try DatabaseQueue(path: file.folder.appending(path: "other.sqlite").path)
        let indexes = try await place.read {
          try String.fetchAll($0, sql: "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL")
        }
        try place.close()
        #expect(indexes.count == 2 && indexes.allSatisfy { !$0.contains("UNIQUE") }, "\(version): \(indexes)")
      }
    }
  }

  @Test("a backup needs room for its rows, and one of an earlier version for a copy of the file too")
  func room() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      try await file.run("CREATE TABLE notes (a); INSERT INTO notes VALUES (zeroblob(100000)); DROP TABLE notes")
      let current = try ForeignDatabase(path: file.path)
      #expect(current.isCurrent && current.sizeInUse > 0 && current.size >= current.sizeInUse + 100_000)
      #expect(throws: Never.self) { try UnfinishedFile.checkRoom(current.size, for: file.path) }
      #expect(throws: BackupProblem.self) { try UnfinishedFile.checkRoom(.max, for: file.path) }
      try await file.becomeVersion(10)
      #expect(try !ForeignDatabase(path: file.path).isCurrent)
    }
  }

  @Test("a file that is no backup is refused by its name")
  func notABackup() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let database = ServerDatabase(path: file.path)
      let other = file.folder.appending(path: "other").path
      for content in [nil, Data(), Data("a text".utf8)] {
        try content?.write(to: URL(filePath: other))
        #expect(
          problem { _ = try database.restore(from: other, clock: TestServer.systemClock) } == .notABackup(path: other))
      }
      let folder = file.folder.path
      let refused = problem { _ = try database.restore(from: folder, clock: TestServer.systemClock) }
      #expect(refused == .notABackup(path: folder), "a folder, not the database, is at fault")
      #expect(try database.check() == DatabaseReport(lists: 1, items: 2))
    }
  }

  @Test("the check names what is not well by table and id, without a text, and changes nothing")
  func findings() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      try await file.run(
        """
        UPDATE TodoItem SET updatedAt = 'secret' WHERE id = 'a';
        UPDATE TodoItem SET text = x'0102' WHERE id = 'b';
        UPDATE StoredList SET live = 7;
        CREATE TABLE TodoItem_9 (id TEXT); CREATE TABLE notes (text TEXT);
        INSERT INTO StoredList (number, owner, name) VALUES (3, 'anna', 'TodoItem');
        PRAGMA wal_checkpoint(TRUNCATE);
        """)
      let before = try Data(contentsOf: URL(filePath: file.path))
      let report = try ServerDatabase(path: file.path).check()
      #expect(
        report.findings == [
          .missingTable("TodoItem_3"), .orphanTable("TodoItem_9"), .foreignTable("notes"),
          .otherRows(table: "TodoItem", kept: 7, found: 2),
          .damagedRows(table: "TodoItem", ids: ["a", "b"], count: 2),
          .wrongType("TEXT", column: "updatedAt", table: "TodoItem", ids: ["a"], count: 1),
          .wrongType("BLOB", column: "text", table: "TodoItem", ids: ["b"], count: 1),
        ])
      #expect(!"\(report)".contains("secret"))
      #expect(try Data(contentsOf: URL(filePath: file.path)) == before)
    }
  }

  @Test("the check works while the server runs, and finds nothing wrong with what it writes")
  func well() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a", #""text":"x","flag":true,"rank":1.5,"none":null"#)
        #expect(try ServerDatabase(path: file.path).check() == DatabaseReport(lists: 1, items: 1))
        try await server.insert("b")
        #expect(try ServerDatabase(path: file.path).check().items == 2)
      }
    }
  }
}

private struct Failure: Error {
  let words: String
  init(_ words: String) { self.words = words }
}

extension ServerDatabaseFile {
  /// Overwrites a page of the rows, as a bad disk does.
  fileprivate func damage() throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    let page = try #require(bytes.firstRange(of: Data("secret words".utf8))?.lowerBound) / 4_096 * 4_096
    bytes.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0x5a, count: 4_096))
    try bytes.write(to: URL(filePath: path))
  }
}
