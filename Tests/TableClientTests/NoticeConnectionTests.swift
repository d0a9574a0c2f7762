import Foundation
import OfflineSync
import Support
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("A connection for notices", .timeLimit(.minutes(5)))
struct NoticeConnectionTests {
  /// What came, in order.
  private final class Heard: Sendable {
    private let kept = Mutex<[NoticeEvent]>([])
    var all: [NoticeEvent] { kept.withLock(\.self) }

    func note(_ event: NoticeEvent) { kept.withLock { $0.append(event) } }

    /// Waits until one of what came passes. Blocks.
    func wait(_ passes: (NoticeEvent) -> Bool) throws -> NoticeEvent {
      for _ in 0..<6_000 {
        if let event = all.first(where: passes) { return event }
        usleep(10_000)
      }
      throw Missing(heard: all)
    }

    var end: NoticeEnd? {
      get throws {
        let last = try wait { if case .ended = $0 { true } else { false } }
        return if case .ended(let end) = last { end } else { nil }
      }
    }
  }

  private struct Missing: Error { let heard: [NoticeEvent] }

  @Test(
    "says how far the list is, at once and when that rises, and nothing once it is closed",
    arguments: RemoteTableUnderTest.allCases)
  func conformance(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let heard = Heard()
      let connection = try #require(remote.listen(to: RemoteTableUnderTest.table) { heard.note($0) })
      _ = try heard.wait { if case .level(let level) = $0 { level.updatedAt == .epoch } else { false } }
      #expect(heard.all.first == .asked)
      let stored = try #require(
        try remote.send(.insert(table: RemoteTableUnderTest.table, RemoteTableUnderTest.milk)).record)
      let event = try heard.wait { if case .level(let level) = $0 { level.updatedAt > .epoch } else { false } }
      guard case .level(let level) = event else { return }
      #expect(level.updatedAt == stored.system.updatedAt && level.epoch == 1 && !level.database.isEmpty)
      connection.close()
      connection.close()
      let count = heard.all.count
      try remote.fill(3)
      #expect(heard.all.count == count, "\(heard.all)")
    }
  }

  @Test("has no socket open any more once its end was waited for, however often")
  func closed() async throws {
    let server = try ScriptedServer { _ in .endless(Self.head + "\r\n:\n\n") }
    defer { server.stop() }
    let remote = HTTPRemoteTable(address: try #require(ServerAddress(server.address)))
    let heard = Heard()
    let connection = try #require(remote.listen(to: "TodoItem") { heard.note($0) })
    try await blocking {
      _ = try heard.wait { $0 == .asked }
      #expect(Self.connected(to: server.port) == 1)
      connection.close()
      for _ in 0..<2 { connection.waitUntilClosed(milliseconds: 60_000) }
      #expect(Self.connected(to: server.port) == 0)
    }
  }

  /// How many sockets of this process are connected to a port.
  private static func connected(to port: Int) -> Int {
    (0..<4_096).count { socket in
      var place = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let status = withUnsafeMutablePointer(to: &place) { place in
        place.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(CInt(socket), $0, &length) }
      }
      return status == 0 && place.sin_family == AF_INET && UInt16(bigEndian: place.sin_port) == port
    }
  }

  @Test("ends when the server ends, after what that asks for")
  func serverEnds() async throws {
    let heard = Heard()
    try await withServer { address in
      let remote = HTTPRemoteTable(address: try #require(ServerAddress(address)))
      _ = remote.listen(to: RemoteTableUnderTest.table) { heard.note($0) }
      _ = try await blocking { try heard.wait { if case .level = $0 { true } else { false } } }
    }
    #expect(try await blocking { try heard.end } == .finished(retry: 5_000))
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
  private static let cut = RemoteFailure.Reason.unreachable("connection cut", kind: .cut)
  private static let level =
    #"event: now\#ndata: {"updatedAt":"2026-11-22T08:15:04.120Z","database":"d","epoch":1}"# + "\n\n"

  @Test(
    "believes nothing: what it hears is a reason to ask, a sign of life, or its end",
    arguments: [
      (.status(200, "[]", ["Content-Type": "application/json"]), .notOffered), (.status(404), .notOffered),
      (.status(406), .notOffered), (.status(204), .notOffered), (.status(401), .notSignedIn),
      (
        .status(200, "<html>sign in</html>", ["Content-Type": "text/html; charset=utf-8"]),
        .failed(.notTheServer("text/html, status 200"))
      ),
      (.status(403, "<html>no</html>", ["Content-Type": "text/html"]), .failed(.notTheServer("text/html, status 403"))),
      (.status(403), .notSignedIn), (.status(421, "", ["x-ebb-database": "d"]), .otherDatabase),
      (.status(421), .failed(.notTheServer("it is not meant for this address (421)"))),
      (.status(503, "", ["Retry-After": "7"]), .failed(.busy(status: 503, retryAfter: 7))),
      (.status(429, "", ["Retry-After": "soon"]), .failed(.busy(status: 429, retryAfter: nil))),
      (
        .status(429, "", ["x-ebb-database": "d", "WWW-Authenticate": "Bearer error=\"invalid_token\""]), .notSignedIn
      ),
      (.status(504), .failed(.busy(status: 504, retryAfter: nil))),
      (.status(500), .failed(.serverError(status: 500, message: "Internal Server Error"))),
      (
        .status(302, "", ["Location": "http://127.0.0.1:1/"]), .failed(.notTheServer("it sends us elsewhere (302)"))
      ),
      (.status(511), .failed(.notTheServer("the network wants a sign-in (511)"))), (.cut, .failed(cut)),
      (.raw("nonsense\r\n\r\n"), .failed(.unreachable("connection failed"))),
      (.raw(head + "\r\nretry: 7000\n:\n\n"), .finished(retry: 7_000)),
      (.raw(head + "\r\nretry: 1000000000000000000\nretry: -7\n\n"), .finished(retry: nil)),
      (.raw(head + "\r\n"), .finished(retry: nil)),
      (.raw(head + "\r\nevent: now\ndata: {}\n\nevent: other\ndata: x\n\n"), .finished(retry: nil)),
      (.raw(head + "\r\nevent: now\ndata: {\"updatedAt\":7}\n\n\u{0}\u{7}\n\n"), .finished(retry: nil)),
      (.raw(head + "Content-Encoding: gzip\r\n\r\n:\n\n"), .failed(.alteredAnswer(.compressed))),
      (.raw(head + "Transfer-Encoding: chunked\r\n\r\n3\r\n:\n\n\r\n"), .failed(cut)),
    ] as [(ScriptedServer.Reply, NoticeEnd)])
  func hostile(reply: ScriptedServer.Reply, end: NoticeEnd) async throws {
    let server = try ScriptedServer { _ in reply }
    defer { server.stop() }
    let remote = HTTPRemoteTable(address: try #require(ServerAddress(server.address)), signIn: SignIn(token: "anna's"))
    let heard = Heard()
    _ = remote.listen(to: "TodoItem") { heard.note($0) }
    #expect(try await blocking { try heard.end } == end)
    #expect(
      !heard.all.contains(.heartbeat)
        && heard.all.count { if case .ended = $0 { true } else { false } } == 1)
    let request = try #require(server.requests.first)
    #expect(request.method == "GET" && request.target == "/tables/TodoItem")
    #expect(request.headers["accept-encoding"] == "identity")
    #expect(request.headers["accept"] == "text/event-stream" && request.headers["authorization"] == "Bearer anna's")
  }

  @Test(
    "a refusal that does not name the known database is not the server's: the connection is tried again",
    arguments: [
      (403, .notSignedIn), (404, .notOffered), (405, .notOffered), (200, .notOffered),
    ] as [(Int, NoticeEnd)])
  func fromElsewhere(status: Int, end: NoticeEnd) async throws {
    let reply = ScriptedServer.Reply.status(status, "{}", ["Content-Type": "application/json"])
    let other = NoticeEnd.failed(.notTheServer("application/json, status \(status)"))
    for (reply, end) in [(reply, other), (reply.named("db-1"), end)] {
      let server = try ScriptedServer { _ in reply }
      defer { server.stop() }
      let remote = HTTPRemoteTable(
        address: try #require(ServerAddress(server.address)),
        knowledge: ServerKnowledge(protocolVersion: .v3, database: "db-1"))
      let heard = Heard()
      _ = remote.listen(to: "TodoItem") { heard.note($0) }
      #expect(try await blocking { try heard.end } == end)
    }
  }

  @Test("a token that a proxy refuses in JSON is not shown again, and the page of a portal says nothing about it")
  func refusedToken() async throws {
    for (type, end) in [
      ("application/json", .notSignedIn), ("text/html", .failed(.notTheServer("text/html, status 401"))),
    ] as [(String, NoticeEnd)] {
      let server = try ScriptedServer { _ in .status(401, "{}", ["Content-Type": type]) }
      defer { server.stop() }
      let remote = HTTPRemoteTable(
        address: try #require(ServerAddress(server.address)),
        knowledge: ServerKnowledge(protocolVersion: .v3, database: "db-1"))
      let heard = Heard()
      _ = remote.listen(to: "TodoItem") { heard.note($0) }
      #expect(try await blocking { try heard.end } == end)
    }
  }

  @Test("takes the last level of what comes at once, and what says nothing is a sign of life only after one")
  func flood() async throws {
    let older = Self.level.replacing("2026", with: "2025")
    let flood = String(repeating: older, count: 20_000) + Self.level + String(repeating: ":\n", count: 100_000)
    let server = try ScriptedServer { _ in .raw(Self.head + "\r\n:\n\n:\n\n" + flood) }
    defer { server.stop() }
    let remote = HTTPRemoteTable(address: try #require(ServerAddress(server.address)))
    let heard = Heard()
    _ = remote.listen(to: "TodoItem") { heard.note($0) }
    #expect(try await blocking { try heard.end } == .finished(retry: nil))
    let said = heard.all.filter { $0 != .asked }
    guard case .level? = said.first else { return #expect(Bool(false), "\(said.first as Any)") }
    let levels = said.compactMap { if case .level(let level) = $0 { level.updatedAt.text } else { nil } }
    #expect(said.contains(.heartbeat))
    #expect(levels.last == "2026-11-22T08:15:04.120Z" && said.count < 1_000, "\(said.count)")
  }

  @Test(
    "takes a server at its word as a sync does, whatever it asks for: a day at most, and never less than nothing",
    arguments: [
      ("0", 0), ("60", 60), ("86400", 86_400), ("1000000000000000000", 86_400),
      (String(repeating: "9", count: 300), 86_400), ("-1", nil), ("-1000000000000000000", nil), ("+5", nil),
      ("1e9", nil),
      ("0x10", nil), ("５", nil), ("", nil), ("Mon, 23 Nov 2026 10:00:07 GMT", 7), ("Mon, 23 Nov 2020 10:00:00 GMT", 0),
      ("Wed, 23 Nov 2326 10:00:00 GMT", 86_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
    ] as [(String, Int?)])
  func retryAfter(field: String, seconds: Int?) async throws {
    let server = try ScriptedServer { _ in
      .status(503, "", ["Retry-After": field, "Date": "Mon, 23 Nov 2026 10:00:00 GMT"])
    }
    defer { server.stop() }
    let remote = HTTPRemoteTable(address: try #require(ServerAddress(server.address)))
    let heard = Heard()
    _ = remote.listen(to: "TodoItem") { heard.note($0) }
    let reason = RemoteFailure.Reason.busy(status: 503, retryAfter: seconds)
    #expect(try await blocking { try heard.end } == .failed(reason))
    let failure = await #expect(throws: RemoteFailure.self) {
      _ = try await blocking { try remote.page(RemoteTableUnderTest.changes(since: .epoch)) }
    }
    #expect(failure?.reason == reason, "the same as a list")
  }

  @Test("that can't be made fails, and to a server that is known to offer none is not tried")
  func none() async throws {
    let heard = Heard()
    let nowhere = HTTPRemoteTable(address: try #require(ServerAddress("http://127.0.0.1:1")))
    _ = nowhere.listen(to: "TodoItem") { heard.note($0) }
    #expect(
      try await blocking { try heard.end } == .failed(.unreachable("connection refused", kind: .refused)))
    #expect(!heard.all.contains(.asked))
    let unnamed = HTTPRemoteTable(address: try #require(ServerAddress("http://nowhere.invalid")))
    let unheard = Heard()
    _ = unnamed.listen(to: "TodoItem") { unheard.note($0) }
    #expect(try await blocking { try unheard.end } == .failed(.unreachable("name not found", kind: .noName)))
    let server = try ScriptedServer { _ in .status(200, #"{"items":[]}"#, ["Content-Type": "application/json"]) }
    defer { server.stop() }
    let remote = HTTPRemoteTable(address: try #require(ServerAddress(server.address)))
    _ = try await blocking { try remote.page(RemoteTableUnderTest.changes(since: .epoch)) }
    #expect(remote.listen(to: "TodoItem") { _ in } == nil)
  }
}
