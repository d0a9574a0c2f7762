import GRDB
import TableProtocol

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
