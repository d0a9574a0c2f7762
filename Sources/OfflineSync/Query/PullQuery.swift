public import TableProtocol

/// The rows of a table that this device keeps, and the name under which the progress of the pull is saved.
///
/// With a `queryID` a pull is incremental: it loads the rows that changed since the last pull. Without one, each pull
/// compares every matching row with the server's. An incremental pull does not notice a row that leaves the filter on
/// the server (sync-rules P9), so filter in the view if you can.
public struct PullQuery: Sendable, Hashable {
  public let query: TableQuery
  /// The name of this query's delta token in its table; nil for a full pull.
  public let queryID: String?

  public init(_ query: TableQuery, queryID: String?) {
    self.query = query
    self.queryID = queryID
  }

  /// All rows of a table.
  public init(table: String, queryID: String?) {
    self.init(TableQuery(table: table), queryID: queryID)
  }

  /// The name of the query for all rows of a table.
  public static let ofEverything = "all"

  /// All rows of a table, since the last pull of them.
  public static func everything(of table: String) -> PullQuery { PullQuery(table: table, queryID: ofEverything) }

  public var table: String { query.table }

  /// Throws `InvalidPull` if the query can't be pulled (sync-rules 8.1).
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

  /// The filter and parameters that a delta token of this query belongs to; empty for all rows. A token of another
  /// scope is not used (sync-rules P12).
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
public enum InvalidPull: Error, Sendable, Hashable {
  /// A pull has no use for a count, and a part of the columns would look like the whole row.
  case totalCount, select
  /// An incremental pull sets its own order and limits.
  case order, limit
  /// The parameter belongs to the protocol.
  case parameter(String)
}

/// How far a query has been pulled: the newest `updatedAt` up to which every row is stored.
///
/// It is saved in the transaction that stores the rows, and never passes a row that is not stored (sync-rules 13.1).
/// For the ways in which it moves forward and back, see sync-rules 8.4.
package struct DeltaToken: Sendable, Hashable {
  /// UTC, whole milliseconds.
  package let timestamp: Timestamp

  package init(_ timestamp: Timestamp) {
    self.timestamp = timestamp
  }
}
