import FoundationEssentials
import GRDB
import Logging
import TableProtocol
import TableServer
import Testing

@testable import TableStorage

struct StartTests {
  private func folder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-start-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func start(_ path: String, port: Int = 0, host: String = "127.0.0.1", isOpen: Bool = false) async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    try await TableServer(
      ServerConfiguration(
        host: host, port: port, databasePath: path, isOpen: isOpen, clock: TestServer.systemClock, logger: logger)
    ).run()
  }

  @Test(
    "a file that is no database is named and left as it is", arguments: ["hello", String(repeating: "x", count: 5_000)])
  func notADatabase(content: String) async throws {
    try await folder { folder in
      let file = folder.appending(path: "x")
      try Data(content.utf8).write(to: file)
      await #expect(throws: ServerError.database(.notADatabase(path: file.path))) { try await start(file.path) }
      #expect(try Data(contentsOf: file) == Data(content.utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x"])
    }
  }

  @Test("another program's database is left as it is")
  func otherDatabase() async throws {
    try await folder { folder in
      let path = folder.appending(path: "x").path
      let queue = try DatabaseQueue(path: path)
      try await queue.write { try $0.execute(sql: "CREATE TABLE theirs (x)") }
      try queue.close()
      let before = try Data(contentsOf: URL(filePath: path))
      await #expect(throws: ServerError.database(.otherDatabase(path: path))) { try await start(path) }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test("a database of a newer version is left as it is")
  func newerVersion() async throws {
    try await folder { folder in
      let path = folder.appending(path: "x").path
      try await TestServer.run(databasePath: path) { try await $0.insert("a") }
      let queue = try DatabaseQueue(path: path)
      try await queue.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try queue.close()
      await #expect(throws: ServerError.database(.newerVersion(path: path))) { try await start(path) }
    }
  }

  @Test("the file and its folder are made, for their owner alone")
  func permissions() async throws {
    try await folder { folder in
      let path = folder.appending(path: "deep/er/x.sqlite").path
      try await TestServer.run(databasePath: path) { server in
        try await server.insert("a")
        func permissions(_ path: String) throws -> Int? {
          try (FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int).map { $0 & 0o777 }
        }
        #expect(try permissions(path) == 0o600)
        #expect(try permissions(path + "-wal") == 0o600)
        #expect(try permissions(folder.appending(path: "deep/er").path) == 0o700)
      }
    }
  }

  @Test("a path through a file, a folder in the file's place, a taken port and a strange host are told apart")
  func otherErrors() async throws {
    try await folder { folder in
      try Data("x".utf8).write(to: folder.appending(path: "f"))
      await #expect(throws: ServerError.self) { try await start(folder.appending(path: "f/x").path) }
      await #expect(throws: ServerError.self) { try await start(folder.path) }
      try await TestServer.run { server in
        await #expect(throws: ServerError.portInUse(server.port)) {
          try await start(folder.appending(path: "y/y").path, port: server.port)
        }
      }
      await #expect(throws: ServerError.hostNotUsable("host.invalid")) {
        try await start(folder.appending(path: "z").path, host: "host.invalid", isOpen: true)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["f"], "nothing is left behind")
    }
  }
}
