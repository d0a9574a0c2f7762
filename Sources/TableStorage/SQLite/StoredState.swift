import FoundationEssentials
import GRDB
import SQLiteStatements
import TableProtocol

/// The stored state of the database and of its lists: clock, digests, identity and epoch.
enum StoredState {
  /// More than a file of SQLite can hold.
  private static let mostRows: Int64 = 1 << 48

  static func read(_ place: ListPlace, in database: Database) throws -> ListState {
    var state: ListState?
    // By an index. A value that is no moment stands behind all of them, and so may a moment that is damaged: the clock of
    // the list is never behind a row.
    let sql = """
      SELECT lastUpdatedAt, live, checksum, newestRemoved, epoch, epochFrom, epochNonce,
        (SELECT updatedAt FROM "\(place.table)" WHERE updatedAt <= StoredList.lastUpdatedAt
          ORDER BY updatedAt DESC LIMIT 1), tombstonesAfter
      FROM StoredList, ServerIdentity WHERE number = ?
      """
    try database.forEach(sql, [place.number]) { row in
      // A digest that is none is corrected by the next check; a clock and an epoch must be right.
      if let last = row.moment(0), let epoch = row.integer(4).flatMap(Int.init(exactly:)) {
        state = ListState(
          lastMoment: last, newestMoment: [row.moment(3), row.moment(7)].compactMap(\.self).max(),
          tombstonesAfter: row.moment(8),
          digest: digest(row, live: 1, checksum: 2),
          epoch: DatabaseEpoch(number: epoch, from: row.moment(5), nonce: row.text(6)))
      }
      return false
    }
    guard let state else { throw Self.damaged("what is kept of \(place.table)") }
    return state
  }

  /// The digest alone: every version that has lists keeps it in the same way.
  static func digest(of place: ListPlace, in database: Database) throws -> TableDigest {
    var found: TableDigest?
    try database.forEach("SELECT live, checksum FROM StoredList WHERE number = ?", [place.number]) { row in
      found = digest(row, live: 0, checksum: 1)
      return false
    }
    guard let found else { throw damaged("what is kept of \(place.table)") }
    return found
  }

  private static func digest(_ row: SQLiteRow, live: Int32, checksum: Int32) -> TableDigest {
    let count = row.integer(live).flatMap { (0...mostRows).contains($0) ? Int($0) : nil } ?? 0
    return TableDigest(count: count, checksum: UInt64(bitPattern: row.integer(checksum) ?? 0))
  }

  /// As a list has it that was not there when the epoch began.
  static func epoch(in database: Database) throws -> DatabaseEpoch {
    var epoch: DatabaseEpoch?
    try database.forEach("SELECT epoch, epochNonce FROM ServerIdentity") { row in
      epoch = row.integer(0).flatMap(Int.init(exactly:)).map {
        DatabaseEpoch(number: $0, from: nil, nonce: row.text(1))
      }
      return false
    }
    guard let epoch else { throw damaged("the database's identity") }
    return epoch
  }

  static func write(
    _ moment: Timestamp, _ digest: TableDigest, of place: ListPlace, in database: Database
  ) throws {
    let sql = "UPDATE StoredList SET lastUpdatedAt = ?, live = ?, checksum = ? WHERE number = ?"
    try database.cachedStatement(sql: sql).run([
      moment.milliseconds.databaseValue, digest.count.databaseValue,
      Int64(bitPattern: digest.checksum).databaseValue, place.number.databaseValue,
    ])
  }

  static func write(_ digest: TableDigest, of place: ListPlace, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE StoredList SET live = ?, checksum = ? WHERE number = ?")
      .execute(arguments: [digest.count, Int64(bitPattern: digest.checksum), place.number])
  }

  /// Up to this moment tombstones are gone.
  static func write(tombstonesAfter moment: Timestamp, of place: ListPlace, in database: Database) throws {
    let sql = "UPDATE StoredList SET tombstonesAfter = max(coalesce(tombstonesAfter, ?1), ?1) WHERE number = ?2"
    try database.cachedStatement(sql: sql).execute(arguments: [moment.milliseconds, place.number])
  }

  /// Begins the next epoch, which each list goes on in from the rows that are there, and from the tombstones that were
  /// there: a deletion that was removed for its age is not lost. Later writes are later
  /// than anything a device has from the state that was lost, if the machine's clock was right. The number of the epoch
  /// is above `former`. `isRemoval` is true if lists were removed, and those that are there have all they had.
  static func raiseEpoch(
    in database: Database, now: Timestamp, nonce: String, above former: Int, isRemoval: Bool = false
  ) throws -> DatabaseEpoch {
    let places = try ListPlace.all(in: database)
    var nonce = nonce
    if isRemoval {
      // A list with its first rows in this epoch may have replaced a removed one, whose rows devices still have.
      let hasNewList = try places.contains { try wasBegunInEpoch($0, in: database) }
      nonce = try epoch(in: database).nonce(afterRemoval: nonce, endsHere: hasNewList)
    }
    try database.execute(
      sql: "UPDATE ServerIdentity SET epoch = max(epoch, ?) + 1, epochNonce = ?", arguments: [former, nonce])
    for place in places {
      try database.execute(
        sql: """
          UPDATE StoredList SET lastUpdatedAt = max(lastUpdatedAt, ?),
            epochFrom = (
              SELECT max(moment) FROM (
                SELECT updatedAt AS moment FROM "\(place.table)" WHERE updatedAt <= StoredList.lastUpdatedAt
                UNION ALL SELECT tombstonesAfter))
          WHERE number = ?
          """, arguments: [now.milliseconds, place.number])
    }
    guard let oldest = places.first else { throw damaged("the table of lists") }
    return try read(oldest, in: database).epoch
  }

  /// True if the list had no row when the epoch began, and got one since.
  private static func wasBegunInEpoch(_ place: ListPlace, in database: Database) throws -> Bool {
    let sql = """
      SELECT 1 FROM StoredList WHERE number = ? AND epochFrom IS NULL
        AND (tombstonesAfter IS NOT NULL OR EXISTS (SELECT 1 FROM "\(place.table)"))
      """
    return try database.hasRow(sql, [place.number], isKept: false)
  }

  /// Reads the identity, and makes it when the database has none yet.
  static func identity(in database: Database, makeUUID: () -> UUID) throws -> DatabaseIdentity {
    var stored: DatabaseIdentity?
    try database.forEach("SELECT uuid FROM ServerIdentity") { row in
      guard let uuid = row.text(0).flatMap(UUID.init(uuidString:)) else { throw damaged("the database's identity") }
      stored = DatabaseIdentity(uuid)
      return false
    }
    if let stored { return stored }
    let identity = DatabaseIdentity(makeUUID())
    try database.execute(sql: "INSERT INTO ServerIdentity (id, uuid) VALUES (1, ?)", arguments: [identity.text])
    return identity
  }

  /// The other names of columns that the database is served with; none if they can't be read, which says nothing of any
  /// row.
  static func aliases(in database: Database) throws -> ColumnNames {
    var names = ColumnNames.none
    try database.forEach("SELECT aliases FROM ServerIdentity") { row in
      names = row.text(0).flatMap { ColumnNames(words: $0.split(separator: " ").map(String.init)) } ?? .none
      return false
    }
    return names
  }

  private static func damaged(_ what: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "\(what) is damaged")
  }
}
