import GRDB
import HTTPTypes
import TableProtocol

/// The epoch of the database, as the database keeps it: read with each list, because another process may raise it.
enum StoredEpoch {
  static func read(in database: Database) throws -> DatabaseEpoch {
    let statement = try database.cachedStatement(sql: "SELECT epoch, epochFrom, epochNonce FROM ServerIdentity")
    guard let row = try Row.fetchOne(statement) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the database's identity is missing")
    }
    return DatabaseEpoch(number: row[0], from: (row[1] as Int64?).map(Timestamp.init(milliseconds:)), nonce: row[2])
  }

  /// Throws if the request is meant for another epoch, or its client has read later rows than were ever written here:
  /// then nobody raised the epoch. A request that does not say is meant for any state.
  static func check(_ headers: HTTPFields, in database: Database) throws {
    if let reached = headers[.newest].flatMap({ Timestamp($0) }), try isBehind(reached, in: database) {
      throw RequestError.otherEpoch
    }
    guard let wanted = headers[.epoch].flatMap({ DatabaseEpoch($0) }) else { return }
    guard wanted.isMeant(for: try read(in: database)) else { throw RequestError.otherEpoch }
  }

  /// The clock of writes decides. If it was put back alone, the rows do.
  private static func isBehind(_ reached: Timestamp, in database: Database) throws -> Bool {
    if try reached <= StoredClock.read(in: database).advanced(byMilliseconds: 1) { return false }
    return try !ServedTable.all.contains { try newestMoment(in: $0, database).map { reached <= $0 } ?? false }
  }

  /// Begins the next epoch, which goes on from the rows that are there. What is written from now on is later than
  /// anything a device has from the state that was lost, if the machine's clock was right.
  /// `nonce` is a text that no epoch had before.
  static func raise(in database: Database, now: Timestamp, nonce: String) throws -> DatabaseEpoch {
    let newest = try ServedTable.all.compactMap { try newestRow(in: $0, database) }.max()
    try database.execute(
      sql: "UPDATE ServerIdentity SET epoch = epoch + 1, epochFrom = ?, epochNonce = ?",
      arguments: [newest?.milliseconds, nonce])
    try StoredClock.write(max(StoredClock.read(in: database), now), in: database)
    return try read(in: database)
  }

  /// The newest `updatedAt` of the rows, tombstones too: the end of an index. Nil if there are none.
  private static func newestRow(in table: ServedTable, _ database: Database) throws -> Timestamp? {
    let statement = try database.cachedStatement(sql: "SELECT max(updatedAt) FROM \"\(table.name)\"")
    return try Int64.fetchOne(statement).map(Timestamp.init(milliseconds:))
  }

  /// The newest `updatedAt` that a row of the table has or had. It never falls: a row that is removed by hand, as an
  /// old tombstone may be, would otherwise look like a database that went back. Nil if there never was a row.
  static func newestMoment(in table: ServedTable, _ database: Database) throws -> Timestamp? {
    let statement = try database.cachedStatement(sql: "SELECT newestRemoved FROM TableDigest WHERE name = ?")
    let removed = try Int64.fetchOne(statement, arguments: [table.name]).map(Timestamp.init(milliseconds:))
    return try [removed, newestRow(in: table, database)].compactMap(\.self).max()
  }
}

/// The last moment that the server gave to a row. It never goes back, whatever the machine's clock does.
enum StoredClock {
  static func read(in database: Database) throws -> Timestamp {
    let statement = try database.cachedStatement(sql: "SELECT lastUpdatedAt FROM ServerClock")
    guard let moment = try Int64.fetchOne(statement) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the server's clock row is missing")
    }
    return Timestamp(milliseconds: moment)
  }

  static func write(_ moment: Timestamp, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE ServerClock SET lastUpdatedAt = ?")
      .execute(arguments: [moment.milliseconds])
  }
}

/// The digest of a table as the database keeps it: changed with the rows, in their transaction. ``TableCheck``
/// compares it with the rows.
enum StoredDigest {
  static func read(_ table: ServedTable, in database: Database) throws -> TableDigest {
    let statement = try database.cachedStatement(sql: "SELECT live, checksum FROM TableDigest WHERE name = ?")
    guard let row = try Row.fetchOne(statement, arguments: [table.name]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the digest of a table is missing")
    }
    return TableDigest(count: row[0], checksum: UInt64(bitPattern: row[1] as Int64))
  }

  static func write(_ digest: TableDigest, of table: ServedTable, in database: Database) throws {
    try database.cachedStatement(sql: "UPDATE TableDigest SET live = ?, checksum = ? WHERE name = ?")
      .execute(arguments: [digest.count, Int64(bitPattern: digest.checksum), table.name])
  }

  /// `change` is what a transaction adds; it may take away more than it adds. Added up here, since the database
  /// makes a real number of a sum that is too large for it.
  static func add(_ change: TableDigest, to table: ServedTable, in database: Database) throws {
    var digest = try read(table, in: database)
    digest.add(change)
    try write(digest, of: table, in: database)
  }
}
