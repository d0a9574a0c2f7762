import Foundation
import Glibc
import Synchronization

/// A way to the server on which connections are cut, at places that a forecast names.
final class WeatherProxy: Sendable {
  let port: Int
  private let target: Int
  private let listener: Socket
  private let state = Mutex(State())

  private struct State {
    var forecast: ArraySlice<Cut?> = []
    var isHeld = false
    var isClosed = false
    var arrived = 0
    var swallowed = 0
    var lines: [ObjectIdentifier: Line] = [:]
  }

  var url: String { "http://127.0.0.1:\(port)" }
  /// Requests that arrived since the last forecast.
  var arrived: Int { state.withLock(\.arrived) }
  /// Answers that were kept from the client without a word since the last forecast.
  var swallowed: Int { state.withLock(\.swallowed) }

  init(to server: ServerProcess) throws {
    target = server.port
    (listener, port) = try Socket.listen()
    server.workspace.whenClosing { [self] in close() }
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// What becomes of the next requests, in the order they arrive; all later ones pass.
  func forecast(_ cuts: [Cut?]) {
    state.withLock { state in
      state.forecast = cuts[...]
      state.arrived = 0
      state.swallowed = 0
    }
  }

  /// Lets no request through to the server until `release()`.
  func hold() { state.withLock { $0.isHeld = true } }
  func release() { state.withLock { $0.isHeld = false } }

  private func close() {
    let lines = state.withLock { state in
      state.isClosed = true
      return Array(state.lines.values)
    }
    listener.shut()
    for line in lines { line.hangUp() }
  }
}

extension WeatherProxy {
  private func acceptAll() {
    while let client = listener.accept() {
      guard let server = Socket.connect(to: target) else {
        client.close()
        continue
      }
      let line = Line(client: client, server: server)
      state.withLock { $0.lines[ObjectIdentifier(line)] = line }
      for direction in [passRequests, passAnswers] {
        Thread.detachNewThread { [self] in
          direction(line)
          guard line.endDirection() else { return }
          state.withLock { $0.lines[ObjectIdentifier(line)] = nil }
        }
      }
    }
    listener.close()
  }

  private func passRequests(_ line: Line) {
    while let bytes = line.client.read() {
      let cut = line.cutOfRequest(next: nextCut)
      while state.withLock({ $0.isHeld && !$0.isClosed }) { usleep(1000) }
      switch cut {
      case .unheard: return
      case .halfHeard:
        _ = line.server.write(bytes.prefix(bytes.count / 2))
        return
      case .unanswered, .halfAnswered, .silent, nil:
        guard line.server.write(bytes) else { return }
      }
    }
  }

  private func passAnswers(_ line: Line) {
    while let bytes = line.server.read() {
      switch line.cutOfAnswer() {
      case .unanswered: return
      case .halfAnswered:
        _ = line.client.write(bytes.prefix(bytes.count / 2))
        return
      case .silent: state.withLock { $0.swallowed += 1 }
      case .unheard, .halfHeard, nil:
        guard line.client.write(bytes) else { return }
      }
    }
  }

  private func nextCut() -> Cut? {
    state.withLock { state in
      state.arrived += 1
      return state.forecast.popFirst() ?? nil
    }
  }
}
