import NIOCore
import NIOEmbedded
import NIOPosix
import Support
import Synchronization
import TableProtocol
import TableStorage
import Testing

@testable import TableServer

@Suite("A connection", .timeLimit(.minutes(5)))
struct ConnectionTests {
  private static let short = TimeAmount.milliseconds(200)
  private let get = "GET /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\n"

  private func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
    var limits = ServerLimits.patient
    change(&limits)
    return limits
  }

  @Test(
    "whose request does not come to its end is closed", arguments: ["", "GET /tab", "GET / HTTP/1.1\r\nHost: local"])
  func slowHead(head: String) async throws {
    try await TestServer.run(limits: limits { $0.head = Self.short }) { server async throws in
      let connection = try RawConnection(server)
      await connection.send(head)
      #expect(await connection.readToEnd() == "")
    }
  }

  @Test("whose body does not come to its end is closed")
  func slowBody() async throws {
    try await TestServer.run(limits: limits { $0.body = Self.short }) { server async throws in
      let connection = try RawConnection(server)
      await connection.send(
        "POST /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
      )
      #expect(await connection.readToEnd() == "")
      #expect(try await server.send(.get, "/tables/TodoItem").list.items.isEmpty)
    }
  }

  @Test("that is idle after an answer is closed")
  func idle() async throws {
    try await TestServer.run(limits: limits { $0.idle = Self.short }) { server async throws in
      let connection = try RawConnection(server)
      await connection.send(get + "\r\n")
      let text = try #require(await connection.readToEnd())
      #expect(text.hasPrefix("HTTP/1.1 200") && !text.contains("Connection: close"))
    }
  }

  @Test("gives its place to another if all are taken and it is idle")
  func tooMany() async throws {
    try await TestServer.run(limits: limits { $0.connections = 3 }) { server async throws in
      var idle: [RawConnection] = []
      for _ in 0..<6 {
        let connection = try RawConnection(server)
        await connection.send(get + "\r\n")
        #expect(await connection.readSome()?.hasPrefix("HTTP/1.1 200") == true)
        idle.append(connection)
      }
      #expect(await idle[0].readToEnd() == "", "the first of all was closed")
    }
  }

  @Test("gives its place to another if it was never heard of, but not while it has a request")
  func silent() throws {
    let registry = ConnectionRegistry(limits { $0.connections = 2 })
    let connections = (0..<4).map { _ in ServerConnection(EmbeddedChannel()) }
    func admit(_ number: Int, at moment: UInt64) -> Bool {
      registry.admit(connections[number], now: .uptimeNanoseconds(moment))
    }
    #expect(admit(0, at: 1) && admit(1, at: 2))
    registry.note(connections[0], awaits: .nothing, now: .uptimeNanoseconds(3))
    #expect(admit(2, at: 4), "the second was silent")
    registry.note(connections[2], awaits: .nothing, now: .uptimeNanoseconds(5))
    #expect(!admit(3, at: 6), "both have a request")
    registry.note(connections[0], awaits: .request, now: .uptimeNanoseconds(7))
    #expect(admit(3, at: 8) && registry.count == 2)
  }

  private static func isOpen(_ channel: EmbeddedChannel) -> Bool {
    let closed = Atomic(false)
    channel.closeFuture.whenComplete { _ in closed.store(true, ordering: .relaxed) }
    channel.embeddedEventLoop.run()
    return !closed.load(ordering: .relaxed)
  }

  @Test("gives its place to another if its client does not go on with a body, strangers first, idle ones before them")
  func stalled() throws {
    let registry = ConnectionRegistry(limits { $0.connections = 3 })
    let channels = (0..<7).map { _ in EmbeddedChannel() }
    let connections = channels.map { ServerConnection($0) }
    for number in 0..<3 { #expect(registry.admit(connections[number], now: .uptimeNanoseconds(UInt64(number)))) }
    connections[0].begin(ConnectionToken(digest: TokenDigest(of: "anna's"), expiresAt: nil))
    for number in 0..<3 { registry.note(connections[number], awaits: .body, now: .uptimeNanoseconds(10)) }
    registry.note(connections[2], awaits: .request, now: .uptimeNanoseconds(20))
    for (newcomer, closed) in [(3, 2), (4, 1), (5, 0)] {
      #expect(registry.admit(connections[newcomer], now: .uptimeNanoseconds(30)))
      #expect(registry.count == 3 && !Self.isOpen(channels[closed]), "\(closed)")
      registry.note(connections[newcomer], awaits: .nothing, now: .uptimeNanoseconds(31))
    }
    #expect(!registry.admit(connections[6], now: .uptimeNanoseconds(40)), "it is the server's turn with all of them")
  }

  @Test("of one address is one of so many, except on this machine")
  func perAddress() throws {
    let registry = ConnectionRegistry(limits { $0.connectionsOfAnAddress = 2 })
    func channel(_ address: String) throws -> EmbeddedChannel {
      let channel = EmbeddedChannel()
      channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
      return channel
    }
    let channels = try (0..<3).map { _ in try channel("203.0.113.5") }
    #expect(channels.map { registry.admit(ServerConnection($0)) } == [true, true, false])
    #expect(registry.admit(ServerConnection(try channel("203.0.113.6"))))
    for _ in 0..<5 { #expect(registry.admit(ServerConnection(try channel("127.0.0.1")))) }
    _ = try channels[0].finish()
    #expect(registry.admit(ServerConnection(try channel("203.0.113.5"))))
  }

  @Test("takes only so much of the memory for bodies and for answers that all share")
  func memory() async throws {
    let words = String(repeating: "x", count: 90_000)
    try await TestServer.run(
      limits: limits {
        $0.bodies = 100_000
        $0.answers = 80_000
      }
    ) { server async throws in
      let large = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"text":"\#(words)\#(words)"}"#)
      #expect(large.status == 503 && large.header("Retry-After") != nil)
      #expect(try await server.insert("a", #""text":"\#(words)""#).id == "a", "what was written is said")
      #expect(try await server.send(.get, "/tables/TodoItem/a").status == 503)
      #expect(try await server.send(.get, "/tables/TodoItem?$select=id").status == 200)
    }
    let budget = MemoryBudget(10)
    var share = budget.share(6)
    #expect(share != nil && budget.share(5) == nil && share?.grow(by: 4) == true && share?.grow(by: 1) == false)
    share = nil
    #expect(budget.share(10) != nil)
  }

  @Test("takes at most half of that memory for one user, or for all who have no token")
  func memoryOfAUser() throws {
    let budget = MemoryBudget(10)
    let (anna, bob) = (MemoryBudget.Owner.user(try #require(UserName("anna"))), MemoryBudget.Owner.strangers)
    var shares = [budget.share(3, of: bob), budget.share(2, of: bob)]
    #expect(!shares.contains { $0 == nil } && budget.share(1, of: bob) == nil)
    let annas = try #require(budget.share(of: anna))
    #expect(annas.grow(by: 5) && !annas.grow(by: 1) && budget.share(1) == nil)
    shares.removeLast()
    #expect(budget.share(3, of: bob) == nil && budget.share(2) != nil)
  }

  @Test("whose client stops reading an answer is closed")
  func unread() async throws {
    try await TestServer.run(limits: limits { $0.sending = Self.short }) { server async throws in
      let words = String(repeating: "x", count: 1_000_000)
      for number in 0..<8 { try await server.insert("row\(number)", #""text":"\#(words)""#) }
      let connections = try (0..<3).map { _ in try RawConnection(server) }
      // More than fits into the buffers of the system.
      let requests = String(repeating: get + "\r\n", count: 8)
      for connection in connections {
        await connection.send(requests)
        #expect(await connection.readSome()?.hasPrefix("HTTP/1.1 ") == true)
      }
      // The one that asks is open.
      _ = try await eventually(within: .seconds(240), otherwise: "The connections stay open.") {
        try await server.figure("ebb_connections") == 1 ? true : nil
      }
      for connection in connections { #expect(try #require(await connection.readToEnd()).utf8.count < 60_000_000) }
    }
  }

  @Test(
    "on which a client offers another protocol is answered in this one and closed",
    arguments: [
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n", "Upgrade: websocket\r\n",
    ])
  func upgrade(headers: String) async throws {
    try await TestServer.run { server async throws in
      let connection = try RawConnection(server)
      await connection.send(get + headers + "\r\n")
      let text = try #require(await connection.readToEnd())
      #expect(text.hasPrefix("HTTP/1.1 200") && text.contains("Connection: close"))
    }
  }

  @Test("on which a client wants a tunnel is closed")
  func tunnel() async throws {
    try await TestServer.run { server async throws in
      let connection = try RawConnection(server)
      await connection.send("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n")
      let text = try #require(await connection.readToEnd())
      #expect(text.hasPrefix("HTTP/1.1 4"))
    }
  }

  @Test("with a body that is too large is answered and closed, also to a client that sends all of it first")
  func tooLarge() async throws {
    try await TestServer.run { server async throws in
      for length in [
        "Content-Length: 12000000\r\n\r\n", "Content-Length: 24000000\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n16e3600\r\n",
      ] {
        let connection = try RawConnection(server)
        await connection.send(
          "POST /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(length)")
        await connection.send(String(repeating: "x", count: length.contains("12000000") ? 12_000_000 : 24_000_000))
        if length.contains("chunked") { await connection.send("\r\n0\r\n\r\n") }
        let text = try #require(await connection.readToEnd())
        #expect(text.hasPrefix("HTTP/1.1 413"), "\(text.prefix(20))")
      }
    }
  }

  @Test("of HTTP/1.0 is closed after the answer, unless the client wants it open")
  func oldHTTP() async throws {
    try await TestServer.run { server async throws in
      let connection = try RawConnection(server)
      await connection.send("GET /tables/TodoItem HTTP/1.0\r\n\r\n")
      #expect(try #require(await connection.readToEnd()).contains(" 200 "))
      let open = try RawConnection(server)
      for _ in 0..<2 {
        await open.send("GET /tables/TodoItem HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(try #require(await open.readSome()).contains("Connection: keep-alive"))
      }
    }
  }

  @Test("must name one host", arguments: ["", "Host: localhost\r\nHost: localhost\r\n"])
  func hosts(hosts: String) async throws {
    try await TestServer.run { server async throws in
      let connection = try RawConnection(server)
      await connection.send("GET /tables/TodoItem HTTP/1.1\r\n\(hosts)\r\n")
      #expect(try #require(await connection.readToEnd()).hasPrefix("HTTP/1.1 400"))
    }
  }

  @Test(
    "must send a body as it is or in chunks, and not packed as well",
    arguments: [
      "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
    ])
  func codings(codings: String) async throws {
    try await TestServer.run { server async throws in
      let connection = try RawConnection(server)
      await connection.send(
        "POST /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\(codings)\r\n"
          + "2\r\n{}\r\n0\r\n\r\n")
      #expect(try #require(await connection.readToEnd()).hasPrefix("HTTP/1.1 400"))
    }
  }

  @Test("that nobody handles, since the server ends, is closed")
  func unhandled() async throws {
    let channel = NIOAsyncTestingChannel()
    let server = ServerChannel(
      responder: { _, _, _ in }, limits: ServerLimits(), registry: ConnectionRegistry(ServerLimits()),
      certificate: nil)
    _ = try await channel.testingEventLoop.executeInContext {
      server.setup(channel: channel, logger: TestServer.quiet).map { _ in }
    }.get()
    while channel.isActive { await channel.testingEventLoop.run() }
    try await channel.closeFuture.get()
  }

  @Test("stops what its client no longer waits for")
  func leaving() async throws {
    // One with a thread of its own, on which the work is done.
    let channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .bind(host: "127.0.0.1", port: 0).get()
    defer { channel.close(promise: nil) }
    let connection = ServerConnection(channel)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let work = Task {
      try await ServerConnection.$current.withValue(connection) {
        try await ServerConnection.whileConnected {
          begin.finish()
          try await Task.sleep(for: .seconds(3_600))
        }
      }
    }
    for await _ in begun {}
    connection.leave()
    await #expect(throws: CancellationError.self) { try await work.value }
  }
}
