package import OfflineSync
import TableProtocol

/// Notices: each listener hears how far the list is, at once and after each write.
extension FakeServer {
  package func listen(
    to table: String, _ receive: @escaping @Sendable (NoticeEvent) -> Void
  ) -> (any NoticeConnection)? {
    let (number, level) = withState { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = receive
      return (state.lastListener, state.level)
    }
    receive(.asked)
    receive(.level(level))
    return Listener(server: self, number: number)
  }

  /// Call after something may have been written.
  func announce() {
    let (listeners, level) = withState { state in
      let isNews = state.announced != state.level
      state.announced = state.level
      return (isNews ? Array(state.listeners.values) : [], state.level)
    }
    for receive in listeners { receive(.level(level)) }
  }

  private struct Listener: NoticeConnection {
    let server: FakeServer
    let number: Int

    func close() { server.withState { $0.listeners[number] = nil } }
    func waitUntilClosed(milliseconds: Int) -> Bool { true }
  }
}

extension FakeServer.State {
  fileprivate var level: ListLevel {
    ListLevel(updatedAt: newest ?? .epoch, database: "fake", epoch: epoch.number)
  }
}
