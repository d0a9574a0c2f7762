import Foundation
import Glibc
import OfflineSync
import Support
import Synchronization
import TableClient
import TableProtocol

/// A server that says what a test tells it to, byte for byte, over a real socket.
final class ScriptedServer: Sendable {
  struct Request: Sendable {
    var method = ""
    var target = ""
    /// Names in lower case.
    var headers: [String: String] = [:]
    var body: [UInt8] = []
  }

  struct Reply: Sendable {
    /// Head and body; empty cuts the connection.
    let bytes: [UInt8]
    var closes = false
    /// The bytes are sent again and again, for as long as somebody takes them.
    var isEndless = false

    static let cut = Reply(bytes: [], closes: true)

    static let interim = Reply(bytes: Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))

    static func endless(_ text: String) -> Reply {
      Reply(bytes: Array(String(repeating: text, count: 1_000).utf8), isEndless: true)
    }

    static func raw(_ text: String) -> Reply { Reply(bytes: Array(text.utf8), closes: true) }

    static func status(_ status: Int, _ body: String = "", _ headers: [String: String] = [:]) -> Reply {
      bytes(status, Array(body.utf8), headers)
    }

    static func bytes(_ status: Int, _ body: [UInt8], _ headers: [String: String] = [:]) -> Reply {
      let fields = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
      let head = "HTTP/1.1 \(status) Said\r\nContent-Length: \(body.count)\r\n\(fields)\r\n"
      return Reply(bytes: Array(head.utf8) + body)
    }

    /// The same from a server of ours with this database.
    func named(_ database: String) -> Reply {
      guard let line = bytes.firstRange(of: Array("\r\n".utf8)) else { return self }
      let field = Array("\(ZumoHeader.database): \(database)\r\n".utf8)
      return Reply(bytes: bytes[..<line.upperBound] + field + bytes[line.upperBound...], closes: closes)
    }
  }

  let port: Int
  private let listener: CInt
  private let log = Mutex<[Request]>([])
  private let connectionCounts = Mutex((opened: 0, closed: 0))
  private let readsRequests: Bool
  private let answer: @Sendable (Request) -> Reply

  /// Unless it `readsRequests`, it answers to whatever bytes come, as the body of a request.
  init(readsRequests: Bool = true, _ answer: @escaping @Sendable (Request) -> Reply) throws {
    self.readsRequests = readsRequests
    self.answer = answer
    listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listens = withUnsafeMutablePointer(to: &place) { [listener] place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(listener, place, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, place, &length) == 0
      }
    }
    guard listens else { throw POSIXError(.EADDRINUSE) }
    port = Int(UInt16(bigEndian: place.sin_port))
    Thread.detachNewThread { self.acceptAll() }
  }

  var address: String { "http://127.0.0.1:\(port)" }
  /// What has been asked so far.
  var requests: [Request] { log.withLock { $0 } }

  /// Connections that were opened so far, and those of them that have ended.
  var connections: (opened: Int, closed: Int) { connectionCounts.withLock { $0 } }

  func stop() {
    shutdown(listener, CInt(SHUT_RDWR))
    close(listener)
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      connectionCounts.withLock { $0.opened += 1 }
      Thread.detachNewThread {
        self.serve(connection)
        close(connection)
        self.connectionCounts.withLock { $0.closed += 1 }
      }
    }
  }

  private func serve(_ connection: CInt) {
    var buffer: [UInt8] = []
    while let request = readsRequests ? Self.next(connection, &buffer) : Self.bytes(connection) {
      log.withLock { $0.append(request) }
      let reply = answer(request)
      var sent = 0
      while sent < reply.bytes.count || reply.isEndless {
        if sent == reply.bytes.count { sent = 0 }
        let count = reply.bytes[sent...].withUnsafeBytes {
          send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        sent += count
      }
      if reply.closes { return }
    }
  }

  private static func bytes(_ connection: CInt) -> Request? {
    var request = Request()
    return read(connection, &request.body) ? request : nil
  }

  private static func next(_ connection: CInt, _ buffer: inout [UInt8]) -> Request? {
    let gap = Array("\r\n\r\n".utf8)
    var end = buffer.firstRange(of: gap)
    while end == nil {
      guard read(connection, &buffer) else { return nil }
      end = buffer.firstRange(of: gap)
    }
    guard let end else { return nil }
    var request = Request()
    let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count == 3 else { return nil }
    (request.method, request.target) = (String(words[0]), String(words[1]))
    for line in lines.dropFirst() {
      let pair = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if pair.count == 2 { request.headers[pair[0].lowercased()] = pair[1] }
    }
    let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
    while buffer.count < end.upperBound + length {
      guard read(connection, &buffer) else { return nil }
    }
    request.body = Array(buffer[end.upperBound..<end.upperBound + length])
    buffer.removeFirst(end.upperBound + length)
    return request
  }

  private static func read(_ connection: CInt, _ buffer: inout [UInt8]) -> Bool {
    var part = [UInt8](repeating: 0, count: 65_536)
    let count = recv(connection, &part, part.count, 0)
    guard count > 0 else { return false }
    buffer += part[..<count]
    return true
  }
}

/// What a remote table told of its requests.
final class RequestNotes: Sendable {
  private let notes = Mutex<[RequestRecord]>([])

  var records: [RequestRecord] { notes.withLock { $0 } }

  func add(_ record: RequestRecord) {
    notes.withLock { $0.append(record) }
  }
}

/// Runs `body`, on a thread that may block, with a remote table whose server answers so. `knowing` stands for all that
/// was learned of it before.
func withScript(
  version: ProtocolVersion? = .v3, batching: BatchSupport? = nil, knowing: ServerKnowledge? = nil,
  settings: ClientSettings = ClientSettings(), token: String? = nil, prefix: String = "",
  notes: RequestNotes = RequestNotes(),
  _ answer: @escaping @Sendable (ScriptedServer.Request) -> ScriptedServer.Reply,
  _ body: @escaping @Sendable (HTTPRemoteTable, ScriptedServer) throws -> Void
) async throws {
  let server = try ScriptedServer(answer)
  defer { server.stop() }
  guard let address = ServerAddress(server.address + prefix) else { throw POSIXError(.EINVAL) }
  let remote = HTTPRemoteTable(
    address: address, signIn: token.map { SignIn(token: $0) },
    knowledge: knowing ?? ServerKnowledge(protocolVersion: version, batching: batching),
    settings: settings,
    now: { Timestamp(milliseconds: 1_000) }, onRequest: { notes.add($0) })
  try await blocking { try body(remote, server) }
}

extension ScriptedServer.Request {
  /// The answer of a server that stores whatever it gets.
  var stored: ScriptedServer.Reply {
    guard method == "POST" || method == "PUT" || method == "PATCH", let record = try? Record(json: body) else {
      return .status(method == "DELETE" ? 204 : 404)
    }
    return .status(201, Self.stored(record))
  }

  /// The same for a batch, but only for the entries that `keeps`.
  func storedBatch(keeping keeps: (Int) -> Bool = { _ in true }) -> ScriptedServer.Reply {
    guard let entries = try? BatchBody.requests(in: body, atMost: 100_000) else { return .status(400) }
    var writer = BatchResponseWriter()
    for (index, entry) in entries.enumerated().reversed() where keeps(index) {
      let record = entry.body.flatMap { try? Record(json: $0) }
      let body = record.map { Array(Self.stored($0).utf8) }
      writer.append(BatchResponse(id: entry.id, status: body == nil ? 204 : 201, body: body))
    }
    return .bytes(200, writer.finished())
  }

  private static func stored(_ record: Record) -> String {
    var record = record
    record.system.version = RecordVersion("of-\(record.id)")
    return String(decoding: record.json(), as: UTF8.self)
  }

  var isBatch: Bool { target.hasSuffix("/tables/$batch") }
}
