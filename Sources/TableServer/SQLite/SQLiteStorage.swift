import FoundationEssentials
import GRDB
import TableProtocol
import TableSQL

/// The storage of one machine: an SQLite database, with writers one after another and readers beside them.
struct SQLiteStorage: TableStorage {
  private let pool: DatabasePool
  let identity: DatabaseIdentity

  /// Opens the database, and makes it when there is none. `makeUUID` is asked for the identity of one that
  /// has none yet.
  init(path: String, makeUUID: () -> UUID) throws(ServerError) {
    do {
      if try !DatabaseHeader.check(path: path) { try Self.create(path: path) }
      pool = try Self.open(path: path)
      identity = try pool.write { database in
        try SchemaMigration.run(in: database, path: path)
        return try StoredState.identity(in: database, makeUUID: makeUUID)
      }
    } catch {
      throw ServerError(database: error, path: path)
    }
  }

  func lists() async throws -> [ListID] {
    try await named { try await pool.read { try ListPlace.all(in: $0).map(\.list) } }
  }

  func read<Value: Sendable>(
    _ list: ListID, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value {
    let read: @Sendable (Database) throws -> Value? = { database in
      try ListPlace.of(list, in: database).map { try body(SQLiteStoredList($0, database)) }
    }
    return try await named {
      if let value = try await pool.read(read) { return value }
      return try await pool.write { try body(SQLiteStoredList(ListPlace.made(for: list, in: $0), $0)) }
    }
  }

  func write<Value: Sendable>(
    _ list: ListID, _ body: @escaping @Sendable (any EditableList) throws -> Value
  ) async throws -> Value {
    try await named {
      try await pool.write { try body(SQLiteEditableList(ListPlace.made(for: list, in: $0), $0)) }
    }
  }

  private func named<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch {
      throw SQLiteFailure(error).error
    }
  }

  func raiseEpoch(now: Timestamp, nonce: String) throws -> DatabaseEpoch {
    try SQLiteFailure.named { try pool.write { try StoredState.raiseEpoch(in: $0, now: now, nonce: nonce) } }
  }

  /// Leaves everything in the one file. Not done by closing alone: the last connection to close may
  /// be one that only reads.
  func close() throws {
    try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try pool.close()
  }
}

/// Opening.
extension SQLiteStorage {
  /// Makes the file with its schema and marks in one transaction, before the journal is a WAL: so
  /// the marks are in the file's header from the start.
  private static func create(path: String) throws {
    try prepareFile(at: URL(filePath: path))
    let queue = try DatabaseQueue(path: path)
    try queue.write { database in
      try database.execute(sql: String(decoding: PackageResources.server_sql, as: UTF8.self))
      try ListPlace.first.makeTable(in: database)
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

extension Database {
  /// Registers the functions that conditions call and SQLite lacks.
  fileprivate func addQueryFunctions() {
    for function in SQLiteFunction.all {
      add(
        function: DatabaseFunction(function.name, argumentCount: 1, pure: true) { arguments in
          String.fromDatabaseValue(arguments[0]).map { function.value($0).databaseValue }
        })
    }
  }
}
