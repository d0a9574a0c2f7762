import Foundation
import Glibc
import Synchronization

/// A way to the server that counts the requests that pass, and can hold them back for a while.
final class CountingProxy: Sendable {
  let port: Int
  private let target: Int
  private let listener: Socket
  private let state = Mutex(State())

  private struct State {
    var scanners: [RequestScanner] = []
    var held = false
    var losesAnswers = false
    var sockets: [Socket] = []
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// The requests so far, in the order their connections were made.
  var requests: [String] { state.withLock { $0.scanners.flatMap(\.requests) } }

  /// The requests so far that may change something.
  var writes: [String] { requests.filter { !$0.hasPrefix("GET ") } }

  init(to server: ServerProcess) throws {
    target = server.port
    (listener, port) = try Socket.listen()
    server.workspace.whenClosing { [self] in close() }
    Thread.detachNewThread { [self] in acceptAll() }
  }

  /// Waits until a request has come in, even if it is held.
  func waitForRequest() async throws {
    _ = try await waitFor {
      requests.isEmpty ? nil : true
    } otherwise: {
      "no program sent the server a request"
    }
  }

  /// Forgets the requests counted so far.
  func forget() {
    state.withLock { state in
      for index in state.scanners.indices { state.scanners[index].forget() }
    }
  }

  /// Lets nothing through to the server until `release()`: a slow network.
  func hold() { state.withLock { $0.held = true } }
  func release() { state.withLock { $0.held = false } }

  /// Lets no answer through any more, and cuts the connection instead.
  func loseAnswers() { state.withLock { $0.losesAnswers = true } }

  private func close() {
    listener.shut()
    for socket in state.withLock({ $0.sockets }) { socket.shut() }
  }

  private func acceptAll() {
    while let client = listener.accept() {
      guard let server = Socket.connect(to: target) else {
        client.shut()
        continue
      }
      let number = state.withLock { state in
        state.scanners.append(RequestScanner())
        state.sockets += [client, server]
        return state.scanners.count - 1
      }
      Thread.detachNewThread { [self] in forward(client, server, connection: number) }
      Thread.detachNewThread { [self] in answer(server, client) }
    }
  }

  private func forward(_ client: Socket, _ server: Socket, connection: Int) {
    while let bytes = client.read() {
      state.withLock { $0.scanners[connection].read(bytes) }
      while state.withLock({ $0.held }) { usleep(1000) }
      guard server.write(bytes) else { break }
    }
    server.shut()
    client.shut()
  }

  private func answer(_ server: Socket, _ client: Socket) {
    while let bytes = server.read(), !state.withLock({ $0.losesAnswers }), client.write(bytes) {}
    server.shut()
    client.shut()
  }
}
