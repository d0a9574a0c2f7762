/// Which rows of a table, in which order, and how many: answered by SQL in a local store and by
/// OData on the wire.
package struct TableQuery: Sendable, Hashable {
  package var table: String
  package var filter: Filter?
  /// Applied in order. Whoever evaluates the query adds `id`, ascending, as the last one.
  package var order: [SortKey]
  /// Rows to pass over. Nil is none.
  package var skip: Int?
  /// At most so many rows. Nil is no limit.
  package var limit: Int?
  /// The columns wanted; empty is all.
  package var select: [String]
  package var includesTotalCount: Bool
  /// Parameters of a server's own, sent as they are. They mean nothing in a local store.
  package var parameters: [String: String]
  /// Rows that are tombstones too, on the wire.
  package var includesDeleted: Bool

  package init(
    table: String, filter: Filter? = nil, order: [SortKey] = [], skip: Int? = nil, limit: Int? = nil,
    select: [String] = [], includesTotalCount: Bool = false, parameters: [String: String] = [:],
    includesDeleted: Bool = false
  ) {
    self.table = table
    self.filter = filter
    self.order = order
    self.skip = skip
    self.limit = limit
    self.select = select
    self.includesTotalCount = includesTotalCount
    self.parameters = parameters
    self.includesDeleted = includesDeleted
  }
}

package struct SortKey: Sendable, Hashable {
  package var column: String
  package var ascending: Bool

  package init(_ column: String, ascending: Bool = true) {
    self.column = column
    self.ascending = ascending
  }
}
