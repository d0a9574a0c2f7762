import GRDB
package import OfflineSync

/// A look into a store that leaves it as it is: nothing is made, mended, or brought up to date.
package struct StoreInspection {
  /// What this program writes: see ``version()``.
  package static var currentVersion: Int { Int(StoreSchema.version) }

  package let path: String
  private let queue: DatabaseQueue

  /// Nil where nothing was stored yet. Throws `StoreError`, as opening the store would.
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
    configuration.prepareDatabase { $0.addQueryFunctions() }
    return configuration
  }

  /// Which tables it has; an older version is brought up to date by whoever opens the store.
  package func version() throws -> Int {
    try database { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
  }

  /// What is torn in it, in the database's own words; empty for a whole one. Looks at every page.
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
