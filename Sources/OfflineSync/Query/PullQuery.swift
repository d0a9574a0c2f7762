package import TableProtocol

/// Which rows of a table are kept on this device, and under which name the progress of pulling them is
/// remembered.
///
/// With a `queryID` a pull is incremental: it brings what changed since the last one. Without, it compares every
/// matching row with the server's, each time. A row that leaves the filter on the server is not heard of by an
/// incremental pull (offline-sync P9): filter in the view where you can.
package struct PullQuery: Sendable, Hashable {
  package let query: TableQuery
  /// Names the delta token of this query in its table; nil for a full pull.
  package let queryID: String?

  package init(_ query: TableQuery, queryID: String?) {
    self.query = query
    self.queryID = queryID
  }

  /// All rows of a table.
  package init(table: String, queryID: String?) {
    self.init(TableQuery(table: table), queryID: queryID)
  }

  package var table: String { query.table }

  /// Throws `InvalidPull` for what can't be pulled (offline-sync 8.1).
  func validate() throws(InvalidPull) {
    if query.includesTotalCount { throw .totalCount }
    if !query.select.isEmpty { throw .select }
    if queryID != nil {
      if !query.order.isEmpty { throw .order }
      if query.limit != nil || query.skip != nil { throw .limit }
    }
    for name in query.parameters.keys.sorted() {
      if name.hasPrefix("$") || name.lowercased() == "__includedeleted" { throw .parameter(name) }
    }
  }

  /// What a delta token of this query speaks of; empty for all rows. A token that spoke of others says nothing
  /// (offline-sync P12).
  var scope: String {
    var scope = TableQuery(table: query.table)
    scope.filter = query.filter
    scope.parameters = query.parameters
    return QueryWriter(.v3).queryString(for: scope)
  }

  /// The query of one page of a pull.
  func page(where condition: Filter?, order: [SortKey], limit: Int) -> TableQuery {
    let conditions = [query.filter, condition].compactMap(\.self)
    return TableQuery(
      table: table, filter: conditions.isEmpty ? nil : .all(conditions), order: order, limit: limit,
      parameters: query.parameters, includesDeleted: true)
  }
}

/// Why a query can't be pulled. No request was made.
package enum InvalidPull: Error, Sendable, Hashable {
  /// A count has no use in a pull, and a part of the columns would look like the whole row.
  case totalCount, select
  /// An incremental pull has an order and an extent of its own.
  case order, limit
  /// A parameter that is the protocol's own.
  case parameter(String)
}
