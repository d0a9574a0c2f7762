import GRDB
import GRDBSQLite
import SQLiteStatements
import Synchronization

/// Ends a statement of a connection that takes too long: SQLite asks it every now and then, and so do the functions
/// `ebb_lower`, `ebb_upper` and `ebb_milliseconds` of conditions.
final class StatementWatch: Sendable {
  /// Steps of SQLite's machine between two looks at the clock. It looks only where it goes on to another row.
  private static let stepsBetween: Int32 = 100
  /// Bytes of a value, also of one that a condition makes on its way: four times what an item may be.
  static let largestValue = 4_194_304

  private let end: Mutex<ContinuousClock.Instant?> = Mutex(nil)

  /// Runs `body`, whose statements must be done within this time. Throws `StorageError.tooSlow` if they are not.
  func within<Value>(_ time: Duration, _ body: () throws -> Value) throws -> Value {
    end.withLock { $0 = .now + time }
    defer { end.withLock { $0 = nil } }
    do {
      return try body()
    } catch StorageError.interrupted where isOver {
      throw StorageError.tooSlow
    }
  }

  private var isOver: Bool { end.withLock { $0.map { $0 <= .now } ?? false } }

  /// Registers the functions of conditions on a connection, watches it, and limits its values. The watch must live for
  /// as long as the connection.
  func install(on database: Database) {
    database.addQueryFunctions { [self] in isOver }
    let connection = database.sqliteConnection
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(Self.largestValue))
    let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { pointer in
      guard let pointer else { return 0 }
      return Unmanaged<StatementWatch>.fromOpaque(pointer).takeUnretainedValue().isOver ? 1 : 0
    }
    sqlite3_progress_handler(connection, Self.stepsBetween, ask, Unmanaged.passUnretained(self).toOpaque())
  }
}

/// The watches of the connections to one database.
final class ConnectionWatches: Sendable {
  private let all: Mutex<[ObjectIdentifier: StatementWatch]> = Mutex([:])

  func prepare(_ database: Database) {
    let watch = StatementWatch()
    watch.install(on: database)
    all.withLock { $0[ObjectIdentifier(database)] = watch }
  }

  func watch(_ database: Database) -> StatementWatch {
    all.withLock { $0[ObjectIdentifier(database)] } ?? StatementWatch()
  }
}
