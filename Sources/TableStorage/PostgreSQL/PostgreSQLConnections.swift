import NIOPosix
import Synchronization

/// The connections to one database, and the threads that wait for its answers: as many of the one as of the other.
///
/// The threads are their own: those of the event loops and of Dispatch never wait for a database.
final class PostgreSQLConnections: Sendable {
  let address: PostgreSQLAddress
  private let patience: PostgreSQLPatience
  private let threads: NIOThreadPool
  private let aside = NIOThreadPool(numberOfThreads: 1)
  private let state = Mutex(State())

  private struct State {
    var idle: [PostgreSQLConnection] = []
    var isClosed = false
    var searchPath: String?
    /// Until when no attempt to connect is made, and how long the next pause is.
    var pauseEnd: ContinuousClock.Instant?
    var pause = PostgreSQLConnections.shortestPause
    var reason = ""
    /// True while somebody tries again after a failure.
    var isTrying = false
    /// Tasks that wait for the thread aside, or run there.
    var aside = 0
  }

  private static let shortestPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(1)
  private static let mostAside = 8

  init(_ address: PostgreSQLAddress, count: Int, _ patience: PostgreSQLPatience) {
    self.address = address
    self.patience = patience
    threads = NIOThreadPool(numberOfThreads: count)
    threads.start()
    aside.start()
  }

  /// Sets the ``PostgreSQLConnection/searchPath`` of those that are made from now on.
  func use(searchPath: String?) { state.withLock { $0.searchPath = searchPath } }

  /// Runs `body` on one of the threads.
  func submit(_ body: @escaping @Sendable () -> Void) {
    threads.submit { _ in body() }
  }

  /// Runs `body` on a thread that never is one of those, for what should not wait for them. Does nothing if too much waits
  /// for that thread already: what is done there may be left out.
  func submitAside(_ body: @escaping @Sendable () -> Void) {
    let isFull = state.withLock { state in
      if state.aside < Self.mostAside { state.aside += 1 } else { return true }
      return false
    }
    guard !isFull else { return }
    aside.submit { [self] _ in
      body()
      state.withLock { $0.aside -= 1 }
    }
  }

  /// Runs `body` with a connection, on which an exchange may take `longest`, or as long as one that writes. A connection
  /// that was cut while nobody used it is noticed with the first statement: `body` throws then, and may be run again.
  func use<Value>(within longest: Duration? = nil, _ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    let connection = try checkOut()
    defer { checkIn(connection) }
    connection.allow(longest ?? patience.longestWrite)
    return try body(connection)
  }

  /// One for a single user, who waits by himself after a failure.
  func connectAside() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    guard !state.withLock(\.isClosed) else { throw .unreachable("the storage is closed") }
    return try open(longest: patience.longestRead)
  }

  /// After a failure nobody tries again for a while, which grows, and then one at a time: an attempt may take seconds. Who
  /// asks meanwhile gets the same answer at once.
  private func connect() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    let wait = state.withLock { state -> String? in
      if state.isClosed { return "the storage is closed" }
      guard let pauseEnd = state.pauseEnd else { return nil }
      if state.isTrying || pauseEnd > .now { return state.reason }
      state.isTrying = true
      return nil
    }
    if let wait { throw .unreachable(wait) }
    do {
      let connection = try open(longest: patience.longestWrite)
      state.withLock { state in (state.pauseEnd, state.pause, state.isTrying) = (nil, Self.shortestPause, false) }
      return connection
    } catch {
      state.withLock { state in
        state.isTrying = false
        state.pauseEnd = .now + state.pause
        state.pause = min(state.pause * 2, Self.longestPause)
        if case .unreachable(let reason) = error { state.reason = reason }
      }
      throw error
    }
  }

  private func open(longest: Duration) throws(PostgreSQLFailure) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address, longest: longest)
    connection.searchPath = state.withLock(\.searchPath)
    return connection
  }

  private func checkOut() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    if let idle = state.withLock({ $0.idle.popLast() }) { return idle }
    return try connect()
  }

  private func checkIn(_ connection: PostgreSQLConnection) {
    state.withLock { state in
      // All that are idle were cut with this one, if the database was stopped.
      if connection.wasCut { state.idle = [] }
      if !connection.isBroken, !state.isClosed { state.idle.append(connection) }
    }
  }

  /// Lets the threads end when what they do is done.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.idle = []
    }
    threads.shutdownGracefully { _ in }
    aside.shutdownGracefully { _ in }
  }
}
