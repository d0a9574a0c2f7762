/// Turns the order and the limits of a query into SQL.
package struct QuerySQL {
  let nulls: FilterSQL.NullRule
  let column: (String) -> SQLColumn?

  /// `column` gives nil for a name the table has not; it must know `id`.
  package init(nulls: FilterSQL.NullRule, column: @escaping (String) -> SQLColumn?) {
    self.nulls = nulls
    self.column = column
  }

  /// The keys as they are applied: `id`, ascending, is always the last one, so that no two rows are
  /// ever in doubt (table-protocol 6.3).
  package static func completed(_ order: [SortKey]) -> [SortKey] {
    guard let id = order.firstIndex(where: { $0.column == SystemColumn.id }) else {
      return order + [SortKey(SystemColumn.id)]
    }
    return Array(order[...id])
  }

  /// What follows `ORDER BY`.
  package func order(_ order: [SortKey]) throws(QuerySQLError) -> String {
    var keys: [String] = []
    for key in Self.completed(order) {
      guard let column = column(key.column) else { throw .unknownColumn(key.column) }
      keys.append(column.expression + (key.ascending ? "" : " DESC"))
    }
    return keys.joined(separator: ", ")
  }

  /// `WHERE`, `ORDER BY`, `LIMIT` and `OFFSET` of a whole query: all that follows `FROM table`.
  package func clauses(of query: TableQuery) throws(QuerySQLError) -> SQLFragment {
    var clauses = SQLFragment("")
    if let filter = query.filter {
      let condition = try FilterSQL(nulls: nulls, column: column).condition(filter)
      clauses = SQLFragment("WHERE \(condition.sql) ", condition.arguments)
    }
    clauses.sql += "ORDER BY \(try order(query.order))"
    if query.limit != nil || query.skip != nil {
      clauses.sql += " LIMIT ? OFFSET ?"
      clauses.arguments += [.integer(Int64(query.limit ?? -1)), .integer(Int64(query.skip ?? 0))]
    }
    return clauses
  }
}
