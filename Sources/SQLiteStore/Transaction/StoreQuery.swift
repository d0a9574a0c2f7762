import GRDB
import TableProtocol
import TableSQL

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
