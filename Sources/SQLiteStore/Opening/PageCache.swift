import GRDB

/// How many pages of the store a connection keeps in memory: the raw values are KiB.
enum PageCache: Int {
  /// For a connection that only reads. A walk over a long list comes to each page once, and the system has them all.
  case reading = 256
  /// For a connection that writes. Ids are random: a sync that stores many rows comes back to each page of their index
  /// again and again.
  case writing = 16_384
  /// For reading many rows by their ids, in no order of their places.
  case readingManyRows = 65_536
  /// For the rest of a transaction that has written many rows. Each of them is on another page of some index: pages
  /// that are not kept are read again and again.
  case writingManyRows = 262_144

  /// The setting as a `PRAGMA` has it.
  var pragma: String { "cache_size = -\(rawValue)" }

  func use(in database: Database) throws {
    try database.execute(sql: "PRAGMA \(pragma)")
  }

  /// Goes back to this from more pages, and gives their memory back.
  func restore(in database: Database) {
    try? use(in: database)
    database.releaseMemory()
  }
}
