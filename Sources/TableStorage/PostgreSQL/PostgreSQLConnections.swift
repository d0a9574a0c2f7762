import Dispatch
import NIOPosix
import Synchronization

/// The connections to one database, and the threads that wait for its answers: at most one connection a thread, and one
/// more thread for cancelling.
///
/// The threads are their own: those of the event loops and of Dispatch never wait for a database.
final class PostgreSQLConnections: Sendable {
  let address: PostgreSQLAddress
  private let patience: PostgreSQLPatience
  private let threads: NIOThreadPool
  private let cancelThread = NIOThreadPool(numberOfThreads: 1)
  private let state: Mutex<State>

  private struct State {
    var idle: [PostgreSQLConnection] = []
    /// How many there are, also those that are used and those that are being opened.
    var count = 0
    var opening = 0
    /// The threads that wait for one, the one that waits for longest first.
    var waiters: [PostgreSQLWaiter] = []
    /// Until when no further one is tried, since the database had as many as it may have; nil if it has room.
    var fullUntil: ContinuousClock.Instant?
    /// True if the database lets no session begin, and there is none for requests.
    var isShort = false
    var whenShort: (@Sendable () -> Void)?
    var isClosed = false
    var searchPath: String?
    /// With the name that sessions have from now on.
    var address: PostgreSQLAddress
    /// Until when no attempt to connect is made, and how long the next pause is.
    var pauseEnd: ContinuousClock.Instant?
    var pause = PostgreSQLConnections.shortestPause
    var reason = ""
    /// True while somebody tries again after a failure.
    var isTrying = false
    /// Tasks that wait for the thread for cancelling, or run there.
    var cancelTasks = 0

    /// Lets those that wait try to get one by themselves.
    mutating func wakeAll() {
      for waiter in waiters { waiter.resume(with: nil) }
      waiters = []
    }
  }

  private static let shortestPause = Duration.milliseconds(100)
  private static let longestPause = Duration.seconds(1)
  private static let mostCancelTasks = 8
  private static let pauseWhenFull = Duration.seconds(1)

  init(_ address: PostgreSQLAddress, count: Int, _ patience: PostgreSQLPatience) {
    self.address = address
    self.patience = patience
    state = Mutex(State(address: address))
    threads = NIOThreadPool(numberOfThreads: count)
    threads.start()
    cancelThread.start()
  }

  /// Sets the ``PostgreSQLConnection/searchPath`` of those that are made from now on.
  func setSearchPath(_ searchPath: String?) { state.withLock { $0.searchPath = searchPath } }

  /// Lets the sessions say in which schema they work: this one, and those that are made from now on.
  func showSchema(on connection: PostgreSQLConnection) throws {
    guard let number = try connection.run("SELECT current_schema()::regnamespace::oid").text(0, 0) else { return }
    let inSchema = address.inSchema(number)
    state.withLock { $0.address = inSchema }
    // Not a name that the user chose.
    try connection.run(
      "SELECT set_config('application_name', $2, false) WHERE current_setting('application_name') = $1",
      [.text(address.applicationName), .text(inSchema.applicationName)])
  }

  /// Runs `body` on one of the threads.
  func submit(_ body: @escaping @Sendable () -> Void) {
    threads.submit { _ in body() }
  }

  /// Runs `body` on the thread for cancelling, which waits for none of the others. Does nothing if too many tasks wait
  /// for it already: a statement that is not cancelled ends at its own limit.
  func submitCancel(_ body: @escaping @Sendable () -> Void) {
    let hasRoom = state.withLock {
      guard $0.cancelTasks < Self.mostCancelTasks else { return false }
      $0.cancelTasks += 1
      return true
    }
    guard hasRoom else { return }
    cancelThread.submit { [self] _ in
      body()
      state.withLock { $0.cancelTasks -= 1 }
    }
  }

  /// Runs `body` with a connection, on which an exchange may take `longest`, or as long as one that writes. A
  /// connection that was cut while nobody used it is noticed with the first statement: `body` throws then, and may be
  /// run again.
  ///
  /// Waits for one that others use if the database lets no more sessions begin.
  func use<Value>(within longest: Duration? = nil, _ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
    let connection = try checkOut()
    defer { checkIn(connection) }
    connection.allow(longest ?? patience.longestWrite)
    return try body(connection)
  }

  /// One for a single user, who waits by himself after a failure, and gives it back when he is asked (``isShort``):
  /// where the database lets a single session begin, that is for requests.
  func connectUnshared() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    let (isClosed, isFirst) = state.withLock { ($0.isClosed, $0.count == 0) }
    guard !isClosed else { throw .unreachable("the storage is closed") }
    if isFirst { checkIn(try checkOut()) }
    return try open(longest: patience.longestRead)
  }

  /// True if requests have no session, since others have as many as there may be.
  var isShort: Bool { state.withLock(\.isShort) }

  /// Calls `action` whenever that begins, on the thread that found it out.
  func whenShort(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.whenShort = action } }

  /// After a failure nobody tries again for a while, which grows, and then one at a time: an attempt may take seconds.
  /// Who asks meanwhile gets the same answer at once.
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
        // The sessions that exist keep serving.
        if error.isAboutTooManySessions, state.count > 1 { return }
        state.pauseEnd = .now + state.pause
        state.pause = min(state.pause * 2, Self.longestPause)
        if case .unreachable(let reason) = error.error { state.reason = reason }
      }
      throw error
    }
  }

  private func open(longest: Duration) throws(PostgreSQLFailure) -> PostgreSQLConnection {
    let (address, searchPath) = state.withLock { ($0.address, $0.searchPath) }
    let connection = try PostgreSQLConnection(address, longest: longest)
    connection.searchPath = searchPath
    return connection
  }

  private enum Place {
    case idle(PostgreSQLConnection)
    case new
    case waiting(PostgreSQLWaiter)
  }

  private func checkOut() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    let end = ContinuousClock.now + patience.busy
    while true {
      switch state.withLock({ place(&$0) }) {
      case .idle(let connection): return connection
      case .new:
        if let connection = try connectIfThereIsRoom() { return connection }
      case .waiting(let waiter):
        if let connection = waiter.wait(until: end) { return connection }
        // One may have come just now.
        state.withLock { state in state.waiters.removeAll { $0 === waiter } }
        if let connection = waiter.connection { return connection }
        if end <= .now { throw .turnedAway(state: "53300", "PostgreSQL lets no more sessions begin") }
      }
    }
  }

  private func place(_ state: inout State) -> Place {
    if let idle = state.idle.popLast() { return .idle(idle) }
    if let end = state.fullUntil, state.count > 0 {
      guard end <= .now else {
        let waiter = PostgreSQLWaiter()
        state.waiters.append(waiter)
        return .waiting(waiter)
      }
      // One tries, and the others go on to wait.
      state.fullUntil = .now + Self.pauseWhenFull
    }
    state.count += 1
    state.opening += 1
    return .new
  }

  /// Returns nil if the database has as many sessions as it may have, and some of them are this server's.
  private func connectIfThereIsRoom() throws(PostgreSQLFailure) -> PostgreSQLConnection? {
    do {
      let connection = try connect()
      state.withLock { state in
        state.opening -= 1
        (state.fullUntil, state.isShort) = (nil, false)
      }
      return connection
    } catch {
      let (hasOthers, whenShort) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
        state.count -= 1
        state.opening -= 1
        if state.count == 0 { state.wakeAll() }
        guard error.isAboutTooManySessions else { return (state.count > 0, nil) }
        state.fullUntil = .now + Self.pauseWhenFull
        // Until one was opened: another attempt may fail for another reason meanwhile.
        if state.count == state.opening { state.isShort = true }
        return (state.count > 0, state.isShort ? state.whenShort : nil)
      }
      whenShort?()
      guard error.isAboutTooManySessions, hasOthers else { throw error }
      return nil
    }
  }

  private func checkIn(_ connection: PostgreSQLConnection) {
    state.withLock { state in
      // All that are idle were cut with this one, if the database was stopped.
      if connection.wasCut {
        state.count -= state.idle.count
        state.idle = []
      }
      guard !connection.isBroken, !state.isClosed else {
        state.count -= 1
        // There may be room for another.
        state.fullUntil = nil
        state.wakeAll()
        return
      }
      guard !state.waiters.isEmpty else { return state.idle.append(connection) }
      state.waiters.removeFirst().resume(with: connection)
    }
  }

  /// Lets the threads end when what they do is done.
  func close() {
    state.withLock { state in
      state.isClosed = true
      state.count -= state.idle.count
      state.idle = []
    }
    threads.shutdownGracefully { _ in }
    cancelThread.shutdownGracefully { _ in }
  }
}

/// A thread that waits for a connection.
private final class PostgreSQLWaiter: Sendable {
  private let signal = DispatchSemaphore(value: 0)
  private let given = Mutex<PostgreSQLConnection?>(nil)

  /// The one that it resumed with; nil if it resumed without one, or not at all.
  var connection: PostgreSQLConnection? { given.withLock(\.self) }

  func resume(with connection: PostgreSQLConnection?) {
    given.withLock { $0 = connection }
    signal.signal()
  }

  /// Blocks until it is woken or `end` has come.
  func wait(until end: ContinuousClock.Instant) -> PostgreSQLConnection? {
    let left = max(.zero, end - .now)
    _ = signal.wait(timeout: .now() + .milliseconds(Int(clamping: left.milliseconds) + 1))
    return connection
  }
}
