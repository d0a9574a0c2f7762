package import TableProtocol

/// Turns the order and the limits of a query into SQL.
package struct QuerySQL {
  let dialect: any SQLDialect
  let nulls: FilterSQL.NullRule
  let column: (String) -> SQLColumn?

  /// `column` returns nil for a name the table lacks; it must know `id`.
  package init(_ dialect: any SQLDialect, nulls: FilterSQL.NullRule, column: @escaping (String) -> SQLColumn?) {
    self.dialect = dialect
    self.nulls = nulls
    self.column = column
  }

  /// The keys as they are applied: `id`, ascending, is always the last one, so that the order of two rows is never
  /// in doubt (wire 6.3).
  package static func completed(_ order: [SortKey]) -> [SortKey] {
    guard let id = order.firstIndex(where: { $0.column == SystemColumn.id }) else {
      return order + [SortKey(SystemColumn.id)]
    }
    return Array(order[...id])
  }

  /// The keys after `ORDER BY`.
  package func order(_ order: [SortKey]) throws(QueryError) -> String {
    try keys(Self.completed(order)).map { dialect.sortKey($0.expression, ascending: $0.ascending) }
      .joined(separator: ", ")
  }

  /// `WHERE`, `ORDER BY`, `LIMIT` and `OFFSET` of a whole query: everything after `FROM table`.
  package func clauses(of query: TableQuery) throws(QueryError) -> SQLFragment {
    var clauses = SQLFragment("")
    if let filter = query.filter {
      let condition = try FilterSQL(dialect, nulls: nulls, column: column).condition(filter)
      clauses = SQLFragment("WHERE \(condition.sql) ", condition.arguments)
    }
    clauses.sql += "ORDER BY \(try order(query.order))"
    if query.limit != nil || query.skip != nil {
      clauses.sql += " LIMIT ? OFFSET ?"
      let limit = query.limit.map { FieldValue.integer(Int64($0)) }
      clauses.arguments += [limit ?? dialect.noLimit, .integer(Int64(query.skip ?? 0))]
    }
    return clauses
  }
}

/// Paging by place.
extension QuerySQL {
  private typealias Key = (expression: String, ascending: Bool)

  private func keys(_ order: [SortKey]) throws(QueryError) -> [Key] {
    var keys: [Key] = []
    for key in order {
      guard let column = column(key.column) else { throw .unknownColumn(key.column) }
      keys.append((column.expression, key.ascending))
    }
    return keys
  }

  /// A condition for the rows after the row that has these values, one for each key of the completed order.
  ///
  /// The first key is bounded on its own as well, so that its index is entered at the right place.
  package func rows(after values: [FieldValue], in order: [SortKey]) throws(QueryError) -> SQLFragment {
    let keys = try keys(Self.completed(order))
    var result = SQLFragment(dialect.constant(false))
    for (key, value) in zip(keys, values).reversed() {
      let after = after(value, key)
      result = SQLFragment(
        "(\(after.sql) OR (\(key.expression) \(dialect.isSame) ? AND \(result.sql)))",
        after.arguments + [value] + result.arguments)
    }
    guard let key = keys.first, let value = values.first, value != .null, key.ascending else { return result }
    return SQLFragment("(\(key.expression) >= ? AND \(result.sql))", [value] + result.arguments)
  }

  /// Null stands before every value: ``SQLDialect/sortKey(_:ascending:)``.
  private func after(_ value: FieldValue, _ key: Key) -> SQLFragment {
    switch (value, key.ascending) {
    case (.null, true): SQLFragment("\(key.expression) IS NOT NULL")
    case (.null, false): SQLFragment(dialect.constant(false))
    case (_, true): SQLFragment("\(key.expression) > ?", [value])
    case (_, false): SQLFragment("(\(key.expression) < ? OR \(key.expression) IS NULL)", [value])
    }
  }
}
