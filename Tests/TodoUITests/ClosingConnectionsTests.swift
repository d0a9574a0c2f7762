import OfflineSync
import Synchronization
import Testing

@testable import TodoUI

@Suite("Connections for notices that are being closed")
struct ClosingConnectionsTests {
  @Test("are all waited for, not only the newest, until they are closed")
  func all() {
    let connections = (0..<3).map { _ in SlowConnection() }
    var closing = ClosingConnections()
    for connection in connections { closing.append(connection) }
    for connection in connections { #expect(connection.waits == 0) }
    closing.waitUntilClosed(milliseconds: 60_000)
    for connection in connections { #expect(connection.waits == 1) }
  }

  @Test("are forgotten once they are closed")
  func forgotten() {
    let (first, second) = (SlowConnection(), SlowConnection())
    var closing = ClosingConnections()
    closing.append(first)
    #expect(!closing.isEmpty)
    first.end()
    second.end()
    closing.append(second)
    #expect(closing.isEmpty)
    closing.waitUntilClosed(milliseconds: 60_000)
    #expect(first.waits == 0 && second.waits == 0)
  }
}

/// A connection that stays open until it is waited for.
private final class SlowConnection: NoticeConnection {
  private struct State {
    var isClosed = false
    var waits = 0
  }

  private let state = Mutex(State())

  /// How often somebody waited, and did not only look.
  var waits: Int { state.withLock(\.waits) }

  func end() { state.withLock { $0.isClosed = true } }

  func close() {}

  func waitUntilClosed(milliseconds: Int) -> Bool {
    state.withLock { state in
      guard milliseconds > 0 else { return state.isClosed }
      state.waits += 1
      state.isClosed = true
      return true
    }
  }
}
