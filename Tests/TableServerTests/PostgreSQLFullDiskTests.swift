import Chance
import Foundation
import Support
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite(
  "PostgreSQL on a full disk", .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.canHaveDisk, "PostgreSQL is not installed, or no disk can be mounted"))
struct PostgreSQLFullDiskTests {
  private static let settings = ["fsync=off", "max_wal_size=32MB", "min_wal_size=32MB"]

  /// A text that can't be made smaller.
  private static func text(_ seed: UInt64) -> String {
    var random = SeededGenerator(seed: seed)
    return String(decoding: (0..<60_000).map { _ in UInt8.random(in: 0x61...0x7a, using: &random) }, as: UTF8.self)
  }

  /// The status of each answer to a write, and the version of each item whose write was acknowledged.
  private struct Ledger {
    var acknowledged: [RecordID: RecordVersion] = [:]
    var statuses: [Int] = []

    mutating func write(to server: TestServer) async throws {
      let id = RecordID("r\(statuses.count)")
      let body = #"{"id":"\#(id)","text":"\#(PostgreSQLFullDiskTests.text(UInt64(statuses.count)))"}"#
      let answer = try await server.send(.post, "/tables/TodoItem", .v3, body: body)
      statuses.append(answer.status)
      if answer.status == 201 { acknowledged[id] = try answer.item.system.version }
    }
  }

  enum Room: CaseIterable, Sendable {
    /// The tables can't grow.
    case forTables
    /// The log can't grow, over which PostgreSQL ends itself and all sessions.
    case forLog
  }

  @Test("refuses writes, keeps what it acknowledged, and goes on when there is room", arguments: Room.allCases)
  func fullDisk(room: Room) async throws {
    let cluster = try await blocking { try PostgreSQLCluster(Self.settings, megabytes: 96) }
    let url = try await blocking { try cluster.makeDatabase() }
    let address = try #require(PostgreSQLAddress(url))
    let ballast = "\(cluster.data)/ballast"
    var limits = ServerLimits.patient
    (limits.statement, limits.busy) = (.seconds(5), .seconds(5))
    try await TestServer.run(databasePath: url, limits: limits) { server async throws in
      #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 8 << 20)))
      var ledger = Ledger()
      if room == .forLog {
        for _ in 0..<20 { try await ledger.write(to: server) }
        Self.fill(ballast)
        await #expect(throws: PostgreSQLFailure.self) { try await blocking { try Self.useUpLog(address) } }
      }
      while ledger.statuses.count(where: { $0 != 201 }) < 8, ledger.statuses.count < 2_000 {
        try await ledger.write(to: server)
      }
      let refusals = Set(ledger.statuses).subtracting([201])
      #expect(!refusals.isEmpty && refusals.isSubset(of: [503, 504, 507]), "\(refusals)")
      if room == .forTables { #expect(refusals.contains(507)) }
      try FileManager.default.removeItem(atPath: ballast)
      let before = ledger.acknowledged.count
      for _ in 0..<300 where ledger.acknowledged.count < before + 5 {
        // It is gone for good if it could not recover from its crash.
        let isGone = !FileManager.default.fileExists(atPath: "\(cluster.data)/postmaster.pid")
        if isGone { try await blocking { try cluster.start() } }
        try await ledger.write(to: server)
        if ledger.statuses.last != 201 { try await Task.sleep(for: .milliseconds(100)) }
      }
      #expect(before >= 20 && ledger.acknowledged.count >= before + 5, "\(before) \(ledger.statuses.suffix(5))")
      for (id, version) in ledger.acknowledged {
        let found = try await server.send(.get, "/tables/TodoItem/\(id)", .v3)
        #expect(try found.status == 200 && found.item.system.version == version, "\(id)")
      }
      let check = try ServerDatabase(path: url).check()
      #expect(check.findings.isEmpty, "\(check)")
    }
  }

  /// Writes to the file until there is no room for a block more.
  private static func fill(_ path: String) {
    guard let file = FileHandle(forWritingAtPath: path) else { return }
    defer { try? file.close() }
    _ = try? file.seekToEnd()
    for size in [1 << 20, 4_096] { while (try? file.write(contentsOf: Data(count: size))) != nil {} }
  }

  /// Begins one segment of the log after the other, until there is no room for one.
  private static func useUpLog(_ address: PostgreSQLAddress) throws {
    let connection = try PostgreSQLConnection(address, longest: .seconds(20))
    for _ in 0..<50 {
      try connection.run("SELECT pg_logical_emit_message(true, 'a', 'b')")
      try connection.run("SELECT pg_switch_wal()")
    }
  }
}
