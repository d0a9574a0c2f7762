import OfflineSync

/// Connections for notices that were closed and may still hold their sockets.
///
/// There may be several: a list that was lost is connected to again while its former connection says goodbye. Not
/// thread-safe by itself: each copy is used by one thread at a time.
struct ClosingConnections: Sendable {
  private var connections: [any NoticeConnection] = []

  var isEmpty: Bool { connections.isEmpty }

  /// Adds a connection, and forgets those that hold no socket any more.
  mutating func append(_ connection: any NoticeConnection) {
    connections.removeAll { $0.waitUntilClosed(milliseconds: 0) }
    if !connection.waitUntilClosed(milliseconds: 0) { connections.append(connection) }
  }

  /// Waits until all are closed, at most `milliseconds` altogether.
  func waitUntilClosed(milliseconds: Int) {
    let start = ContinuousClock.now
    for connection in connections {
      let waited = Int(start.duration(to: .now) / .milliseconds(1))
      connection.waitUntilClosed(milliseconds: max(0, milliseconds - waited))
    }
  }
}
