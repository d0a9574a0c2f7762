import FoundationEssentials
import GRDB
import SQLiteStatements
import Synchronization
import TableProtocol

/// Connections for reads that are over at once, on the thread that asks: to hand one to another thread takes longer
/// than to read a row.
///
/// Never waits. If no connection is free, if the file is busy, or if the read takes longer than expected, there is no
/// answer, and the caller reads on a thread for long reads.
final class BriefReaders: Sendable {
  /// For the queries of one request. Rows of a page that are not in memory may be slow to come.
  private static let timeLimit = Duration.milliseconds(1)
  /// As many as threads that answer requests.
  private static let mostConnections = max(2, min(8, ProcessInfo.processInfo.activeProcessorCount))

  private let path: String
  private let state = Mutex(State())

  private struct State {
    var idle: [BriefReader] = []
    var inUse = 0
    var isClosed = false
    /// Rises when what is in memory must not be read any more.
    var generation = 0
  }

  init(path: String) { self.path = path }

  /// Runs `body` in one state of the list. Nil if the read has to be done by another connection; then `body` may have
  /// run, and what it gave does not count.
  func read<Value>(_ list: ListID, _ body: (any StoredList) throws -> Value) throws -> Value? {
    guard let (reader, generation) = checkOut() else { return nil }
    defer { checkIn(reader, generation) }
    return try reader.read(list, timeLimit: Self.timeLimit, body)
  }

  /// Lets no connection go on with the pages that it has in memory: the file was damaged, and may have been mended.
  func discard() {
    state.withLock { state in
      state.generation += 1
      state.idle = []
    }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.idle = []
    }
  }

  /// Nil if none may be taken.
  private func checkOut() -> (BriefReader, generation: Int)? {
    let (isAllowed, idle, generation) = state.withLock { state -> (Bool, BriefReader?, Int) in
      guard !state.isClosed, state.inUse < Self.mostConnections else { return (false, nil, 0) }
      state.inUse += 1
      return (true, state.idle.popLast(), state.generation)
    }
    guard isAllowed else { return nil }
    if let reader = idle ?? (try? BriefReader(path: path)) { return (reader, generation) }
    state.withLock { $0.inUse -= 1 }
    return nil
  }

  private func checkIn(_ reader: BriefReader, _ generation: Int) {
    state.withLock { state in
      state.inUse -= 1
      if !state.isClosed, state.generation == generation, !reader.isUsedUp { state.idle.append(reader) }
    }
  }
}

/// One of these connections.
private final class BriefReader: Sendable {
  private let queue: DatabaseQueue
  private let watch = StatementWatch()
  private let queries = MetQueries()
  private let known = Mutex(KnownLists())

  /// Where lists are in one version of the database, and the columns of tables in one version of its schema: SQLite
  /// counts what others commit, and those of it that change a table.
  private struct KnownLists {
    static let most = 256

    var version: Int64 = -1
    var schema: Int64 = -1
    var places: [ListID: ListPlace] = [:]
    var columns: [String: SelectedColumns] = [:]
  }

  private typealias KnownList = (place: ListPlace, columns: SelectedColumns)

  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .immediateError
    configuration.prepareDatabase { [watch] database in watch.install(on: database) }
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  var isUsedUp: Bool { queries.areTooMany }

  /// Nil if the file is busy, or the time ran out.
  func read<Value>(_ id: ListID, timeLimit: Duration, _ body: (any StoredList) throws -> Value) throws -> Value? {
    try queue.unsafeRead { database in
      do {
        // It takes no lock: that comes with the first query.
        try database.cachedStatement(sql: "BEGIN").run()
        defer { try? database.cachedStatement(sql: "COMMIT").run() }
        return try read(id, in: database, timeLimit, body)
      } catch StorageError.busy {
        return nil
      } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
        return nil
      }
    }
  }

  private func read<Value>(
    _ id: ListID, in database: Database, _ timeLimit: Duration, _ body: (any StoredList) throws -> Value
  ) throws -> Value? {
    guard let known = try list(id, in: database) else { return try body(UnwrittenList(id, database)) }
    let list = try SQLiteStoredList(
      known.place, database, watch, longestReading: timeLimit, columns: known.columns, queries: queries)
    do {
      let value = try body(list)
      return list.ranOutOfTime ? nil : value
    } catch {
      guard list.ranOutOfTime else { throw error }
      return nil
    }
  }

  /// The first query of the transaction: the version is of the state that all others see. Nil for a list that has no
  /// table yet.
  private func list(_ id: ListID, in database: Database) throws -> KnownList? {
    let version = try Self.version("data", in: database)
    return try known.withLock { known in
      if known.version != version || known.places.count >= KnownLists.most {
        let schema = try Self.version("schema", in: database)
        if known.schema != schema || known.columns.count >= KnownLists.most { known = KnownLists(schema: schema) }
        (known.version, known.places) = (version, [:])
      }
      guard let place = try known.places[id] ?? ListPlace.of(id, in: database) else { return nil }
      let columns =
        try known.columns[place.table] ?? SelectedColumns(TableSchema(of: place, in: database), of: place)
      (known.places[id], known.columns[place.table]) = (place, columns)
      return (place, columns)
    }
  }

  private static func version(_ name: String, in database: Database) throws -> Int64 {
    try database.integer("PRAGMA \(name)_version") ?? -1
  }
}

/// The queries that one connection has met. It keeps a statement for each of them: to prepare one takes longer than to
/// read the news of a list.
final class MetQueries: Sendable {
  /// Many more than the clients of a server have. Somebody who makes up queries must not fill the memory.
  private static let most = 64

  private let queries = Mutex<Set<String>>([])

  func note(_ sql: String) { queries.withLock { _ = $0.insert(sql) } }

  /// True if the connection keeps too many statements and must be replaced.
  var areTooMany: Bool { queries.withLock { $0.count > Self.most } }
}
