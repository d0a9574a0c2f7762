import GRDB
import Glibc
public import OfflineSync
import TableProtocol

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
  private let log: WriteLog

  /// Opens the store, and makes it, its folder and its tables where there are none.
  ///
  /// Throws `StoreError`. A file that is not a store of ours, or of a newer version, is left as it is.
  public init(path: String) throws {
    self.path = path
    let log = WriteLog()
    self.log = log
    do {
      pool = try Self.patiently { try Self.open(path, log) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static func open(_ path: String, _ log: WriteLog) throws -> DatabasePool {
    try StoreFile(path: path).prepare()
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { database in
      // Ids are random: a sync that stores many rows comes back to each page of their index again and again.
      try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -\(writerCache)")
      try StoreSchema.bringUpToDate(database, path: path)
      database.add(transactionObserver: log, extent: .databaseLifetime)
    }
    return pool
  }

  /// KiB of pages that the one connection that writes may keep.
  private static let writerCache = 16_384

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
      let (value, changes) = try pool.write { database in
        let before = database.totalChangesCount
        _ = log.take()
        let value = try body(SQLiteTransaction(database: database))
        return (value, database.totalChangesCount == before ? [] : log.take())
      }
      if !changes.isEmpty {
        StoreWriteMark.leave(path)
        log.tell(changes)
      }
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

  /// Calls `listener` after each write of this program, on the thread that wrote. There is one listener at most.
  package func listen(_ listener: (@Sendable (StoreChanges) -> Void)?) {
    log.listen(listener)
  }

  /// A number that is another one when another program has written since. Nil when it can't be read.
  func foreignVersion() -> Int? {
    try? pool.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") }
  }

  /// The database's own errors become `StoreError`; what the body threw stays what it is.
  private func mapped(_ error: any Error) -> any Error {
    error is DatabaseError ? StoreError(error, path: path) : error
  }
}

/// In this room a record is a row of the protocol, not the class of that name in the SQLite library.
typealias Record = TableProtocol.Record

extension StoreError {
  /// Tells the database's errors apart by what a person can do about them.
  init(_ error: any Error, path: String) {
    if let error = error as? StoreError {
      self = error
      return
    }
    guard let error = error as? DatabaseError else {
      self = .failed(path: path, reason: String(describing: error))
      return
    }
    switch error.resultCode {
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .notAStore(path: path)
    case .SQLITE_FULL: self = .diskFull(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH: self = .notAllowed(path: path)
    case .SQLITE_CANTOPEN: self = .cannotOpen(path: path, reason: error.message ?? "")
    default: self = .failed(path: path, reason: error.message ?? "error \(error.resultCode.rawValue)")
    }
  }
}

extension SyncContext {
  /// Keeps these tables in a store, and syncs them with a server. Without a server every sync ends with
  /// ``RemoteFailure/Reason/noServer``, and the changes wait.
  ///
  /// Makes the tables and columns that the store lacks. Throws `StoreError`. The `delegate` decides about conflicts while
  /// a sync runs; without one they wait in ``SyncTable/conflicts()``.
  public convenience init(
    tables: [SyncTableDefinition], store: SQLiteStore, remote: RemoteServer? = nil, delegate: (any SyncDelegate)? = nil
  ) throws {
    try store.define(tables)
    let log = SyncLog()
    let table = try remote?.connect(tables, store, .system, log) ?? UnconfiguredRemoteTable()
    self.init(
      SyncPorts(
        tables: tables.map(\.name), store: store, remote: table, lock: FileLock(storePath: store.path),
        environment: .system, delegate: delegate, log: log))
  }
}
