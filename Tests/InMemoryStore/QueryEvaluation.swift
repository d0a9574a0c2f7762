package import TableProtocol
package import TableSQL

/// Answers a whole query over records in memory, as ``QuerySQL`` has it answered by SQLite.
package struct QueryEvaluation {
  let query: TableQuery
  let kind: (String) -> SQLColumn.Kind?

  /// `kind` gives nil for a name the table has not; it must know the system columns.
  package init(_ query: TableQuery, kind: @escaping (String) -> SQLColumn.Kind?) {
    self.query = query
    self.kind = kind
  }

  /// The records that match, in no order; `skip` and `limit` play no part.
  package func matching(_ records: some Sequence<Record>) throws(QueryError) -> [Record] {
    guard let filter = query.filter else { return Array(records) }
    var found: [Record] = []
    for record in records where try FilterEvaluation(of: record, kind: kind).holds(filter) {
      found.append(record)
    }
    return found
  }

  /// The page asked for: the records that match, in order, after `skip`, at most `limit`.
  package func page(of records: some Sequence<Record>) throws(QueryError) -> [Record] {
    let sorted = try sorted(matching(records))
    let rest = sorted.dropFirst(max(0, query.skip ?? 0))
    guard let limit = query.limit, limit >= 0 else { return Array(rest) }
    return Array(rest.prefix(limit))
  }

  /// In the order asked for, with `id` as the last key.
  private func sorted(_ records: [Record]) throws(QueryError) -> [Record] {
    let order = QuerySQL.completed(query.order)
    var keyed: [(keys: [SQLValue], record: Record)] = []
    for record in records {
      let evaluation = FilterEvaluation(of: record, kind: kind)
      var keys: [SQLValue] = []
      for key in order { keys.append(try evaluation.value(.member(key.column))) }
      keyed.append((keys, record))
    }
    for key in order where kind(key.column) == nil { throw .unknownColumn(key.column) }
    return keyed.sorted { left, right in precedes(left.keys, right.keys, order) }.map(\.record)
  }

  private func precedes(_ left: [SQLValue], _ right: [SQLValue], _ order: [SortKey]) -> Bool {
    for (index, key) in order.enumerated() {
      if SQLValue.precedes(left[index], right[index]) { return key.ascending }
      if SQLValue.precedes(right[index], left[index]) { return !key.ascending }
    }
    return false
  }
}
