import FoundationEssentials
import Synchronization
import TableProtocol
import TableSQL

/// The storage for those who outgrow one machine, or have a database that is already looked after: PostgreSQL, of which
/// several server processes may have the same.
///
/// The row of a list in `ebb_list` is its clock and its lock. A writer locks it first and changes it last; the lock is
/// released after the transaction has become visible, so that the next writer sees it, and its moments are later.
struct PostgreSQLStorage: ServerStorage {
  struct Options: Sendable {
    var patience = PostgreSQLPatience()
    /// As many requests as wait for the database at a time.
    var connections = 8
    /// True if moments are those of the database's clock, which all servers share, and not of this machine's.
    var goesByDatabaseClock = true
    /// True behind a pooler that gives each transaction another session: then nothing can be listened to.
    var isPooled = false
    /// By which the move of a database that this is done for is known; nil for a server, and for other commands.
    var move: String?
  }

  let identity: DatabaseIdentity
  let connections: PostgreSQLConnections
  let options: Options
  private let writes: PostgreSQLWrites
  private let notices = ListNotices()
  private let exchange: PostgreSQLNotices

  /// Connects, and prepares the tables for `use`. `makeUUID` is asked for the identity of a database that has none yet.
  init(
    _ address: PostgreSQLAddress, _ options: Options = Options(), for use: PostgreSQLSchema.Use = .serving,
    makeUUID: () -> UUID
  ) throws(ServerDatabaseError) {
    self.options = options
    let address = options.move.map { address.with(applicationName: "ebb move \($0)") } ?? address
    let connections = PostgreSQLConnections(address, count: max(options.connections, 2), options.patience)
    self.connections = connections
    do {
      identity = try connections.use { connection in
        let identity = try PostgreSQLSchema(name: address.shown, use).prepare(connection, makeUUID: makeUUID)
        connections.setSearchPath(connection.searchPath)
        // A pooler gives the session to others.
        if !options.isPooled { try connections.showSchema(on: connection) }
        return identity
      }
    } catch {
      connections.close()
      if case PostgreSQLFailure.turnedAway(nil, _) = error, let problem = Self.reasonForNoWrites(address) {
        throw .databaseServer(problem, database: address.shown)
      }
      throw ServerDatabaseError(postgreSQL: error, address)
    }
    exchange = PostgreSQLNotices(connections, notices, isPooled: options.isPooled)
    let groups = PostgreSQLGroups(connections, options, exchange)
    writes = groups.writes
  }

  /// Why libpq turned away from a server that lets sessions begin, which it says in words alone; nil if that takes
  /// writes.
  private static func reasonForNoWrites(_ address: PostgreSQLAddress) -> DatabaseServerProblem? {
    guard let connection = try? PostgreSQLConnection(address.onAnyServer, longest: PostgreSQLPatience().longestRead),
      let rows = try? connection.run(
        "SELECT pg_catalog.pg_is_in_recovery(), pg_catalog.current_setting('transaction_read_only')")
    else { return nil }
    if rows.bool(0, 0) == true { return .standby }
    return rows.text(0, 1) == "on" ? .readOnly : nil
  }

  func lists() async throws -> [ListID] { try await lists(nil) }

  func lists(of owner: UserName?) async throws -> [ListID] { try await lists(owner?.text ?? "") }

  /// Reads a row of each table that requests read, and throws if a commit may be lost.
  func checkReady() async throws {
    try await reading { [patience = options.patience] connection in
      let results = try connection.run([
        patience.statement(reading: patience.reading),
        PostgreSQLStatement("SELECT current_setting('synchronous_commit') FROM ebb_database"),
        PostgreSQLStatement("SELECT 1 FROM ebb_token LIMIT 1"), PostgreSQLStatement("SELECT 1 FROM ebb_list LIMIT 1"),
        PostgreSQLStatement("SELECT 1 FROM ebb_item LIMIT 1"),
      ])
      guard let commits = results[1].text(0, 0), commits != "off" else {
        throw StorageError.failed("synchronous_commit is off: what is written could be lost after it was confirmed")
      }
    }
  }

  var checksSnapshot: Bool { true }

  /// PostgreSQL looks after its own files.
  func beginServing() async throws {}

  private func lists(_ owner: String?) async throws -> [ListID] {
    try await reading { connection in
      let rows = try connection.run(
        "SELECT owner, name FROM ebb_list WHERE $1::text IS NULL OR owner = $1 ORDER BY made_at, list_id",
        [.optional(owner)])
      return try (0..<rows.count).map { row in
        guard let list = PostgreSQLHeader.list(rows, row, owner: 0, name: 1) else {
          throw StorageError.failed("a name in ebb_list is damaged")
        }
        return list
      }
    }
  }

  func read<Value: Sendable>(
    _ list: ListID, mayBeLong: Bool, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value {
    try await reading { [options] connection in
      // One snapshot for all queries.
      let begun = try connection.run([
        PostgreSQLStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        options.patience.statement(reading: options.patience.reading), PostgreSQLHeader.one(list),
      ])
      defer { _ = try? connection.run("ROLLBACK") }
      let rows = begun[2]
      let isThere = !rows.isNull(0, 0)
      let header =
        try isThere
        ? PostgreSQLHeader(rows, 0)
        : PostgreSQLHeader(new: list, listID: "", epoch: PostgreSQLHeader.epoch(rows, 0))
      let stored = PostgreSQLStoredList(
        list, header, isThere: isThere, connection, longestReading: options.patience.reading)
      return try body(stored)
    }
  }

  func write<Value: Sendable>(
    _ lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value
  ) async throws -> Value {
    try await WriteJob.wait(for: lists, body, queue: writes.add)
  }

  var moves: AsyncStream<ListNotice> {
    exchange.start()
    return notices.stream
  }

  func close() throws {
    exchange.stop()
    notices.finish()
    connections.close()
  }
}

/// Running.
extension PostgreSQLStorage {
  /// Runs `body` on a thread for it, and stops it when the task is cancelled. A connection that was cut is replaced
  /// once.
  func reading<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    let call = PostgreSQLCall()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        connections.submit { [connections, options] in
          continuation.resume(
            with: Result { try call.run(on: connections, within: options.patience.longestRead, body) })
        }
      }
    } onCancel: { [connections] in
      call.cancel(connections)
    }
  }

  /// The same for what changes something.
  func writing<Value: Sendable>(
    _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value,
    isDone: (@Sendable (Value, PostgreSQLConnection) throws -> Bool)? = nil
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      connections.submit {
        continuation.resume(with: Result { try blocking(body, isDone: isDone) })
      }
    }
  }

  /// The same on the thread that asks, in one transaction, which `begin` begins. If the answer of its commit is lost,
  /// `isDone` says in another whether it was done; it has to wait for a lock that the first one had. Without it that
  /// counts as not done.
  func blocking<Value>(
    beginning begin: String = "BEGIN", _ body: (PostgreSQLConnection) throws -> Value,
    isDone: ((Value, PostgreSQLConnection) throws -> Bool)? = nil
  ) throws -> Value {
    for _ in 1...5 {
      do {
        let (value, lost) = try connections.use { try transaction(begin, on: $0, body) }
        guard let lost else { return value }
        guard let isDone else { throw lost }
        let outcome = PostgreSQLOutcome.find(connections, options.patience) { connection in
          let found = try transaction("BEGIN", on: connection) { try isDone(value, $0) }
          if let lost = found.lost { throw lost }
          return found.value ? .committed : .undone
        }
        switch outcome {
        case .committed: return value
        case .undone: continue
        case .unknown: throw PostgreSQLFailure.outcomeUnknown
        }
      } catch PostgreSQLFailure.again {
        continue
      } catch let failure as PostgreSQLFailure {
        throw failure.error
      }
    }
    throw StorageError.busy
  }

  /// Returns why the answer of the commit was lost, if it was.
  private func transaction<Value>(
    _ begin: String, on connection: PostgreSQLConnection, _ body: (PostgreSQLConnection) throws -> Value
  ) throws -> (value: Value, lost: PostgreSQLFailure?) {
    do {
      try connection.run([PostgreSQLStatement(begin), options.patience.statement(reading: options.patience.writing)])
    } catch PostgreSQLFailure.unreachable {
      // It may have been cut while nobody used it. Nothing was changed.
      throw PostgreSQLFailure.again
    }
    do {
      let value = try body(connection)
      if options.move == nil { connection.allow(options.patience.commit) }
      do {
        try connection.run("COMMIT")
      } catch {
        guard case .unreachable = error else { throw error }
        return (value, error)
      }
      return (value, nil)
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
    }
  }
}

/// One read, which may be given up while it runs.
private final class PostgreSQLCall: Sendable {
  private let state = Mutex(State())

  private struct State {
    var isCancelled = false
    var connection: PostgreSQLConnection?
  }

  func run<Value>(
    on connections: PostgreSQLConnections, within longest: Duration, _ body: (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    for isLast in [false, true] {
      do {
        return try connections.use(within: longest) { connection in
          let isCancelled = state.withLock { state in
            state.connection = connection
            return state.isCancelled
          }
          defer { state.withLock { $0.connection = nil } }
          guard !isCancelled else { throw StorageError.interrupted }
          return try body(connection)
        }
      } catch PostgreSQLFailure.unreachable where !isLast {
        // It may have been cut while nobody used it. Nothing was changed.
        continue
      } catch PostgreSQLFailure.again where !isLast {
        continue
      } catch let failure as PostgreSQLFailure {
        throw state.withLock(\.isCancelled) ? StorageError.interrupted : failure.error
      } catch is StorageError where state.withLock(\.isCancelled) {
        throw StorageError.interrupted
      }
    }
    throw StorageError.busy
  }

  /// To ask the database to stop takes a connection, and so a thread that may wait. If that can't be done, the limit of
  /// the statement ends it.
  func cancel(_ connections: PostgreSQLConnections) {
    let connection = state.withLock { state in
      state.isCancelled = true
      // The statement may be over by then: the next one would be stopped, whosever it is.
      state.connection?.discard()
      return state.connection
    }
    guard let connection else { return }
    connections.submitCancel { connection.cancel() }
  }
}
