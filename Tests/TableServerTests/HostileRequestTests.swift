import Chance
import FoundationEssentials
import NIOCore
import NIOPosix
import Synchronization
import TableProtocol
import Testing

@testable import TableServer

/// What a server must live through. `make fuzz` sends many more of these, from the seed that it prints.
@Suite("Hostile requests")
struct HostileRequestTests {
  private static let seed = setting("EBB_SEED").flatMap { UInt64($0) } ?? .random(in: .min ... .max)
  private static let count = setting("EBB_REQUESTS").flatMap { Int($0) } ?? 300
  /// Connections at the same time.
  private static let senders = 4

  private static func setting(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  @Test("are answered or cut off, none with a failure of the server, and the server goes on")
  func randomRequests() async throws {
    print("hostile requests: \(Self.count), seed \(Self.seed)")
    let failures = Failures()
    try await TestServer.run(tables: TablePolicy(.open)) { server async throws in
      try await server.insert("a")
      await withTaskGroup(of: Void.self) { tasks in
        for sender in 0..<Self.senders {
          tasks.addTask {
            var chance = SeededGenerator(seed: Self.seed &+ UInt64(sender))
            for _ in 0..<(Self.count + Self.senders - 1) / Self.senders {
              let request = HostileRequest(&chance).bytes
              guard let answer = await Self.answer(to: request, of: server.port) else { continue }
              if Self.isFailure(answer) {
                failures.add("\(answer.text.prefix(400))\n\(String(decoding: request, as: UTF8.self))")
              }
            }
          }
        }
      }
      #expect(try await server.send(.get, "/tables/TodoItem?__includedeleted=true").status == 200)
    }
    let found = failures.all
    #expect(found.isEmpty, "seed \(Self.seed), \(found.count) failures\n\(found.first ?? "")")
  }

  /// What is not supported is said so: that is no failure. A reader that sends nothing more is taken for one that left.
  private static func isFailure(_ answer: Answered) -> Bool {
    let explained = ["501", "505"] + (answer.wasLeft ? ["503"] : [])
    return answer.text.hasPrefix("HTTP/1.1 5") && !explained.contains { answer.text.hasPrefix("HTTP/1.1 \($0)") }
  }

  private struct Answered {
    let text: String
    /// The sending side was closed before the answer came.
    let wasLeft: Bool
  }

  /// Sends the bytes, and waits until the server has closed the connection. The sending side is closed after a while,
  /// for requests that have no end. Nil if no connection was to be had.
  private static func answer(to bytes: [UInt8], of port: Int) async -> Answered? {
    let collector = AnswerCollector()
    guard
      let channel = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(.allowRemoteHalfClosure, value: false)
        .channelInitializer({ $0.pipeline.addHandler(collector) })
        .connect(host: "127.0.0.1", port: port).get()
    else { return nil }
    try? await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    let closing = channel.eventLoop.scheduleTask(in: isWhole(bytes) ? .milliseconds(500) : .zero) {
      channel.close(mode: .output, promise: nil)
    }
    try? await channel.closeFuture.get()
    closing.cancel()
    let wasLeft = (try? await closing.futureResult.get()) != nil
    return Answered(text: collector.text, wasLeft: wasLeft)
  }

  /// Most are; of the others the server waits for the rest.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("\r\nConnection: close\r\n")
      && !["Transfer-Encoding", "Expect", "Upgrade"].contains { text.contains($0) }
  }
}

private final class Failures: Sendable {
  private let found = Mutex<[String]>([])

  var all: [String] { found.withLock(\.self) }

  func add(_ failure: String) { found.withLock { $0.append(failure) } }
}

/// Keeps the beginning of what comes.
private final class AnswerCollector: ChannelInboundHandler, Sendable {
  typealias InboundIn = ByteBuffer

  private static let most = 1_000
  private let bytes = Mutex<[UInt8]>([])

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    bytes.withLock { bytes in
      if bytes.count < Self.most { bytes += part.readableBytesView.prefix(Self.most) }
    }
  }
}

/// A request that is nearly one: pieces of the protocol, put together at random, among bytes at random.
private struct HostileRequest {
  let bytes: [UInt8]

  private static let pieces = [
    "GET ", "POST ", "PATCH ", "/tables/TodoItem", "/a", "/%", "%00", "%ff%fe", "?", "$filter=", "$top=", "$orderby=",
    "$select=", "$skiptoken=WzFd", "$count=true", "__includedeleted=true", "&", "=", "+", "(", ")", "'",
    "updatedAt ge ",
    "cast(", "contains(text,", "concat(", "length(", "not ", " and ", " or ", " eq ", "in (", "2026-11-22T08:00:00Z",
    "%20", "\u{FFFD}", "[", "]", "{", "}", ":", "\"id\":", "\"text\":", "\"a\"", "\\u0000", "\\ud800", "1e400", ",",
    "null", "true", "-", "9223372036854775808", "买", "\u{202E}", "*", "\"MQ==\"", "W/",
  ]
  private static let paths = [
    "/", "/tables", "/tables/TodoItem", "/tables/TodoItem/a", "/tables/other", "/tables/$batch", "/$batch", "/join",
    "/feeds/x.ics", "/feeds/", "/openapi.json", "",
  ]
  private static let headers = [
    "If-Match", "If-None-Match", "If-Modified-Since", "Accept", "Authorization", "X-ZUMO-AUTH", "Origin",
    "Sec-Fetch-Site", "x-ebb-database", "x-ebb-epoch", "x-ebb-newest", "x-ebb-verify", "Prefer", "X-ZUMO-Options",
    "Repeatability-Request-ID", "Repeatability-First-Sent", "Range", "Expect", "Upgrade", "Transfer-Encoding",
  ]

  init(_ chance: inout SeededGenerator) {
    if Int.random(in: 0..<10, using: &chance) == 0 {
      bytes = (0..<Int.random(in: 1...300, using: &chance)).map { _ in UInt8.random(in: .min ... .max, using: &chance) }
      return
    }
    func one(_ texts: [String]) -> String { texts.randomElement(using: &chance) ?? "" }
    func noise(_ count: Int) -> String {
      (0..<Int.random(in: 0...count, using: &chance)).map { _ in one(Self.pieces) }.joined()
    }
    let noisePath = noise(8).replacing(" ", with: "%20")
    let path = one(Self.paths) + (Bool.random(using: &chance) ? "?$filter=" : "") + noisePath
    var head = "\(one(["GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "HEAD", "X"])) \(path) HTTP/1.1\r\n"
    head += "Host: \(one(["localhost", "localhost", "localhost", noise(1)]))\r\n"
    head += "ZUMO-API-VERSION: \(one(["2.0.0", "3.0.0", "3.0.0", noise(2)]))\r\n"
    for _ in 0..<Int.random(in: 0...2, using: &chance) { head += "\(one(Self.headers)): \(noise(2))\r\n" }
    let body = Self.body(&chance, noise(10))
    head += one(["Content-Type: application/json\r\n", "Content-Type: application/json\r\n", ""])
    bytes = Array("\(head)Connection: close\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  private static func body(_ chance: inout SeededGenerator, _ noise: String) -> String {
    switch Int.random(in: 0..<4, using: &chance) {
    case 0: return ""
    case 1: return #"{"id":"a","text":"\#(noise.filter { $0 != "\"" && $0 != "\\" })"}"#
    case 2:
      let url = paths.randomElement(using: &chance) ?? ""
      return
        #"{"requests":[{"id":"1","method":"get","url":"\#(url)"},{"id":"2","method":"patch","url":"/tables/TodoItem/a",\#(noise)}]}"#
    case _: return noise
    }
  }
}
