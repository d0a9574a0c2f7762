import GRDB
import Glibc
public import OfflineSync

/// The local store in a SQLite file, in write-ahead mode: one connection writes, others read beside
/// it, and what another program does to the same file is seen by the next read.
///
/// A transaction is durable when it returns: it is synced to the disk before that.
///
///     let store = try SQLiteStore(path: "/home/ada/.local/share/shopping/store.sqlite")
///
/// Several programs may have the same store open. Make a ``SyncContext`` to work with it.
public struct SQLiteStore: LocalStore {
  public let path: String
  private let pool: DatabasePool

  /// Opens the store, and makes it, its folder and its tables where there are none.
  ///
  /// Throws `StoreError`. A file that is not a store of ours, or of a newer version, is left as it is.
  public init(path: String) throws {
    self.path = path
    do {
      pool = try Self.patiently { try Self.open(path) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func open(_ path: String) throws -> DatabasePool {
    try StoreFile(path: path).prepare()
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try StoreSchema.bringUpToDate(database, path: path)
    }
    return pool
  }

  /// How long a transaction waits for one of another program, in seconds.
  private static let patience = 5.0

  /// Tries again while another program makes the store ready: turning a new file into write-ahead mode is
  /// the one step for which the database does not wait by itself.
  private static func patiently<Value>(_ open: () throws -> Value) throws -> Value {
    for _ in 0..<Int(patience * 100) {
      do {
        return try open()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
        _ = poll(nil, 0, 10)
      }
    }
    return try open()
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ebb.store"
    configuration.busyMode = .timeout(patience)
    configuration.foreignKeysEnabled = false
    // The screen, its counts, its search, a sync, and one to spare: the screen must never wait for a free one.
    configuration.maximumReaderCount = 5
    configuration.persistentReadOnlyConnections = true
    configuration.prepareDatabase { database in
      database.addQueryFunctions()
      WriteAheadLog.keep(database)
    }
    return configuration
  }

  package func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
    do {
      return try pool.read { try body(SQLiteTransaction(database: $0)) }
    } catch {
      throw mapped(error)
    }
  }

  package func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    do {
      let (value, hasChanged) = try pool.write { database in
        let before = database.totalChangesCount
        let value = try body(SQLiteTransaction(database: database))
        return (value, database.totalChangesCount != before)
      }
      if hasChanged { StoreWriteMark.leave(path) }
      return value
    } catch {
      throw mapped(error)
    }
  }

  func writeSchema(_ body: (Database) throws -> Void) throws {
    do {
      try pool.write(body)
    } catch {
      throw mapped(error)
    }
  }

  /// The database's own errors become `StoreError`; what the body threw stays what it is.
  private func mapped(_ error: any Error) -> any Error {
    error is DatabaseError ? StoreError(error, path: path) : error
  }
}
