import GRDB
import GRDBSQLite
import Logging
import TableProtocol

/// What one look at every row of a table found: whether the digests that the server keeps are those of its rows.
struct TableCheck: Sendable {
  /// Ids of damaged rows that are named in the log; the others are only counted.
  static let mostNamed = 20

  let table: ServedTable
  /// As the server keeps it.
  let stored: TableDigest
  /// As counted from the rows.
  private(set) var counted = TableDigest()
  /// How many rows have another content than the server wrote; tombstones too.
  private(set) var damaged = 0
  /// The ids of the first of those.
  private(set) var named: [String] = []
  /// Rows without a digest: of an earlier version, or not written by the server.
  private(set) var unmarked: [Mark] = []

  struct Mark: Sendable {
    let row: Int64
    let digest: Int64
  }

  init(_ table: ServedTable, in database: Database) throws {
    self.table = table
    stored = try StoredDigest.read(table, in: database)
    let columns = try TableSchema(of: table, in: database).columns
    let system = [
      SystemColumn.id, SystemColumn.version, SystemColumn.createdAt, SystemColumn.updatedAt, SystemColumn.deleted,
    ]
    let names = ([RowDigest.column] + system + columns.map(\.name)).map { "\"\($0)\"" }.joined(separator: ", ")
    let statement = try database.makeStatement(sql: "SELECT rowid, \(names) FROM \"\(table.name)\"")
    let row = statement.sqliteStatement
    defer { sqlite3_reset(row) }
    while true {
      switch sqlite3_step(row) {
      case SQLITE_ROW: look(at: row, columns)
      case SQLITE_DONE: return
      case let code:
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
      }
    }
  }

  private mutating func look(at row: OpaquePointer, _ columns: [TableColumn]) {
    if sqlite3_column_int64(row, 6) == 0 { counted.add(hash: TableDigest.hash(row.utf8(2), row.utf8(3))) }
    let digest = RowDigest(row: row, first: 2, columns).value
    if sqlite3_column_type(row, 1) == SQLITE_NULL {
      unmarked.append(Mark(row: sqlite3_column_int64(row, 0), digest: digest))
    } else if sqlite3_column_int64(row, 1) != digest {
      damaged += 1
      if named.count < Self.mostNamed { named.append(String(decoding: row.utf8(2), as: UTF8.self)) }
    }
  }

  var needsRepair: Bool { stored != counted || !unmarked.isEmpty }

  /// Stores what was counted, in the transaction of the look. A damaged row stays as it is, and stays damaged.
  func repair(in database: Database) throws {
    if stored != counted { try StoredDigest.write(counted, of: table, in: database) }
    let statement = try database.makeStatement(
      sql: "UPDATE \"\(table.name)\" SET \"\(RowDigest.column)\" = ? WHERE rowid = ?")
    for mark in unmarked { try statement.execute(arguments: [mark.digest, mark.row]) }
  }

  /// Logs a line for each kind of difference: ids and numbers, never texts.
  func log(to logger: Logger) {
    if stored != counted {
      logger.error(
        """
        \(table.name): rows expected: \(stored.count) (\(stored.checksumText)), rows found: \(counted.count) \
        (\(counted.checksumText)). The stored digest is corrected.
        """)
    }
    if damaged > 0 {
      let ids = named.map(\.debugDescription).joined(separator: ", ")
      let more = damaged > named.count ? " and \(damaged - named.count) more" : ""
      logger.error("\(table.name): rows that are not what the server wrote: \(damaged). Ids: \(ids)\(more).")
    }
  }
}
