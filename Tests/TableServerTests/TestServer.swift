import AsyncHTTPClient
import FoundationEssentials
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import StorageSupport
import TableProtocol
import TableServer

/// A server on a free loopback port, with a database of its own.
struct TestServer: Sendable {
  let port: Int
  let databasePath: String

  /// Runs `body` against a server, then stops the server gracefully. The database is removed, unless
  /// the caller says where it is.
  static func run(
    databasePath: String? = nil, clock: @escaping @Sendable () -> Timestamp = systemClock,
    longestTurn: Duration = .seconds(5), names: [String] = [],
    signIn: SignInConfiguration? = nil, proxies: [NetworkAddress.Range] = [], limits: ServerLimits = .patient,
    isOpen: Bool = false, tables: TablePolicy = TablePolicy(),
    sleep: @escaping @Sendable (Duration) async -> Void = { _ in }, logger: Logger = quiet,
    at narrow: NarrowPort? = nil,
    _ body: @Sendable (TestServer) async throws -> Void
  ) async throws {
    try await result(
      databasePath: databasePath, clock: clock, longestTurn: longestTurn, names: names, signIn: signIn,
      proxies: proxies,
      limits: limits,
      isOpen: isOpen, tables: tables, sleep: sleep, logger: logger, at: narrow, of: body)
  }

  /// The same with a value from `body`.
  static func result<Value: Sendable>(
    databasePath: String? = nil, clock: @escaping @Sendable () -> Timestamp = systemClock,
    longestTurn: Duration = .seconds(5), names: [String] = [],
    signIn: SignInConfiguration? = nil, proxies: [NetworkAddress.Range] = [], limits: ServerLimits = .patient,
    isOpen: Bool = false, tables: TablePolicy = TablePolicy(), goesByDatabaseClock: Bool = true,
    sleep: @escaping @Sendable (Duration) async -> Void = { _ in }, logger: Logger = quiet,
    at narrow: NarrowPort? = nil,
    of body: @Sendable (TestServer) async throws -> Value
  ) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-server-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = databasePath ?? folder.appending(path: "server.sqlite").path
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    var configuration = ServerConfiguration(
      listening: narrow.map { .inherited([$0.socket]) } ?? .port, port: 0, names: names, signIn: signIn,
      proxies: proxies, databasePath: path, isOpen: isOpen, tables: tables,
      clock: clock, sleep: sleep,
      longestTurn: longestTurn,
      limits: limits,
      logger: logger)
    configuration.goesByDatabaseClock = goesByDatabaseClock
    let server = TableServer(configuration) { port.yield($0.port) }
    let group = ServiceGroup(configuration: .init(services: [server], logger: quiet))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        defer { port.finish() }
        try await group.run()
      }
      guard let bound = await ports.first(where: { _ in true }) else {
        try await tasks.waitForAll()
        throw CancellationError()
      }
      let outcome: Result<Value, any Error>
      do {
        outcome = .success(try await body(TestServer(port: narrow?.port ?? bound, databasePath: path)))
      } catch {
        outcome = .failure(error)
      }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
      return try outcome.get()
    }
  }

  static let systemClock = WallClock.now

  static func clock(standingAt milliseconds: Int64) -> @Sendable () -> Timestamp {
    { Timestamp(milliseconds: milliseconds) }
  }

  static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// Sends one request. `path` goes out as it is, with its percent-encoding.
  func send(
    _ method: Verb, _ path: String, _ version: ProtocolVersion? = nil, _ headers: [String: String] = [:],
    body: String? = nil
  ) async throws -> Answer {
    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
    request.method = HTTPMethod(rawValue: method.rawValue.uppercased())
    if let version { request.headers.replaceOrAdd(name: ZumoHeader.apiVersion, value: version.rawValue) }
    if let body {
      request.body = .bytes(Array(body.utf8))
      request.headers.replaceOrAdd(name: "Content-Type", value: "application/json")
    }
    for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(240))
    let bytes = try await response.body.collect(upTo: 64 << 20)
    return Answer(status: Int(response.status.code), headers: response.headers, body: Array(bytes.readableBytesView))
  }

  @discardableResult
  func insert(_ id: RecordID, _ members: String = "", _ version: ProtocolVersion = .v3) async throws -> Record {
    let body = #"{"id":"\#(id)"\#(members.isEmpty ? "" : ",")\#(members)}"#
    return try await send(.post, "/tables/TodoItem", version, body: body).item
  }

  /// The value of one of the server's figures. Its connection is closed afterwards, so that no later figure counts it.
  func figure(_ name: String) async throws -> Int? {
    let lines = try await send(.get, "/metrics", nil, ["Connection": "close"]).text.split(separator: "\n")
    return lines.first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  /// The ids of the rows that match, in order.
  func ids(_ filter: String, _ version: ProtocolVersion = .v3) async throws -> [RecordID] {
    let query = QueryItemsText.of([("$filter", filter), ("$top", "1000")])
    return try await send(.get, "/tables/TodoItem?\(query)", version).list.items.map(\.id)
  }
}

enum QueryItemsText {
  static func of(_ items: [(String, String)]) -> String {
    items.map { "\(PercentEncoding.encodeQuery($0.0))=\(PercentEncoding.encodeQuery($0.1))" }.joined(separator: "&")
  }
}

/// The methods of HTTP that the tests use.
enum Verb: String, Sendable {
  case get, post, patch, put, delete, head, options
}

struct Answer: Sendable {
  let status: Int
  private let headers: HTTPHeaders
  let body: [UInt8]

  init(status: Int, headers: HTTPHeaders, body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  func header(_ name: String) -> String? { headers.first(name: name) }

  var text: String { String(decoding: body, as: UTF8.self) }
  var eTag: String? { header("ETag") }

  var item: Record {
    get throws { try Record(json: body) }
  }

  var list: ListBody {
    get throws { try ListBody(json: body) }
  }
}

extension ServerLimits {
  /// A machine that runs many tests at once may leave any of them waiting for long. Who tests a limit sets it.
  static var patient: ServerLimits {
    var limits = ServerLimits()
    (limits.head, limits.idle, limits.body, limits.sending) = (.hours(1), .hours(1), .hours(1), .hours(1))
    limits.lingering = .minutes(1)
    (limits.statement, limits.busy) = (.seconds(600), .seconds(600))
    limits.look = .seconds(600)
    limits.tokenAge = .zero
    return limits
  }
}
