import AsyncHTTPClient
import FoundationEssentials
import Glibc
import Support
import Synchronization
import TableProtocol
import TableSQL
import Testing

@testable import TableServer

@Suite("PostgreSQL that fails", .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLFaultTests {
  private var options: PostgreSQLStorage.Options {
    var options = PostgreSQLStorage.Options()
    options.patience.busy = .seconds(3)
    return options
  }

  /// Writers that keep a ledger of what was acknowledged, while `fault` does harm so many times.
  private func ledger(
    _ address: PostgreSQLAddress, faults most: Int, _ fault: @escaping @Sendable () throws -> Void
  ) async throws {
    let storages = try (0..<2).map { _ in try PostgreSQLStorage(address, options, makeUUID: { UUID() }) }
    defer { for storage in storages { try? storage.close() } }
    let faults = Faults()
    let harm = Task {
      for _ in 0..<most {
        try await Task.sleep(for: .milliseconds(300))
        try? await blocking(fault)
        faults.count.add(1, ordering: .relaxed)
      }
    }
    let acknowledged = await withTaskGroup(of: [(RecordID, RecordVersion)].self) { group in
      for number in 0..<6 {
        group.addTask {
          var ledger: [(RecordID, RecordVersion)] = []
          var count = 0
          while ledger.count < 10 || faults.count.load(ordering: .relaxed) < most {
            count += 1
            let id = RecordID("w\(number)-\(count)")
            let version = try? await storages[number % 2].write(ListID.first) { list in
              try list.write(id)
              return try list.row(id)?.system.version
            }
            if let version = version.flatMap(\.self) {
              ledger.append((id, version))
            } else {
              try? await Task.sleep(for: .milliseconds(10))
            }
          }
          return ledger
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    try await harm.value
    let state = try await settled(storages[0])
    for (id, version) in acknowledged { #expect(state[id] == version, "\(id)") }
    let check = try await storages[1].read(.first) { try $0.check() }
    #expect(check.stored == check.counted && check.damaged == 0, "a half of a transaction is nowhere")
  }

  private func settled(_ storage: PostgreSQLStorage) async throws -> [RecordID: RecordVersion] {
    for _ in 0..<100 {
      if let rows = try? await storage.read(
        .first,
        { list in
          var rows: [RecordID: RecordVersion] = [:]
          try list.forEachRow(of: ListQuery(nulls: .sql, limit: .max)) { row in
            rows[row.id] = row.version
            return true
          }
          return rows
        })
      {
        return rows
      }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw PostgreSQLCluster.Failure(description: "it never came back")
  }

  @Test("sessions that are ended take nothing with them that was acknowledged")
  func endedSessions() async throws {
    try await PostgreSQLDatabase.use { address in
      try await ledger(address, faults: 8) {
        let connection = try PostgreSQLConnection(address, longest: .seconds(10))
        try connection.run(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()
          """)
      }
    }
  }

  @Test("a PostgreSQL that is killed comes back with everything that was acknowledged")
  func killed() async throws {
    let cluster = try await blocking { try PostgreSQLCluster() }
    let url = try await blocking { try cluster.makeDatabase() }
    let address = try #require(PostgreSQLAddress(url))
    try await ledger(address, faults: 4) {
      try cluster.kill()
      try cluster.start()
    }
    try await blocking { try cluster.stop() }
  }

  @Test(
    "a commit whose answer was lost is acknowledged if it was done, and done again if it was not",
    arguments: Cut.allCases)
  func lostAnswer(cut: Cut) async throws {
    let database = try await blocking { try PostgreSQLCluster.get().makeDatabase() }
    let proxy = try CuttingProxy(to: "\(try PostgreSQLCluster.get().folder)/.s.PGSQL.5432")
    let name = database.dropFirst("postgresql://postgres@/".count).prefix { $0 != "?" }
    let address = try #require(PostgreSQLAddress("postgresql://postgres@/\(name)?host=\(proxy.folder.path)"))
    let storage = try PostgreSQLStorage(address, options, makeUUID: { UUID() })
    defer { try? storage.close() }
    try await storage.write(ListID.first) { try $0.write("before") }
    let runs = Mutex(0)
    proxy.cutNext(cut)
    try await storage.write(ListID.first) { list in
      runs.withLock { $0 += 1 }
      try list.write("after")
    }
    #expect(proxy.hasCut)
    #expect(runs.withLock(\.self) == (cut == .afterCommit ? 1 : 2))
    let state = try await storage.read(.first) { (try $0.state(), try $0.row("after"), try $0.check()) }
    #expect(state.0.digest.count == 2 && state.1 != nil && state.2.counted == state.2.stored)
  }

  @Test("a commit of which nobody can say whether it was done gets no answer at all")
  func unknownOutcome() async throws {
    let database = try await blocking { try PostgreSQLCluster.get().makeDatabase() }
    let proxy = try CuttingProxy(to: "\(try PostgreSQLCluster.get().folder)/.s.PGSQL.5432")
    let name = database.dropFirst("postgresql://postgres@/".count).prefix { $0 != "?" }
    let url = "postgresql://postgres@/\(name)?host=\(proxy.folder.path)"
    var limits = ServerLimits.patient
    limits.busy = .seconds(1)
    try await TestServer.run(databasePath: url, limits: limits) { server async throws in
      try await server.insert("before")
      proxy.cutNext(.afterCommit, staysAway: true)
      await #expect(throws: HTTPClientError.remoteConnectionClosed, "an answer would be invented") {
        try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"after"}"#)
      }
      #expect(proxy.hasCut)
      let unsent = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"no"}"#)
      #expect(unsent.status == 503)
      proxy.comeBack()
      while try await server.send(.get, "/health/ready").status != 200 { try await Task.sleep(for: .milliseconds(50)) }
      #expect(try await server.ids("id ne ''") == ["after", "before"], "it was done all the same")
    }
  }

  @Test("a command goes on after the sessions were ended between two of its transactions")
  func commands() async throws {
    try await PostgreSQLDatabase.use { address in
      let storage = try PostgreSQLStorage(address, options, makeUUID: { UUID() })
      defer { try? storage.close() }
      try await storage.note(address: "http://first")
      try PostgreSQLConnection(address, longest: .seconds(10)).run(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
        """)
      try await storage.note(address: "http://second")
      #expect(try storage.address() == "http://second")
    }
  }

  @Test("a server says that it is not ready while it can't reach its database, and is again after that")
  func readiness() async throws {
    let cluster = try await blocking { try PostgreSQLCluster(["fsync=off"]) }
    let url = try await blocking { try cluster.makeDatabase() }
    try await TestServer.run(databasePath: url) { server async throws in
      try await server.insert("a")
      #expect(try await server.send(.get, "/health/ready").status == 200)
      try await blocking { try cluster.stop() }
      #expect(try await server.send(.get, "/health/ready").status == 503)
      let refused = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"b"}"#)
      #expect(refused.status == 503 && refused.header("Retry-After") == "1")
      try await blocking { try cluster.start() }
      while try await server.send(.get, "/health/ready").status != 200 { try await Task.sleep(for: .milliseconds(50)) }
      try await server.insert("b")
      #expect(try await server.ids("id ne ''") == ["a", "b"])
    }
  }

  private final class Faults: Sendable {
    let count = Atomic(0)
  }

  enum Cut: CaseIterable, Sendable {
    /// The commit arrives, and its answer does not.
    case afterCommit
    /// The commit does not arrive.
    case beforeCommit
  }
}

/// Stands between a client and the socket of PostgreSQL, and cuts the connection at a commit when it is asked to.
private final class CuttingProxy: Sendable {
  let folder: TemporaryFolder
  private let target: String
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var next: PostgreSQLFaultTests.Cut?
    var hasCut = false
    /// True if nobody is let through after the next cut.
    var staysAway = false
    var isAway = false
  }

  var hasCut: Bool { state.withLock(\.hasCut) }

  init(to target: String) throws {
    folder = try TemporaryFolder()
    self.target = target
    listener = try Self.socket(at: folder.file(".s.PGSQL.5432")) { bind($0, $1, $2) }
    listen(listener, 16)
    Self.detach { [listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        Self.detach { self.serve(client) }
      }
    }
  }

  func cutNext(_ cut: PostgreSQLFaultTests.Cut, staysAway: Bool = false) {
    state.withLock { ($0.next, $0.staysAway) = (cut, staysAway) }
  }

  func comeBack() { state.withLock { $0.isAway = false } }

  private static func detach(_ body: @escaping @Sendable () -> Void) {
    Task.detached(executorPreference: WaitingThreads()) { body() }
  }

  private static func socket(
    at path: String, _ open: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        open(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw PostgreSQLCluster.Failure(description: String(cString: strerror(errno))) }
    return number
  }

  private func serve(_ client: Int32) {
    guard !state.withLock(\.isAway), let server = try? Self.socket(at: target, { connect($0, $1, $2) }) else {
      close(client)
      return
    }
    defer {
      close(client)
      close(server)
    }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      var polls = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polls, 2, -1) > 0 else { return }
      for (index, (from, to)) in [(client, server), (server, client)].enumerated() where polls[index].revents != 0 {
        let count = read(from, &buffer, buffer.count)
        guard count > 0 else { return }
        // With the byte that ends a statement: a transaction begins with READ COMMITTED.
        let isCommit = index == 0 && String(decoding: buffer[..<count], as: UTF8.self).contains("COMMIT\0")
        let cut = isCommit ? takeCut() : nil
        if cut == .beforeCommit { return }
        _ = write(to, buffer, count)
        if cut == .afterCommit {
          // Its answer comes here, and goes no further.
          _ = read(server, &buffer, buffer.count)
          return
        }
      }
    }
  }

  private func takeCut() -> PostgreSQLFaultTests.Cut? {
    state.withLock { state in
      defer { state.next = nil }
      if state.next != nil { (state.hasCut, state.isAway) = (true, state.staysAway) }
      return state.next
    }
  }
}
