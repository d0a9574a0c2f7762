import GRDB
package import OfflineSync
import SQLiteStatements

/// Reads a store without changing it: creates, repairs and upgrades nothing.
package struct StoreInspection {
  /// The version that this program writes: see ``version()``.
  package static var currentVersion: Int { Int(StoreSchema.version) }

  /// True if there is a log with changes of a store, whether or not the file of the store is there.
  package static func hasLog(beside path: String) -> Bool { OpenedFiles.hasPagesInLog(of: path) }

  package let path: String
  private let queue: DatabaseQueue

  /// Returns nil if nothing was stored yet. Throws `StoreError`, as opening the store does.
  package init?(path: String) throws {
    self.path = path
    do {
      guard let size = try StoreFile(path: path).size(), size > 0 else { return nil }
      queue = try DatabaseQueue(path: path, configuration: Self.configuration)
      try queue.read { try StoreSchema.check($0, path: path) }
    } catch {
      throw StoreError(error, path: path)
    }
  }

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "ebb.inspection"
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      database.addQueryFunctions()
      MatchFunction.register(in: database)
    }
    return configuration
  }

  /// Returns the version of the tables. Opening a store upgrades an older version.
  package func version() throws -> Int {
    try database { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
  }

  /// Returns the damage in the database's own words; empty if there is none. Reads every page.
  package func damage() throws -> [String] {
    try database { try String.fetchAll($0, sql: "PRAGMA quick_check(3)").filter { $0 != "ok" } }
  }

  /// Runs `body` on one committed state of the store. Throws `StoreError`.
  package func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
    try database { try body(SQLiteTransaction(database: $0)) }
  }

  private func database<Value>(_ body: (Database) throws -> Value) throws -> Value {
    do {
      return try queue.read(body)
    } catch {
      throw StoreError(error, path: path)
    }
  }
}
