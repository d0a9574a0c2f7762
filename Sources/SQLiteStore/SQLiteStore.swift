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
  private let connections: StoreConnections
  private let observer: WriteObserver

  /// Opens the store, and makes it, its folder and its tables where there are none.
  ///
  /// Throws `StoreError`. A file that is not a store of ours, or of a newer version, is left as it is.
  public init(path: String) throws {
    try self.init(path: path, for: .longUse)
  }

  package init(path: String, for use: Use) throws {
    self.path = path
    observer = WriteObserver()
    do {
      connections = try StoreConnections(path: path, use: use, observer: observer)
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// The use for which the store is opened.
  package enum Use: Sendable {
    /// Several threads read while one writes.
    case longUse
    /// One thread reads and writes a little and closes it again.
    case oneCommand
  }

  /// For a program that is about to end, whatever its other threads do: lets the next one open the store as fast as
  /// after a short use. Takes at most a moment.
  package func tidyUp() { connections.tidyUp() }

  package func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
    try readSchema { try body(SQLiteTransaction(database: $0)) }
  }

  package func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    do {
      let (value, changes) = try connections.write { database in
        let before = database.totalChangesCount
        _ = observer.drain()
        let value = try body(SQLiteTransaction(database: database, beside: connections.beside))
        return (value, database.totalChangesCount == before ? [] : observer.drain())
      }
      if !changes.isEmpty {
        StoreWriteMark.leave(path)
        observer.report(changes)
      }
      return value
    } catch {
      throw mapped(error)
    }
  }

  func readSchema<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try connections.read(body)
    } catch {
      throw mapped(error)
    }
  }

  func writeSchema(_ body: (Database) throws -> Void) throws {
    do {
      try connections.write(body)
    } catch {
      throw mapped(error)
    }
  }

  /// Calls `listener` after each write of this program, on the thread that wrote. There is one listener at most.
  package func listen(_ listener: (@Sendable (StoreChanges) -> Void)?) {
    observer.listen(listener)
  }

  /// A number that is another one when another program has written since. Nil when it can't be read.
  func foreignVersion() -> Int? {
    try? connections.writer { try Int.fetchOne($0, sql: "PRAGMA data_version") }
  }

  /// Whether somebody has written since the store was opened: another program, or this one by a second connection.
  func isOvertaken() -> Bool { connections.isOvertaken() }

  /// The database's own errors become `StoreError`, and so do those of JSON: a body reads none but that of the store.
  /// Any other error stays what it is.
  private func mapped(_ error: any Error) -> any Error {
    error is DatabaseError || error is JSONError ? StoreError(error, path: path) : error
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
    if error is JSONError {
      self = .notAStore(path: path)
      return
    }
    guard let error = error as? DatabaseError else {
      self = .failed(path: path, reason: String(describing: error))
      return
    }
    switch error.extendedResultCode {
    case .SQLITE_READONLY_DBMOVED: self = .fileGone(path: path)
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .notAStore(path: path)
    case .SQLITE_FULL: self = .diskFull(path: path)
    // The last is that of a file beside it that another program has taken away.
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL, .SQLITE_IOERR_DELETE_NOENT: self = .busy(path: path)
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
  /// Adds the tables and columns that the store lacks. Throws `StoreError`. The `delegate` decides about conflicts
  /// while a sync runs; without one they wait in ``SyncTable/conflicts()``.
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
