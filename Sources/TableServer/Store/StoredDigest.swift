import GRDB
import TableProtocol

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
