import GRDB

/// The file of a store, as any program that knows SQLite sees it.
struct StoreFile {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Marks it as of another version. Afterwards the file alone holds everything.
  func setUserVersion(_ version: Int) throws {
    let database = try DatabaseQueue(path: path)
    try database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    try database.close()
  }

  /// Changes the tables by hand.
  func execute(_ sql: String) throws {
    let database = try DatabaseQueue(path: path)
    try database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  /// Whether something that is remembered beside the items has this in it.
  func remembers(_ text: String) throws -> Bool {
    let database = try DatabaseQueue(path: path)
    defer { try? database.close() }
    return try database.read { database in
      try String.fetchAll(database, sql: "SELECT value FROM Ebb_Facts").contains { $0.contains(text) }
    }
  }
}
