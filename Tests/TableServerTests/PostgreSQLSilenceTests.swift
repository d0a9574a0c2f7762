import Dispatch
import FoundationEssentials
import Glibc
import StorageSupport
import Support
import TableProtocol
import TableSQL
import Testing

@testable import TableServer
@testable import TableStorage

@Suite(
  "PostgreSQL that does not answer", .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLSilenceTests {
  @Test("requests are refused while the way to it swallows everything, and answered when there is another")
  func requests() async throws {
    let (proxy, name) = try await PostgreSQLProxy.start()
    defer { proxy.stop() }
    var limits = ServerLimits.patient
    (limits.statement, limits.busy) = (.seconds(1), .seconds(1))
    try await TestServer.run(databasePath: proxy.url(of: name), limits: limits) { server async throws in
      try await server.insert("a")
      proxy.goSilent()
      for round in 1...2 {
        async let read = server.send(.get, "/tables/TodoItem", .v3)
        async let written = server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"no\#(round)"}"#)
        #expect(try await read.status == 503)
        let refused = try await written
        #expect(refused.status == 503 && refused.header("Retry-After") == "1")
        #expect(try await server.send(.get, "/health/ready").status == 503)
      }
      proxy.openNewWay()
      _ = try await eventually {
        try await server.send(.get, "/health/ready").status == 200 ? true : nil
      }
      try await server.insert("b")
      #expect(try await server.ids("id ne ''") == ["a", "b"])
    }
  }

  /// Those of the ledger that soon take a way for cut.
  private static var options: PostgreSQLStorage.Options {
    var options = PostgreSQLLedger.options
    (options.patience.reading, options.patience.writing) = (.seconds(1), .seconds(1))
    (options.patience.idle, options.patience.silence) = (.seconds(1), .seconds(1))
    options.patience.commit = .seconds(2)
    return options
  }

  @Test("one that stands still and goes on takes nothing with it that was acknowledged")
  func standstill() async throws {
    let cluster = try await blocking { try PostgreSQLCluster(["fsync=off"]) }
    let url = try await blocking { try cluster.makeDatabase() }
    try await PostgreSQLLedger.keep(try #require(PostgreSQLAddress(url)), Self.options, faults: 3) {
      try cluster.pause()
      // Longer than all that the storage waits for.
      usleep(4_500_000)
      try cluster.resume()
    }
    try await blocking { try cluster.stop() }
  }

  @Test("ways that swallow everything take nothing with them that was acknowledged")
  func ledger() async throws {
    let (proxy, name) = try await PostgreSQLProxy.start()
    defer { proxy.stop() }
    try await PostgreSQLLedger.keep(try #require(PostgreSQLAddress(proxy.url(of: name))), Self.options, faults: 3) {
      proxy.goSilent()
      usleep(1_500_000)
      proxy.openNewWay()
    }
  }

  @Test("a read that is given up ends, though nobody answers the request to cancel it")
  func cancelling() async throws {
    let (proxy, name) = try await PostgreSQLProxy.start()
    defer { proxy.stop() }
    var options = PostgreSQLStorage.Options()
    options.connections = 2
    let storage = try PostgreSQLStorage(
      try #require(PostgreSQLAddress(proxy.url(of: name))), options, makeUUID: { UUID() })
    defer { try? storage.close() }
    try await storage.write(ListID.first) { try $0.write("a") }
    proxy.ignoreCancels()
    for _ in 1...12 {
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let reader = Task {
        try await storage.read(.first) { list in
          beginning.yield()
          while true { _ = try list.count(of: ListQuery(nulls: .sql, limit: 9)) }
        }
      }
      for await _ in begun { break }
      reader.cancel()
      await #expect(throws: StorageError.interrupted) { try await reader.value }
    }
    #expect(proxy.ignoredCancels > 0)
    #expect(try await storage.read(.first) { try $0.state().digest.count } == 1)
  }

  @Test("a writer waits for the writers before it only so long, and is not carried out then")
  func waiting() async throws {
    var options = PostgreSQLLedger.options
    options.patience.busy = .milliseconds(300)
    try await PostgreSQLDatabase.use { [options] address in
      let storage = try PostgreSQLStorage(address, options, makeUUID: { UUID() })
      defer { try? storage.close() }
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let end = DispatchSemaphore(value: 0)
      async let slow: Void = storage.write(ListID.first) { list in
        try list.write("slow")
        beginning.yield()
        _ = end.wait(timeout: .now() + 20)
      }
      for await _ in begun { break }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<5 {
          group.addTask {
            await #expect(throws: StorageError.waitedTooLong) {
              try await storage.write(ListID.first) { try $0.write("late\(number)") }
            }
          }
        }
      }
      end.signal()
      try await slow
      try await storage.write(ListID.first) { try $0.write("next") }
      #expect(try await storage.read(.first) { try $0.state().digest.count } == 2)
    }
  }
}
