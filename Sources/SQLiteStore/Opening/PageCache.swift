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

  /// Lets the connection keep this many pages, unless it keeps more already. Returns the former setting.
  func use(in database: Database) throws -> FormerPageCache {
    // A number greater than 0 would be one of pages, which no connection of ours counts in.
    guard let before = try Self.size(in: database), before > -rawValue else { return FormerPageCache(size: nil) }
    try database.execute(sql: "PRAGMA \(pragma)")
    return FormerPageCache(size: before)
  }

  /// Returns the size that is set now, as a `PRAGMA` has it: KiB as a number less than 0. SQLite reads the
  /// size when it prepares the statement: a statement that is kept would return the size of the first time.
  static func size(in database: Database) throws -> Int? { try Int.fetchOne(database, sql: "PRAGMA cache_size") }
}

/// How many pages a connection kept before it was given more.
struct FormerPageCache {
  /// As a `PRAGMA` has it; nil if it kept enough already.
  fileprivate let size: Int?

  /// Goes back to the pages before, and gives the memory of the others back.
  func restore(in database: Database) {
    guard let size else { return }
    try? database.execute(sql: "PRAGMA cache_size = \(size)")
    database.releaseMemory()
  }
}
