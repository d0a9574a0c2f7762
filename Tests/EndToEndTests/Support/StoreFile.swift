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
}
