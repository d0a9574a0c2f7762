import FoundationEssentials
import InMemoryStorage
import StorageSupport
import Support
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

/// A storage in memory that can't be read while a test wants that.
private final class FailingStorage: TableStorage {
  enum Fault: Sendable {
    case throwing(StorageError)
    /// No answer at all, until the fault is over.
    case silent
  }

  private let base = MemoryStorage()
  private let state = Mutex<(fault: Fault?, reads: [ListID])>((nil, []))

  var fault: Fault? {
    get { state.withLock(\.fault) }
    set { state.withLock { ($0.fault, $0.reads) = (newValue, []) } }
  }

  /// The lists that were to be read since the fault was set.
  var reads: [ListID] { state.withLock(\.reads) }

  var identity: DatabaseIdentity { base.identity }
  var moves: AsyncStream<ListNotice> { base.moves }
  func lists() -> [ListID] { base.lists() }
  func lists(of owner: UserName?) -> [ListID] { base.lists(of: owner) }
  func close() throws { try base.close() }

  func read<Value: Sendable>(
    _ list: ListID, mayBeLong: Bool, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value {
    state.withLock { $0.reads.append(list) }
    if case .throwing(let error) = fault { throw error }
    // As a thread that waits for a socket: no cancellation ends it.
    while case .silent? = fault { await Task.detached { try? await Task.sleep(for: .milliseconds(5)) }.value }
    return try await base.read(list, body)
  }

  func write<Value: Sendable>(
    _ lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value
  ) async throws -> Value { try await base.write(lists, body) }

  func raiseEpoch(now: Timestamp, nonce: String) throws -> DatabaseEpoch {
    try base.raiseEpoch(now: now, nonce: nonce)
  }
}

@Suite("The stream of a list that can't be read", .timeLimit(.minutes(5)))
struct StreamLossTests {
  private func limits(_ change: (inout ServerLimits) -> Void = { _ in }) -> ServerLimits {
    var limits = ServerLimits.patient
    limits.heartbeat = .milliseconds(20)
    limits.secondLook = .milliseconds(20)
    change(&limits)
    return limits
  }

  private func streams(_ storage: FailingStorage, _ limits: ServerLimits) -> ListStreams {
    ListStreams(storage, limits, log: ServerLog(TestServer.quiet, clock: TestServer.systemClock))
  }

  /// What comes until the end.
  private func rest(of stream: ListStream) async -> [ListStream.Part] {
    var parts: [ListStream.Part] = []
    while let part = await stream.next() { parts.append(part) }
    return parts
  }

  @Test("ends after two looks in a row that failed, and is not begun while that lasts")
  func ends() async throws {
    for error in [StorageError.fileGone, .unreachable("stopped"), .failed("a page"), .refused("a row")] {
      let storage = FailingStorage()
      let streams = streams(storage, limits())
      let open = try await streams.open(.first, for: nil)
      guard case .level = await open.stream.next() else { return #expect(Bool(false)) }
      storage.fault = .throwing(error)
      _ = await rest(of: open.stream)
      #expect(storage.reads.count >= 2)
      await #expect(throws: error) { _ = try await streams.open(.first, for: nil) }
      storage.fault = nil
      let again = try await streams.open(.first, for: nil)
      guard case .level = await again.stream.next() else { return #expect(Bool(false)) }
    }
  }

  @Test("goes on after one look that failed, with what it missed")
  func oneFailure() async throws {
    let storage = FailingStorage()
    let streams = streams(storage, limits { $0.secondLook = .milliseconds(300) })
    let open = try await streams.open(.first, for: nil)
    _ = await open.stream.next()
    storage.fault = .throwing(.busy)
    while storage.reads.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    try await storage.write(ListID.first) { try $0.save(lastMoment: Timestamp(milliseconds: 7), digest: TableDigest()) }
    storage.fault = nil
    while let part = await open.stream.next() {
      if case .level(let level) = part { return #expect(level.updatedAt == Timestamp(milliseconds: 7)) }
    }
    Issue.record("it ended")
  }

  @Test("ends if the database does not answer, and is refused in time for the client to know why")
  func silent() async throws {
    let storage = FailingStorage()
    defer { storage.fault = nil }
    let streams = streams(storage, limits { $0.look = .milliseconds(20) })
    let open = try await streams.open(.first, for: nil)
    _ = await open.stream.next()
    storage.fault = .silent
    _ = await rest(of: open.stream)
    await #expect(throws: StorageError.unreachable("no answer in time")) {
      _ = try await streams.open(.first, for: nil)
    }
    #expect(ServerLimits().look < .seconds(5), "a client waits five seconds for the first line")
  }

  @Test("asks a database that is gone once for all lists, and not once for each")
  func manyLists() async throws {
    let storage = FailingStorage()
    let streams = streams(storage, limits())
    let lists = (0..<50).map { ListID(.todoItem, owner: UserName("user\($0)")) }
    var open: [ListStreams.OpenStream] = []
    for list in lists { open.append(try await streams.open(list, for: nil)) }
    storage.fault = .throwing(.fileGone)
    let reads = try await eventually(otherwise: "The lists were not looked at again and again.") {
      storage.reads.count < 12 ? nil : storage.reads
    }
    // The first look reads twice at most. It may have begun before the fault, and then it came to another list.
    #expect(Set(reads.dropFirst(2)).count == 1, "\(reads)")
    withExtendedLifetime(open) {}
  }

  @Test("of a file that was moved away ends, and begins again once the file is back")
  func movedFile() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path, limits: limits()) { server async throws in
        let get = "GET /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"
        let connection = try RawConnection(server)
        await connection.send(get)
        _ = await connection.read(until: "\n\n")
        try FileManager.default.moveItem(atPath: file.path, toPath: file.path + "-away")
        #expect(try #require(await connection.readToEnd()).hasSuffix("0\r\n\r\n"))
        let headers = ["Accept": "text/event-stream"]
        let refused = try await server.send(.get, "/tables/TodoItem", nil, headers)
        #expect(refused.status == 503 && refused.header("Retry-After") == nil)
        try FileManager.default.moveItem(atPath: file.path + "-away", toPath: file.path)
        let again = try RawConnection(server)
        await again.send(get)
        #expect(await again.read(until: "\n\n")?.hasPrefix("HTTP/1.1 200") == true)
      }
    }
  }

  @Test(
    "of a PostgreSQL that was stopped ends long before the next sign of life",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func stoppedPostgreSQL() async throws {
    let cluster = try await blocking { try PostgreSQLCluster(["fsync=off"]) }
    let url = try await blocking { try cluster.makeDatabase() }
    try await TestServer.run(databasePath: url, limits: limits { $0.heartbeat = .seconds(3_600) }) {
      server async throws in
      try await server.insert("a")
      let connection = try RawConnection(server)
      await connection.send("GET /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
      _ = await connection.read(until: "\n\n")
      try await blocking { try cluster.stop() }
      #expect(try #require(await connection.readToEnd()).hasSuffix("0\r\n\r\n"))
      try await blocking { try cluster.start() }
    }
  }
}
