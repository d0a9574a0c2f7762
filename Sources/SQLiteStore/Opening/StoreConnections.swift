import CSQLite
import Dispatch
import GRDB
import GRDBSQLite
import Glibc
import OfflineSync
import SQLiteStatements
import Synchronization

/// The connections of a program to its store: a single one that opens fast, and a pool for everything else.
///
/// Opening the pool takes longer than showing a list. So a store that is ready is read through the single connection.
/// The pool opens with the first write, or when two threads read at once.
final class StoreConnections: Sendable {
  private let path: String
  private let observer: WriteObserver
  private let single: SingleConnection?
  private let pool = Mutex<DatabasePool?>(nil)
  /// The data version of a pool that was opened at once; nil if there is a single connection.
  private let version: Int64?

  /// The files that the connections have open.
  private let files: OpenedFiles

  /// Throws `StoreError` or `DatabaseError`.
  init(path: String, use: SQLiteStore.Use, observer: WriteObserver) throws {
    // Before anything of SQLite is used.
    Self.memoryIsNotCounted
    self.path = path
    self.observer = observer
    let file = StoreFile(path: path)
    let isReady = try file.prepare()
    let identity = OpenedFiles.Identity(path: path)
    // If this fails, opening the store in full reports the reason.
    single = isReady ? try? SingleConnection(path: path, use: use, observer: observer) : nil
    guard single == nil else {
      version = nil
      files = OpenedFiles(path: path, file: identity)
      try requireFiles()
      return
    }
    let opened = try Self.patiently {
      try file.prepare()
      return try Self.open(path, observer)
    }
    version = try opened.writeWithoutTransaction { try $0.dataVersion() }
    files = OpenedFiles(path: path, file: identity)
    try requireFiles()
    pool.withLock { $0 = opened }
  }

  deinit {
    // The pool closes last: a connection that only reads can't tidy up.
    if files.isLogGone { single?.saveRemovedLog() }
    single?.close()
    if let pool = pool.withLock({ $0 }) {
      pool.writeWithoutTransaction { database in
        files.isLogGone
          ? WriteAheadLog.saveRemoved(database, of: path) : WriteAheadLog.emptyIfLarge(database, of: path)
      }
    }
  }

  /// Empties a log that has grown, as closing does, for a program that ends without closing: some other thread may
  /// still use the store. Waits for that one for a moment only.
  func tidyUp() {
    let isGone = files.isLogGone
    guard isGone || WriteAheadLog.isLarge(of: path), let pool = pool.withLock({ $0 }) else { return }
    let done = DispatchSemaphore(value: 0)
    pool.asyncWriteWithoutTransaction { [path] database in
      isGone ? WriteAheadLog.saveRemoved(database, of: path) : WriteAheadLog.emptyIfLarge(database, of: path)
      done.signal()
    }
    _ = done.wait(timeout: .now() + .milliseconds(300))
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    if let single, let value = try single.ifFree({ try $0.read(body) }) { return value }
    return try openPool().read(body)
  }

  /// Runs its argument on the last committed state.
  typealias Read = @Sendable (_ body: (Database) throws -> Void) throws -> Void

  /// Reads while this program writes. Nil if the store was opened for a single thread.
  var beside: Read? {
    if let single, single.writes { return nil }
    return { [self] body in try read(body) }
  }

  /// Throws `StoreError.fileGone` if the file, or its log, was removed or replaced since it was opened: nobody could
  /// read what is written to it.
  private func requireFiles() throws {
    guard let gone = files.gone else { return }
    if files.isLogGone {
      single?.saveRemovedLog()
      pool.withLock { $0 }?.writeWithoutTransaction { WriteAheadLog.saveRemoved($0, of: path) }
    }
    throw StoreError.fileGone(path: gone)
  }

  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try requireFiles()
    func change(_ database: Database) throws -> Value {
      try StoreSchema.removeStatistics(database)
      return try body(database)
    }
    if let single, single.writes, let value = try single.ifFree({ try $0.write(change) }) { return value }
    let pool = try openPool()
    defer { if observer.takeLongLog() { pool.asyncWriteWithoutTransaction { _ = try? $0.checkpoint(.passive) } } }
    return try pool.write(change)
  }

  /// Runs `body` on the connection that writes, outside of a transaction.
  func writer<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try openPool().writeWithoutTransaction(body)
  }

  /// Returns true if another connection has written since the store was opened, or if that is not known.
  func isOvertaken() -> Bool {
    if let single { return single.isOvertaken() }
    let now = try? writer { try $0.dataVersion() }
    return now != version
  }

  private func openPool() throws -> DatabasePool {
    try pool.withLock { opened in
      if let opened { return opened }
      let pool = try Self.patiently { try Self.open(path, observer) }
      opened = pool
      return pool
    }
  }

  private static func open(_ path: String, _ observer: WriteObserver) throws -> DatabasePool {
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { database in
      try database.setUpWriting()
      try StoreSchema.bringUpToDate(database, path: path)
      database.add(transactionObserver: observer, extent: .databaseLifetime)
      WriteAheadLog.copyLater(database, observer)
    }
    return pool
  }

  /// How long a transaction waits for one of another program, in seconds.
  private static let patience = 5.0

  /// Tries again while another program creates the store: changing a new file to write-ahead mode is the one step for
  /// which the database does not wait by itself.
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

  private static let memoryIsNotCounted: Void = sqlite_count_no_memory()

  fileprivate static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ebb.store"
    configuration.busyMode = .timeout(patience)
    configuration.foreignKeysEnabled = false
    // The screen, its counts, its search, a sync, and one to spare: the screen must never wait for a free one.
    configuration.maximumReaderCount = 5
    configuration.persistentReadOnlyConnections = true
    configuration.prepareDatabase { database in
      database.addQueryFunctions()
      MatchFunction.register(in: database)
      WriteAheadLog.keep(database)
      _ = try database.pragma(PageCache.reading.pragma)
    }
    return configuration
  }
}

/// A single connection to a store that is ready, for one thread at a time.
private final class SingleConnection: Sendable {
  /// False if it only reads.
  let writes: Bool
  private let path: String
  private let queue: DatabaseQueue
  private let version: Int64?
  private let isTaken = Atomic(false)

  /// Throws if the store is not in order.
  init(path: String, use: SQLiteStore.Use, observer: WriteObserver) throws {
    self.path = path
    var configuration = StoreConnections.configuration
    switch use {
    case .longUse:
      writes = false
      configuration.readonly = true
      // The library has SQLite report each column that a statement names, for observers. A connection that only reads
      // has none, and the first reports take as long as reading the rows.
      configuration.prepareDatabase { sqlite3_set_authorizer($0.sqliteConnection, nil, nil) }
    case .oneCommand:
      writes = true
      configuration.prepareDatabase { sqlite_keep_log_on_close($0.sqliteConnection) }
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    version = try queue.inDatabase { [writes] database in
      if writes {
        try database.setUpWriting()
        database.add(transactionObserver: observer, extent: .databaseLifetime)
      }
      guard try database.pragma("user_version") == Int64(StoreSchema.version) else {
        throw DatabaseError(resultCode: .SQLITE_SCHEMA)
      }
      return try database.dataVersion()
    }
  }

  /// Runs `body` on the connection; returns nil if it is in use. A read within another read then uses the pool.
  func ifFree<Value>(_ body: (DatabaseQueue) throws -> Value) rethrows -> Value? {
    guard isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else { return nil }
    defer { isTaken.store(false, ordering: .releasing) }
    return try body(queue)
  }

  func isOvertaken() -> Bool {
    let now = try? queue.inDatabase { try $0.dataVersion() }
    return now != version
  }

  func saveRemovedLog() {
    if writes { queue.inDatabase { WriteAheadLog.saveRemoved($0, of: path) } }
  }

  func close() {
    if writes { queue.inDatabase { WriteAheadLog.emptyIfLarge($0, of: path) } }
    try? queue.close()
  }
}

extension Database {
  /// A commit is on the disk when it returns. The pages of a change stay in memory until then: a change of many rows
  /// would write some of them several times.
  fileprivate func setUpWriting() throws {
    let pages = PageCache.writing.pragma
    try execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_spill = OFF; PRAGMA \(pages)")
  }

  /// Returns a number that differs after each write of another connection.
  fileprivate func dataVersion() throws -> Int64? { try pragma("data_version") }

  /// Sets a value, or returns it. The library's own ways need types that the runtime looks up among all of the program's:
  /// a hundredth of a start.
  fileprivate func pragma(_ name: String) throws -> Int64? {
    try SQLiteTransaction(database: self).number("PRAGMA \(name)")
  }
}
