import Dispatch
import FoundationEssentials
import GRDB
import StorageSupport
import TableProtocol
import Testing

@testable import TableStorage

@Suite("Writers that wait", .timeLimit(.minutes(5)))
struct SharedCommitTests {
  /// Runs `body` while a writer holds the database, until so many others wait.
  private func behindAWriter<Value: Sendable>(
    _ count: Int, _ write: @escaping @Sendable (SQLiteStorage, Int) async throws -> Value
  ) async throws -> [Value] {
    try await ServerDatabaseFile.use { file in
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      defer { try? storage.close() }
      let gate = DispatchSemaphore(value: 0)
      let (begun, begin) = AsyncStream.makeStream(of: Void.self)
      let first = Task {
        try await storage.write(.first) { _ in
          begin.finish()
          gate.wait()
        }
      }
      for await _ in begun {}
      let others = (0..<count).map { number in Task { try await write(storage, number) } }
      while storage.writers.waiting < count { await Task.yield() }
      gate.signal()
      try await first.value
      var values: [Value] = []
      for other in others { values.append(try await other.value) }
      return values
    }
  }

  @Test("share one commit")
  func oneCommit() async throws {
    let lists = try await behindAWriter(50) { storage, number in
      try await storage.write(.first) { list in
        try list.insert(
          Record(
            id: "row\(number)",
            system: SystemProperties(
              createdAt: .epoch, updatedAt: Timestamp(milliseconds: Int64(number)), version: RecordVersion("v"))))
        return ObjectIdentifier(list)
      }
    }
    #expect(Set(lists).count == 1, "one transaction has one list")
  }

  @Test("do not fail with one that ends the transaction of all")
  func lostTransaction() async throws {
    let outcomes = try await behindAWriter(20) { storage, number in
      do {
        return try await storage.write(.first) { list in
          try list.insert(
            Record(
              id: "row\(number)",
              system: SystemProperties(
                createdAt: .epoch, updatedAt: Timestamp(milliseconds: Int64(number)), version: RecordVersion("v"))))
          if number == 7 {
            // What SQLite does by itself when the disk is full.
            try #require(list as? SQLiteEditableList).database.execute(sql: "ROLLBACK")
            throw StorageError.full
          }
          return true
        }
      } catch {
        return false
      }
    }
    #expect(outcomes.filter { !$0 }.count == 1 && !outcomes[7])
  }
}
