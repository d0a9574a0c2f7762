import TableProtocol
import TableSQL

/// A query of a list in PostgreSQL's words, and what is left of its filter for somebody else.
struct PostgreSQLQuery {
  /// As many as come together; more come in parts of so many.
  static let rowsTogether = 500
  /// The columns that each row comes with.
  static let columns = "id, created_at, updated_at, version, deleted, text, complete, more::text"

  private let query: ListQuery
  private let condition: SQLFragment
  /// The part of the filter that PostgreSQL would answer unlike SQLite.
  let rest: Filter?
  private let order: String

  /// `listID` is the database's own UUID of the list. Throws `QueryError`.
  init(_ query: ListQuery, listID: String, _ schema: TableSchema) throws(QueryError) {
    self.query = query
    // Throws for the same mistakes as every storage does, also in a part that is not answered by PostgreSQL.
    _ = (try schema.start(of: query), try schema.condition(of: query), try schema.order(of: query))
    let columns = PostgreSQLColumns(schema)
    let dialect = PostgreSQLDialect(neverNull: PostgreSQLColumns.neverNull)
    var parts = query.includesDeleted ? [] : [SQLFragment("NOT deleted")]
    var rest: Filter?
    if let filter = query.filter {
      let divided = PostgreSQLDialect.divide(filter, columns.column)
      rest = divided.elsewhere
      if let here = divided.here {
        parts.append(try FilterSQL(dialect, nulls: query.nulls, column: columns.column).condition(here))
      }
    }
    let sql = QuerySQL(dialect, nulls: .sql, column: columns.column)
    if let place = query.place { parts.append(try sql.rows(after: place, in: query.order)) }
    condition = SQLFragment.joined([SQLFragment("list_id = '\(listID)'::uuid")] + parts, by: " AND ")
    order = try sql.order(query.order)
    self.rest = rest
  }

  /// True if all rows can be asked for at once.
  var isBrief: Bool { rest == nil && query.limit <= 2 * Self.rowsTogether }

  var count: PostgreSQLStatement { statement("SELECT count(*)", "") }

  /// The rows; where a part of the filter is left, all that may match.
  var rows: PostgreSQLStatement {
    let limit = rest == nil ? " LIMIT \(query.limit) OFFSET \(query.skip)" : ""
    return statement("SELECT \(Self.columns)", " ORDER BY \(order)\(limit)")
  }

  /// The same as a cursor of this name.
  func cursor(_ name: String) -> PostgreSQLStatement {
    let rows = rows
    return PostgreSQLStatement("DECLARE \(name) NO SCROLL CURSOR FOR \(rows.sql)", rows.arguments)
  }

  private func statement(_ before: String, _ after: String) -> PostgreSQLStatement {
    var fragment = condition
    fragment.sql = "\(before) FROM ebb_item WHERE \(condition.sql)\(after)"
    return PostgreSQLStatement(
      PostgreSQLDialect.postgreSQL.statement(fragment), fragment.arguments.map(PostgreSQLValue.init))
  }
}

/// Where a condition finds the columns of a list.
struct PostgreSQLColumns {
  static let neverNull: Set<String> = ["id", "created_at", "updated_at", "version", "deleted"]

  private let schema: TableSchema

  init(_ schema: TableSchema) { self.schema = schema }

  /// True for the two columns of a to-do item, which have columns of the table. The others are in `more`.
  static func isOwn(_ column: TableColumn) -> Bool {
    switch column.kind {
    case .text: column.name == "text"
    case .bool: column.name == "complete"
    case .number: false
    }
  }

  func column(_ name: String) -> SQLColumn? {
    guard let name = schema.propertyName(name) else { return nil }
    switch name {
    case SystemColumn.id: return SQLColumn("id", .text)
    case SystemColumn.version: return SQLColumn("version", .text)
    case SystemColumn.createdAt: return SQLColumn("created_at", .milliseconds)
    case SystemColumn.updatedAt: return SQLColumn("updated_at", .milliseconds)
    case SystemColumn.deleted: return SQLColumn("deleted", .bool)
    default: return schema.index(of: name).map { Self.column(schema.columns[$0]) }
    }
  }

  /// A value that is not of its column's kind, as somebody else may have put there, is none for a condition: a
  /// conversion that fails would fail the query.
  private static func column(_ column: TableColumn) -> SQLColumn {
    let name = "'\(column.name.replacing("'", with: "''"))'"
    switch column.kind {
    case .text where isOwn(column): return SQLColumn("text", .text)
    case .bool where isOwn(column): return SQLColumn("complete", .bool)
    case .text: return SQLColumn("((more->>\(name)) COLLATE \"C\")", .text)
    case .bool: return SQLColumn(typed(name, "boolean", "boolean"), .bool)
    case .number: return SQLColumn(typed(name, "number", "numeric"), .number)
    }
  }

  private static func typed(_ name: String, _ kind: String, _ type: String) -> String {
    "(CASE jsonb_typeof(more->\(name)) WHEN '\(kind)' THEN (more->>\(name))::\(type) END)"
  }
}
