import Foundation
import Glibc
import Support
import TableProtocol
import Testing

@testable import TableServer

@Suite("A move between files")
struct DatabaseMoveTests {
  @Test("a server keeps its locks where the file has a second name that a killed move left")
  func secondName() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { try await $0.insert("a") }
      let left = file.folder.appending(path: ".ebb-unfinished-0A1B2C3D").path
      #expect(link(file.path, left) == 0)
      @Sendable func isLocked() throws -> Bool {
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        return try String(contentsOfFile: "/proc/locks", encoding: .utf8).contains(":\(status.st_ino) ")
      }
      try await TestServer.run(databasePath: file.path) { server in
        try await server.insert("b")
        #expect(try isLocked() && access(left, F_OK) != 0)
        #expect(link(file.path, left) == 0)
        UnfinishedFile.removeAbandoned(beside: file.path)
        #expect(try isLocked() && access(left, F_OK) != 0)
      }
    }
  }
}
