import CDocuments
import CSQLite
import FoundationEssentials
import GRDB
import SQLiteStatements
import TableProtocol
import TableSQL

/// The storage of one machine: an SQLite database, with writers one after another and readers beside them.
struct SQLiteStorage: ServerStorage {
  /// How long a client waits at most.
  struct Patience: Sendable {
    /// For the queries of one request.
    var reading = Duration.seconds(5)
    /// For those of a request that writes too, as a batch may: all other writers wait for them.
    var readingInWrites = Duration.milliseconds(500)
    /// For another program that uses the database.
    var busy = Duration.seconds(5)
  }

  private let pool: DatabasePool
  private let briefReaders: BriefReaders
  private let watches = ConnectionWatches()
  let writers: WriteQueue
  private let files: OpenedFiles
  let mark: WriteMark
  let path: String
  private let notices = ListNotices()
  private let patience: Patience
  let identity: DatabaseIdentity

  /// Opens the database, and makes it when there is none. `makeUUID` is asked for the identity of one that
  /// has none yet. One of an earlier version is brought up to date; nil for `update` if a copy of it is there already.
  init(
    path: String, patience: Patience = Patience(), update: DatabaseUpdate? = nil, makeUUID: () -> UUID
  ) throws(ServerDatabaseError) {
    self.patience = patience
    self.path = path
    do {
      if try !DatabaseHeader.check(path: path) {
        if OpenedFiles.hasPagesInLog(of: path) { throw ServerDatabaseError.onlyLog(path: path) }
        try Self.create(path: path, makeUUID)
      }
      let found = OpenedFiles.Identity(path: path)
      pool = try Self.open(path: path, patience, watches)
      identity = try DatabaseUpdate.run(update, on: pool, path: path) { database in
        try StoredState.identity(in: database, makeUUID: makeUUID)
      }
      // From here on no backup is put in its place; one may have been meanwhile.
      let opened = OpenedFiles(path: path, file: found)
      try opened.check()
      files = opened
      briefReaders = BriefReaders(path: path)
      let mark = WriteMark(database: path)
      self.mark = mark
      writers = WriteQueue(pool) { [notices] place, moment in
        mark.note(moment, ofList: place.number)
        notices.post(ListNotice(list: place.list, lastMoment: moment))
      } makeList: { [watches, patience] list, database in
        let watch = watches.watch(database)
        guard let place = try ListPlace.of(list, in: database) else {
          return try SQLiteEditableList(making: list, database, watch, longestReading: patience.readingInWrites)
        }
        return try SQLiteEditableList(place, database, watch, longestReading: patience.readingInWrites)
      }
    } catch {
      throw ServerDatabaseError(database: error, path: path)
    }
  }

  func lists() async throws -> [ListID] {
    try await reading { try ListPlace.all(in: $0).map(\.list) }
  }

  func lists(of owner: UserName?) async throws -> [ListID] {
    try await reading { try ListPlace.all(of: owner, in: $0).map(\.list) }
  }

  func read<Value: Sendable>(
    _ list: ListID, mayBeLong: Bool, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value {
    if !mayBeLong, let value = try checked({ try briefReaders.read(list, body) }) { return value }
    return try await reading { [watches, patience] database in
      guard let place = try ListPlace.of(list, in: database) else { return try body(UnwrittenList(list, database)) }
      return try body(SQLiteStoredList(place, database, watches.watch(database), longestReading: patience.reading))
    }
  }

  /// Shares its commit with others that wait.
  func write<Value: Sendable>(
    _ lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value
  ) async throws -> Value {
    try await named { try await WriteJob.wait(for: lists, body, queue: writers.add) }
  }

  /// For what belongs to no list.
  func reading<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await named { try await pool.read(body) }
  }

  func writing<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await named { try await pool.write(body) }
  }

  /// The same for a program that has nothing else to do.
  func blocking<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try SQLiteFailure.named { try pool.write(body) }
  }

  /// The same for a look that changes nothing, also while somebody else writes.
  func blockingRead<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try SQLiteFailure.named { try pool.read(body) }
  }

  func blockingWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try SQLiteFailure.named { try pool.writeWithoutTransaction(body) }
  }

  private func named<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      try files.check()
      return try await body()
    } catch {
      throw failure(error)
    }
  }

  private func checked<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      try files.check()
      return try body()
    } catch {
      throw failure(error)
    }
  }

  var moves: AsyncStream<ListNotice> { notices.stream }

  func raiseEpoch(now: Timestamp, nonce: String) throws -> DatabaseEpoch {
    try raiseEpoch(now: now, nonce: nonce, above: 0)
  }

  /// The same, with a number above `former`: that of a database in whose place this one comes.
  func raiseEpoch(now: Timestamp, nonce: String, above former: Int) throws -> DatabaseEpoch {
    let epoch = try blocking { try StoredState.raiseEpoch(in: $0, now: now, nonce: nonce, above: former) }
    mark.reset()
    return epoch
  }

  /// The other names of columns that the database is served with. Blocks, as the next does.
  func aliases() throws -> ColumnNames { try blockingRead { try StoredState.aliases(in: $0) } }

  func keep(_ aliases: ColumnNames) throws {
    try blocking { database in
      guard try StoredState.aliases(in: database) != aliases else { return }
      let words = aliases.isEmpty ? nil : aliases.words.joined(separator: " ")
      try database.execute(sql: "UPDATE ServerIdentity SET aliases = ?", arguments: [words])
    }
  }

  private func failure(_ error: any Error) -> any Error {
    if SQLiteFailure.mayBeDamage(error) {
      // The file may be mended under way: what was read of it is not kept.
      pool.releaseMemoryEventually()
      briefReaders.discard()
    }
    return error is CancellationError ? StorageError.interrupted : SQLiteFailure(error).error
  }

  /// Leaves everything in the one file. Not done by closing alone: the last connection to close may
  /// be one that only reads.
  func close() throws {
    notices.finish()
    briefReaders.close()
    try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try pool.close()
  }
}

extension OpenedFiles {
  /// Throws unless both files are there.
  fileprivate func check() throws(StorageError) {
    if !areThere { throw .fileGone }
  }
}

/// Opening.
extension SQLiteStorage {
  /// Makes the file with its schema, marks and identity in one transaction, before the journal is a WAL: so they are in
  /// the file itself from the start, and a log that is lost does not make another database of it.
  private static func create(path: String, _ makeUUID: () -> UUID) throws {
    let isNew = !FileManager.default.fileExists(atPath: path)
    try prepareFile(at: URL(filePath: path))
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write { database in
        try makeTables(in: database)
        _ = try StoredState.identity(in: database, makeUUID: makeUUID)
      }
      try queue.close()
    } catch {
      // As on a disk without room: a file that is no database would be in the way of the next start.
      if isNew { try? FileManager.default.removeItem(atPath: path) }
      throw error
    }
  }

  /// Makes the tables of a database that has none, and marks it as a server's. It has no identity yet.
  static func makeTables(in database: Database) throws {
    let script = document_server_sql()
    let statements = UnsafeBufferPointer(start: script.bytes, count: script.count)
    try database.execute(sql: String(decoding: statements, as: UTF8.self))
    try ListPlace.first.makeTable(in: database)
    try database.execute(sql: "PRAGMA application_id = \(DatabaseHeader.applicationID)")
    try database.execute(sql: "PRAGMA user_version = \(DatabaseHeader.schemaVersion)")
  }

  /// Makes an empty file, and its folder, that only the owner can read.
  private static func prepareFile(at file: URL) throws {
    try PrivateFolder.make(file.deletingLastPathComponent().path)
    let files = FileManager.default
    do {
      guard !files.fileExists(atPath: file.path) else { return }
      try Data().write(to: file, options: .withoutOverwriting)
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    } catch {
      throw ServerDatabaseError(file: error, path: file.path)
    }
  }

  private static func open(
    path: String, _ patience: Patience, _ watches: ConnectionWatches
  ) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience.busy / .seconds(1))
    configuration.prepareDatabase { database in watches.prepare(database) }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { database in
      // An answered write must survive a power cut, which the pool's own choice does not promise.
      try database.execute(sql: "PRAGMA synchronous = FULL")
      // Values removed from a tombstone must not stay in their page.
      try database.execute(sql: "PRAGMA secure_delete = FAST")
    }
    return pool
  }
}
