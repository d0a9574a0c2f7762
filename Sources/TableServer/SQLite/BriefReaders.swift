import FoundationEssentials
import GRDB
import Synchronization
import TableProtocol

/// Connections for reads that are over at once, on the thread that asks: to hand one to another thread takes longer than
/// to read a row.
///
/// Nobody waits here. When no connection is free, the file is busy, or the read takes longer than expected, there is no
/// answer, and the caller reads as for a long one.
final class BriefReaders: Sendable {
  /// For the queries of one request. Rows of a page that are not in memory may be slow to come.
  private static let longest = Duration.milliseconds(1)
  /// As many as threads that answer requests.
  private static let most = max(2, min(8, ProcessInfo.processInfo.activeProcessorCount))

  private let path: String
  private let state = Mutex(State())

  private struct State {
    var free: [BriefReader] = []
    var inUse = 0
    var isClosed = false
  }

  init(path: String) { self.path = path }

  /// Runs `body` in one state of the list. Nil if it is to be run in another way; then what it did does not count.
  func read<Value>(_ list: ListID, _ body: (any StoredList) throws -> Value) throws -> Value? {
    guard let reader = take() else { return nil }
    defer { giveBack(reader) }
    return try reader.read(list, longest: Self.longest, body)
  }

  /// Reads nothing more from memory: the file was damaged, and may have been mended.
  func forget() { state.withLock { $0.free = [] } }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.free = []
    }
  }

  /// Nil if none may be taken.
  private func take() -> BriefReader? {
    let (isAllowed, free) = state.withLock { state -> (Bool, BriefReader?) in
      guard !state.isClosed, state.inUse < Self.most else { return (false, nil) }
      state.inUse += 1
      return (true, state.free.popLast())
    }
    guard isAllowed else { return nil }
    if let reader = free ?? (try? BriefReader(path: path)) { return reader }
    state.withLock { $0.inUse -= 1 }
    return nil
  }

  private func giveBack(_ reader: BriefReader) {
    state.withLock { state in
      state.inUse -= 1
      if !state.isClosed { state.free.append(reader) }
    }
  }
}

/// One of these connections.
private final class BriefReader: Sendable {
  private let queue: DatabaseQueue
  private let watch = StatementWatch()
  private let shelf = StatementShelf()
  private let schemas = Mutex(KnownSchemas())

  /// Schemas of tables in one version of the database's schema, which SQLite counts.
  private struct KnownSchemas {
    var version: Int64 = -1
    var tables: [String: TableSchema] = [:]
  }

  init(path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .immediateError
    configuration.prepareDatabase { [watch] database in
      database.addQueryFunctions()
      watch.install(on: database)
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  func read<Value>(_ id: ListID, longest: Duration, _ body: (any StoredList) throws -> Value) throws -> Value? {
    try queue.unsafeRead { database in
      do {
        try database.cachedStatement(sql: "BEGIN").execute()
      } catch {
        return nil
      }
      defer { try? database.cachedStatement(sql: "COMMIT").execute() }
      guard let place = try ListPlace.of(id, in: database) else { return try body(UnwrittenList(id, database)) }
      let list = try SQLiteStoredList(
        place, database, watch, longestReading: longest, schema: try schema(of: place, in: database), shelf: shelf)
      do {
        let value = try body(list)
        return list.ranOutOfTime ? nil : value
      } catch {
        guard list.ranOutOfTime else { throw error }
        return nil
      }
    }
  }

  /// Only what was committed is seen here, so that a version never stands for two schemas.
  private func schema(of place: ListPlace, in database: Database) throws -> TableSchema {
    var version: Int64 = -1
    try database.forEach("PRAGMA schema_version") { row in
      version = row.integer(0) ?? -1
      return false
    }
    return try schemas.withLock { known in
      if known.version != version { known = KnownSchemas(version: version) }
      if let schema = known.tables[place.table] { return schema }
      let schema = try TableSchema(of: place, in: database)
      known.tables[place.table] = schema
      return schema
    }
  }
}

/// The statements of the latest queries of one connection, to be run again: to prepare one takes longer than to read the
/// news of a list. Only used by whoever has the connection.
final class StatementShelf: Sendable {
  /// Those of a few kinds of clients. What people make up comes and goes.
  private static let most = 16

  /// The latest last. Statements are not to be shared, and are not: one thread at a time has the connection.
  private nonisolated(unsafe) var statements: [(sql: String, statement: Statement)] = []

  func statement(_ sql: String, in database: Database) throws -> Statement {
    let known = statements.lastIndex { $0.sql == sql }.map { statements.remove(at: $0).statement }
    let statement = try known ?? database.makeStatement(sql: sql)
    if statements.count >= Self.most { statements.removeFirst() }
    statements.append((sql, statement))
    return statement
  }
}
