import NIOCore
import NIOPosix
import Support
import TableProtocol
import Testing

struct HostileRequestTests {
  @Test("random requests are answered or cut off, and the server goes on")
  func randomRequests() async throws {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    let requests = (0..<300).map { _ in Self.request(&chance) }
    try await TestServer.run { server in
      try await server.insert("a")
      for request in requests { try await Self.send(request, to: server.port) }
      #expect(try await server.send(.get, "/tables/TodoItem?__includedeleted=true").status == 200, "seed \(seed)")
    }
  }

  private static func request(_ chance: inout SeededGenerator) -> [UInt8] {
    if Int.random(in: 0..<5, using: &chance) == 0 {
      return (0..<Int.random(in: 1...300, using: &chance)).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
    }
    let pieces = [
      "GET ", "POST ", "PATCH ", "DELETE ", "PUT ", "/tables/TodoItem", "/a", "/%", "%00", "%ff%fe", "?", "$filter=",
      "$top=", "$skiptoken=WzFd", "&", "=", "+",
      "(", "'", "updatedAt ge ", "cast(", "%20", "\u{FFFD}", "[", "{", "}", "\"id\":", "\"a\"", "\\u0000", "1e400", ",",
      "null", "-", "买",
    ]
    func noise(_ count: Int) -> String {
      (0..<Int.random(in: 0...count, using: &chance)).map { _ in pieces.randomElement(using: &chance) ?? "" }.joined()
    }
    let method = ["GET", "POST", "PATCH", "PUT", "DELETE", "X"].randomElement(using: &chance) ?? "GET"
    let path = ["/tables/TodoItem", "/tables/TodoItem/a", ""].randomElement(using: &chance) ?? ""
    let body = noise(10)
    let version = ["2.0.0", "3.0.0", noise(2)].randomElement(using: &chance) ?? ""
    let head =
      "\(method) \(path)\(noise(6)) HTTP/1.1\r\nHost: \(noise(1))\r\nZUMO-API-VERSION: \(version)\r\nIf-Match: \(noise(1))\r\n"
    return Array("\(head)Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  /// Sends the bytes, closes the sending side, and waits until the server has closed its own.
  private static func send(_ bytes: [UInt8], to port: Int) async throws {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: false)
      .connect(host: "127.0.0.1", port: port).get()
    try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    try? await channel.close(mode: .output).get()
    try? await channel.closeFuture.get()
  }
}
