import FoundationEssentials
import GRDB
import Logging
import TableProtocol

/// The server's database: writers one after another, readers beside them.
struct ServerStore: Sendable {
  private let pool: DatabasePool
  private let clock: @Sendable () -> Timestamp
  let identity: DatabaseIdentity

  /// Opens the database, and makes it when there is none. `makeUUID` is asked for the identity of one that
  /// has none yet. ``check(logger:)`` must follow before anything is answered.
  init(path: String, clock: @escaping @Sendable () -> Timestamp, makeUUID: () -> UUID) throws(ServerError) {
    do {
      if try !DatabaseHeader.check(path: path) { try Self.create(path: path) }
      pool = try Self.open(path: path)
      identity = try pool.write { database in
        try SchemaMigration.run(in: database, path: path)
        return try DatabaseIdentity(in: database, makeUUID: makeUUID)
      }
      self.clock = clock
    } catch {
      throw ServerError(database: error, path: path)
    }
  }

  /// Runs in one transaction that is durable when this returns, or undone when `body` throws.
  func write<Value: Sendable>(_ body: @escaping @Sendable (WriteTransaction) throws -> Value) async throws -> Value {
    try await pool.write { [clock] in try WriteTransaction.run(in: $0, clock: clock, body) }
  }

  func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
    try await pool.read(body)
  }

  /// Looks at every row of every table, and corrects the digests that are not those of the rows.
  func check(logger: Logger) throws {
    for table in ServedTable.all {
      let check = try pool.write { database in
        let check = try TableCheck(table, in: database)
        try check.repair(in: database)
        return check
      }
      check.log(to: logger)
    }
  }

  /// Logs what a check found in a snapshot and corrects it, as it is by now.
  func settle(_ check: TableCheck, logger: Logger) async {
    check.log(to: logger)
    guard check.needsRepair else { return }
    do {
      try await pool.write { try TableCheck(check.table, in: $0).repair(in: $0) }
    } catch {
      logger.error("The digest of \(check.table.name) could not be corrected: \(error)")
    }
  }

  func raiseEpoch(nonce: String) throws -> DatabaseEpoch {
    try pool.write { [clock] in try StoredEpoch.raise(in: $0, now: clock(), nonce: nonce) }
  }

  /// Leaves everything in the one file. Not done by closing alone: the last connection to close may
  /// be one that only reads.
  func close() throws {
    try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try pool.close()
  }

  /// Makes the file with its schema and marks in one transaction, before the journal is a WAL: so
  /// the marks are in the file's header from the start.
  private static func create(path: String) throws {
    try prepareFile(at: URL(filePath: path))
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(sql: String(decoding: PackageResources.server_sql, as: UTF8.self))
      try database.execute(sql: "PRAGMA application_id = \(DatabaseHeader.applicationID)")
      try database.execute(sql: "PRAGMA user_version = \(DatabaseHeader.schemaVersion)")
    }
    try queue.close()
  }

  /// Makes an empty file, and its folder, that only the owner can read.
  private static func prepareFile(at file: URL) throws {
    let files = FileManager.default
    let folder = file.deletingLastPathComponent()
    var place = folder
    do {
      try files.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      place = file
      guard !files.fileExists(atPath: file.path) else { return }
      try Data().write(to: file, options: .withoutOverwriting)
      try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    } catch {
      throw ServerError(file: error, path: place.path)
    }
  }

  private static func open(path: String) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { $0.addQueryFunctions() }
    let pool = try DatabasePool(path: path, configuration: configuration)
    try pool.writeWithoutTransaction { database in
      // What was answered must survive a power cut, which the pool's own choice does not promise.
      try database.execute(sql: "PRAGMA synchronous = FULL")
    }
    return pool
  }
}

extension ServerError {
  init(database error: any Error, path: String) {
    switch error {
    case let error as ServerError:
      self = error
    case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB:
      self = .notADatabase(path: path)
    case let error as DatabaseError where [.SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH].contains(error.resultCode):
      self = .notAllowed(path: path)
    case let error as DatabaseError:
      self = .cannotOpen(path: path, reason: error.message ?? "\(error)")
    default:
      self = .cannotOpen(path: path, reason: "\(error)")
    }
  }
}
