import FoundationEssentials
import GRDB
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableStorage

@Suite("A database of an earlier version is copied before it is brought up to date")
struct DatabaseUpdateTests {
  private func fill(_ file: ServerDatabaseFile, version: Int) async throws {
    try await file.write("a", "b")
    try await file.becomeVersion(version)
  }

  private func names(_ file: ServerDatabaseFile) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: file.folder.path))
  }

  private func version(_ path: String) throws -> Int? {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
  }

  private let now = Timestamp("2026-11-22T20:30:00.000Z") ?? .epoch

  @Test("the copy is whole, of the earlier version, and told once", arguments: [1, 6, 8])
  func copied(earlier: Int) async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file, version: earlier)
      let told = Mutex<[String]>([])
      let update = DatabaseUpdate(clock: { now }, onCopy: { place in told.withLock { $0.append(place) } })
      let copy = "\(file.path).before-version-\(DatabaseHeader.schemaVersion).2026-11-22T20-30-00Z"
      for _ in 0..<2 { try SQLiteStorage(path: file.path, update: update, makeUUID: { UUID() }).close() }
      #expect(told.withLock { $0 } == [copy])
      #expect(try version(copy) == earlier)
      #expect(try version(file.path) == Int(DatabaseHeader.schemaVersion))
      // It can be put back.
      let other = ServerDatabase(path: file.folder.appending(path: "other").path)
      #expect(try other.restore(from: copy, clock: { now }).report.items == 2)
    }
  }

  @Test("a new database, and one that is up to date, are not copied")
  func notNeeded() async throws {
    try await ServerDatabaseFile.use { file in
      let update = DatabaseUpdate(clock: { now }, onCopy: { Issue.record("a copy: \($0)") })
      for _ in 0..<2 { try SQLiteStorage(path: file.path, update: update, makeUUID: { UUID() }).close() }
      #expect(try names(file).filter { $0.contains("before") } == [])
    }
  }

  @Test("a copy that can't be made leaves the database as it was")
  func impossible() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file, version: 8)
      let before = try ServerDatabase(path: file.path).check()
      let update = DatabaseUpdate(clock: { now }, onCopy: { Issue.record("a copy: \($0)") })
      let copy = "\(file.path).before-version-\(DatabaseHeader.schemaVersion).2026-11-22T20-30-00Z"
      try Data("mine".utf8).write(to: URL(filePath: copy))
      #expect(throws: ServerDatabaseError.noCopyBeforeUpdate(path: file.path, reason: "\(copy) is there already")) {
        try SQLiteStorage(path: file.path, update: update, makeUUID: { UUID() })
      }
      #expect(try version(file.path) == 8)
      #expect(try ServerDatabase(path: file.path).check() == before)
      #expect(try Data(contentsOf: URL(filePath: copy)) == Data("mine".utf8))
    }
  }

  @Test("an update that fails leaves no copy behind, however often it is tried")
  func failing() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file, version: 8)
      try await file.run("ALTER TABLE ServerIdentity DROP COLUMN uuid")
      let update = DatabaseUpdate(clock: { now }, onCopy: { Issue.record("a copy: \($0)") })
      for _ in 0..<2 {
        #expect(throws: ServerDatabaseError.self) {
          try SQLiteStorage(path: file.path, update: update, makeUUID: { UUID() })
        }
      }
      #expect(try names(file).filter { $0.contains("before") } == [])
      #expect(try version(file.path) == 8)
    }
  }
}
