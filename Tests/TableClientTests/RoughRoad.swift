import Foundation
import Glibc
import Synchronization

/// What one request meets on its way over a real socket.
enum RoadWeather: CaseIterable, Sendable {
  /// A sign-in page answers 200 in place of the server.
  case portal
  /// The connection is cut before the server hears the request; after it has acted; in the middle of its answer.
  case cutBefore, cutAfter, cutAmid
  /// The request arrives twice, as a proxy may repeat it.
  case twice
  /// It takes a while.
  case delay
  /// The server has acted, and its answer is held back until another request has been answered.
  case hold
}

/// The way from devices to a real server, with the weather that it was told of. All later requests pass.
final class RoughRoad: Sendable {
  private let target: UInt16
  private let forecast = Mutex<[RoadWeather?]>([])
  private let counted = Mutex<Int>(0)
  /// Answers that have been let through.
  private let answered = Mutex<Int>(0)
  /// Milliseconds for which an answer is held back where no other request comes.
  private static let longestHold = 150

  /// Requests that met weather.
  var faults: Int { counted.withLock(\.self) }

  init(to address: String) throws {
    guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw POSIXError(.EINVAL) }
    target = port
  }

  func expect(_ weather: [RoadWeather?]) { forecast.withLock { $0 = weather } }

  func reply(to request: ScriptedServer.Request) -> ScriptedServer.Reply {
    defer { answered.withLock { $0 += 1 } }
    let weather = forecast.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if weather != nil { counted.withLock { $0 += 1 } }
    switch weather {
    case .portal:
      return .status(200, "<!DOCTYPE html><title>Welcome</title>", ["Content-Type": "text/html"])
    case .cutBefore: return .cut
    case .cutAfter:
      _ = forward(request)
      return .cut
    case .cutAmid:
      let answer = forward(request)
      return ScriptedServer.Reply(bytes: Array(answer.prefix(answer.count / 2)), closes: true)
    case .twice:
      _ = forward(request)
      return ScriptedServer.Reply(bytes: forward(request))
    case .delay:
      usleep(20_000)
      return ScriptedServer.Reply(bytes: forward(request))
    case .hold:
      let others = answered.withLock(\.self)
      let answer = forward(request)
      for _ in 0..<Self.longestHold where answered.withLock(\.self) == others { usleep(1_000) }
      return ScriptedServer.Reply(bytes: answer)
    case nil: return ScriptedServer.Reply(bytes: forward(request))
    }
  }

  /// On a connection of its own, which the server closes after its answer.
  private func forward(_ request: ScriptedServer.Request) -> [UInt8] {
    let connection = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(connection) }
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    place.sin_port = target.bigEndian
    let isConnected = withUnsafePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return [] }
    let passed = request.headers.filter { $0.key != "connection" }.map { "\($0.key): \($0.value)\r\n" }.joined()
    let head = "\(request.method) \(request.target) HTTP/1.1\r\n\(passed)connection: close\r\n\r\n"
    var rest = (Array(head.utf8) + request.body)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard sent > 0 else { return [] }
      rest = rest.dropFirst(sent)
    }
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(connection, &part, part.count, 0)
      guard count > 0 else { return answer }
      answer += part[..<count]
    }
  }
}
