import GRDB
package import OfflineSync

/// The local store in a SQLite file, in write-ahead mode: one connection writes, others read beside
/// it, and what another program does to the same file is seen by the next read.
///
/// A transaction is durable when it returns: it is synced to the disk before that.
package struct SQLiteStore: LocalStore {
  package let path: String
  private let pool: DatabasePool

  /// Opens the store, and makes it, its folder and its tables where there are none.
  ///
  /// Throws `StoreError`. A file that is not a store of ours, or of a newer version, is left as it is.
  package init(path: String) throws {
    self.path = path
    do {
      try StoreFile(path: path).prepare()
      pool = try DatabasePool(path: path, configuration: Self.configuration)
      try pool.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try StoreSchema.bringUpToDate(database, path: path)
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// How long a transaction waits for one of another program, in seconds.
  private static let patience = 5.0

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ebb.store"
    configuration.busyMode = .timeout(patience)
    configuration.foreignKeysEnabled = false
    configuration.maximumReaderCount = 3
    configuration.persistentReadOnlyConnections = true
    configuration.prepareDatabase { database in
      TextFunctions.register(in: database)
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
      let value = try pool.write { try body(SQLiteTransaction(database: $0)) }
      StoreWriteMark.leave(path)
      return value
    } catch {
      throw mapped(error)
    }
  }

  /// The database's own errors become `StoreError`; what the body threw stays what it is.
  private func mapped(_ error: any Error) -> any Error {
    error is DatabaseError ? StoreError(error, path: path) : error
  }
}
