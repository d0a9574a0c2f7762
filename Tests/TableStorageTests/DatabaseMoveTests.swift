import Foundation
import Glibc
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableStorage

@Suite("A move between files")
struct DatabaseMoveTests {
  private static func move(_ source: String, _ target: String) async throws {
    _ = try await DatabaseMove(from: source, to: target, clock: WallClock.now).run()
  }

  @Test("refuses before anything is read what would be in the way, and leaves it as it is")
  func inTheWay() async throws {
    try await ServerDatabaseFile.use { file in
      try await file.write("a")
      func path(_ name: String) -> String { file.folder.appending(path: name).path }
      #expect(symlink(path("nothing"), path("link")) == 0)
      #expect(link(file.path, path("same")) == 0)
      #expect(mkfifo(path("pipe"), 0o600) == 0 && mkdir(path("folder"), 0o700) == 0)
      try Data("x".utf8).write(to: file.folder.appending(path: "left-wal"))
      let names = try file.names
      let wrong: [(String, ServerDatabaseError)] = [
        ("link", .backup(.exists(path: path("link")))), ("left", .backup(.exists(path: path("left-wal")))),
        ("same", .move(.targetUsed(database: path("same")))), ("pipe", .move(.noFile(path: path("pipe")))),
        ("folder", .move(.noFile(path: path("folder")))), (file.path, .move(.targetUsed(database: file.path))),
      ]
      for (name, problem) in wrong {
        let target = name.hasPrefix("/") ? name : path(name)
        await #expect(throws: problem, "\(name)") { try await Self.move(file.path, target) }
      }
      await #expect(throws: ServerDatabaseError.move(.noFile(path: path("pipe")))) {
        try await Self.move(path("pipe"), path("a"))
      }
      #expect(try file.names == names)
    }
  }

  @Test("makes a file that only the owner can read, also in the place of an empty one")
  func mode() async throws {
    try await ServerDatabaseFile.use { file in
      try await file.write("a")
      let target = file.folder.appending(path: "new").path
      #expect(FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o644]))
      try await Self.move(file.path, target)
      #expect(try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test("nobody else writes to the old file meanwhile, nor opens it to serve it; it can be read")
  func held() async throws {
    try await ServerDatabaseFile.use { file in
      try await file.write("a")
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      try await storage.note(address: "https://list.example")
      let hold = try HeldDatabase(path: file.path)
      let brief = SQLiteStorage.Patience(busy: .milliseconds(50))
      #expect(throws: ServerDatabaseError.busy(path: file.path)) {
        try SQLiteStorage(path: file.path, patience: brief, makeUUID: { UUID() })
      }
      #expect(throws: BackupProblem.inUse(path: file.path)) { try HeldDatabase(path: file.path) }
      #expect(try storage.aliases().isEmpty && storage.address() != nil && storage.allTokens().sound.isEmpty)
      hold.end()
      try storage.close()
      try await file.write("b")
    }
  }

  @Test("a server keeps its locks where the file has a second name that a killed move left")
  func secondName() async throws {
    try await ServerDatabaseFile.use { file in
      try await file.write("a")
      let left = file.folder.appending(path: ".ebb-unfinished-0A1B2C3D").path
      #expect(link(file.path, left) == 0)
      func isLocked() throws -> Bool {
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).contains(":\(status.st_ino) ")
      }
      let service = DatabaseService(
        reading: .seconds(60), busy: .seconds(60), goesByDatabaseClock: true, isPooled: false,
        update: DatabaseUpdate(clock: WallClock.now, onCopy: { _ in }), makeUUID: { UUID() })
      let storage = try service.open(.file(file.path))
      defer { try? storage.close() }
      try await storage.write(.first) { try $0.put("b") }
      #expect(try isLocked() && access(left, F_OK) != 0)
      #expect(link(file.path, left) == 0)
      UnfinishedFile.removeAbandoned(beside: file.path)
      #expect(try isLocked() && access(left, F_OK) != 0)
    }
  }
}
