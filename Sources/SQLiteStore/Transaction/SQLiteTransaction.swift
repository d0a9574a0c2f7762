import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol
import TableSQL

/// What can be done inside one transaction of the store. It must not outlive the transaction.
///
/// Each part of the contract has a file: rows, journal, errors, and what is remembered of syncing.
final class SQLiteTransaction: StoreWriter {
  let database: Database
  /// The columns of a table can't change while a transaction is open.
  private var shapes: [String: TableShape] = [:]

  init(database: Database) {
    self.database = database
  }

  /// Throws a `DatabaseError` when there is no such table.
  func shape(_ table: String) throws -> TableShape {
    if let shape = shapes[table] { return shape }
    let shape = try TableShape(table, in: self)
    shapes[table] = shape
    return shape
  }
}

/// A query as SQL over one table of the store.
struct StoreQuery {
  let rows: SQLFragment
  let count: SQLFragment

  /// `wanted` are the columns that are read. Throws `QuerySQLError` when the query names a column the table has not.
  init(_ query: TableQuery, shape: TableShape, wanted: TableShape) throws {
    let clauses = try QuerySQL(.sqlite, nulls: .sql, column: shape.sqlColumn).clauses(of: query)
    rows = SQLFragment("SELECT \(wanted.selection) FROM \(shape.quotedTable) \(clauses.sql)", clauses.arguments)
    let condition = try query.filter.map { try FilterSQL(.sqlite, nulls: .sql, column: shape.sqlColumn).condition($0) }
    count = SQLFragment(
      "SELECT count(*) FROM \(shape.quotedTable)" + (condition.map { " WHERE \($0.sql)" } ?? ""),
      condition?.arguments ?? [])
  }
}

extension TableShape {
  /// Where a column of a query is found, and what it holds.
  func sqlColumn(_ name: String) -> SQLColumn? {
    switch name {
    case SystemColumn.id, SystemColumn.version:
      SQLColumn(name.quotedDatabaseIdentifier, .text)
    case SystemColumn.createdAt, SystemColumn.updatedAt:
      SQLColumn(name.quotedDatabaseIdentifier, .timestampText)
    case SystemColumn.deleted:
      SQLColumn(name.quotedDatabaseIdentifier, .bool)
    default:
      columns.first { $0.name == name }.map {
        SQLColumn(name.quotedDatabaseIdentifier, $0.isBoolean ? .bool : $0.isNumber ? .number : .text)
      }
    }
  }
}

extension SQLiteTransaction {
  func operationErrors() throws -> [TableOperationError] {
    let statement = try database.cachedStatement(
      sql: "SELECT id, operationId, properties FROM MS_TableOperationErrors ORDER BY operationId")
    return try Row.fetchAll(statement).compactMap { row in
      try ErrorProperties.error(row[2], id: row[0], operationID: row[1])
    }
  }

  func setError(_ error: TableOperationError?, of operationID: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM MS_TableOperationErrors WHERE operationId = ?")
      .execute(arguments: [operationID])
    guard let error else { return }
    try database.cachedStatement(
      sql: "INSERT INTO MS_TableOperationErrors (id, operationId, properties) VALUES (?, ?, ?)"
    ).execute(arguments: [error.id, operationID, ErrorProperties.json(error)])
  }
}

extension SQLiteTransaction {
  /// Looks at every row, without making a value of anything: a hundred thousand are to be no more than a blink.
  func digest(of table: String) throws -> TableDigest {
    var digest = TableDigest()
    try forEachRow(
      "SELECT id, version FROM \(table.quotedDatabaseIdentifier) WHERE version IS NOT NULL AND NOT deleted"
    ) { digest.add(hash: TableDigest.hash($0.utf8(0), $0.utf8(1))) }
    return digest
  }
}
