import FoundationEssentials
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A server's database is made as small as its content")
struct CompactTests {
  private func names(_ file: ServerDatabaseFile) throws -> Set<String> {
    try file.names
  }

  private func fill(_ file: ServerDatabaseFile) async throws {
    let text = String(repeating: "secret words ", count: 2_000)
    try await TestServer.run(databasePath: file.path) { server async throws in
      for number in 0..<40 { try await server.insert("r\(number)", "\"text\":\"\(text)\"") }
      for number in 0..<30 { _ = try await server.send(.patch, "/tables/TodoItem/r\(number)", body: #"{"text":"x"}"#) }
    }
  }

  @Test("the rows, versions, clock and identity stay, the file shrinks, and no text of before is in it")
  func shrinks() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let database = ServerDatabase(path: file.path)
      let report = try database.check()
      let state = try await TestServer.result(databasePath: file.path) { server async throws in
        let answer = try await server.send(.get, "/tables/TodoItem?$top=1000", .v3)
        return (answer.text, ["x-ebb-database", "x-ebb-newest", "x-ebb-checksum"].map { answer.header($0) })
      }
      let sizes = try database.compact()
      #expect(sizes.before > 900_000 && sizes.after < sizes.before / 2, "\(sizes)")
      #expect(try Data(contentsOf: URL(filePath: file.path)).count == sizes.after)
      #expect(try names(file) == ["server.sqlite"])
      #expect(try database.check() == report)
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      try await TestServer.run(databasePath: file.path) { server async throws in
        let answer = try await server.send(.get, "/tables/TodoItem?$top=1000", .v3)
        #expect(answer.text == state.0)
        #expect(["x-ebb-database", "x-ebb-newest", "x-ebb-checksum"].map { answer.header($0) } == state.1)
        try await server.insert("later")
      }
    }
  }

  @Test("while a server runs, or if the file is damaged, nothing changes")
  func refused() async throws {
    try await ServerDatabaseFile.use { file in
      try await fill(file)
      let database = ServerDatabase(path: file.path)
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await server.insert("a")
        #expect(throws: ServerDatabaseError.backup(.inUse(path: file.path))) { _ = try database.compact() }
        try await server.insert("b")
      }
      var bytes = try Data(contentsOf: URL(filePath: file.path))
      bytes.replaceSubrange(40_960..<45_056, with: Data(repeating: 0x5a, count: 4_096))
      try bytes.write(to: URL(filePath: file.path))
      #expect(throws: ServerDatabaseError.self) { _ = try database.compact() }
      // But for the first page, which says that there is no log.
      #expect(try Data(contentsOf: URL(filePath: file.path)).dropFirst(4_096) == bytes.dropFirst(4_096))
      #expect(try names(file) == ["server.sqlite"])
      #expect(throws: ServerDatabaseError.noDatabase(path: file.path + "x")) {
        _ = try ServerDatabase(path: file.path + "x").compact()
      }
    }
  }

  @Test("if a page of its rows is damaged, SQLite's reason is said")
  func damagedPage() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a", #""text":"secret words""#) }
      var bytes = try Data(contentsOf: URL(filePath: file.path))
      let page = try #require(bytes.firstRange(of: Data("secret words".utf8))?.lowerBound) / 4_096 * 4_096
      bytes.replaceSubrange(page..<page + 4_096, with: Data(repeating: 0x5a, count: 4_096))
      try bytes.write(to: URL(filePath: file.path))
      do {
        _ = try ServerDatabase(path: file.path).compact()
        Issue.record("it was compacted")
      } catch ServerDatabaseError.backup(.damaged(let path, let reason)) {
        let isSaid = ["page", "malformed"].contains { reason.lowercased().contains($0) }
        #expect(path == file.path && isSaid, "\(reason)")
      }
    }
  }
}
