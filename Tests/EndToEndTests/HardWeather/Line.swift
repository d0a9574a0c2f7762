import Synchronization

/// One connection through the proxy: a socket on each side, and what is to become of the exchange on it.
final class Line: Sendable {
  let client: Socket
  let server: Socket
  private let state = Mutex(State())

  private struct State {
    var isAnswered = true
    var cut: Cut?
    var directions = 2
  }

  init(client: Socket, server: Socket) {
    self.client = client
    self.server = server
  }

  /// What becomes of the request that more bytes have come of. Bytes after an answer are a new one: no client of
  /// ours sends a request before the last one is answered.
  func cutOfRequest(next: () -> Cut?) -> Cut? {
    state.withLock { state in
      if state.isAnswered {
        state.isAnswered = false
        state.cut = next()
      }
      return state.cut
    }
  }

  /// What becomes of the answer that bytes have come of.
  func cutOfAnswer() -> Cut? {
    state.withLock { state in
      state.isAnswered = true
      return state.cut
    }
  }

  /// Ends both sides; whoever reads is woken.
  func hangUp() {
    client.shut()
    server.shut()
  }

  /// One direction has ended. True, and the sockets are given back, when both have.
  func endDirection() -> Bool {
    hangUp()
    let hasEnded = state.withLock { state in
      state.directions -= 1
      return state.directions == 0
    }
    guard hasEnded else { return false }
    client.close()
    server.close()
    return true
  }
}
