/// Which rows of a table, in which order, and how many: answered by SQL in a local store and by
/// OData on the wire.
public struct TableQuery: Sendable, Hashable {
  public var table: String
  public var filter: Filter?
  /// Applied in order. Whoever evaluates the query adds `id`, ascending, as the last one.
  public var order: [SortKey]
  /// Rows to pass over. Nil is none.
  public var skip: Int?
  /// At most so many rows. Nil is no limit.
  public var limit: Int?
  /// The columns wanted; empty is all.
  public var select: [String]
  public var includesTotalCount: Bool
  /// Parameters of a server's own, sent as they are. They mean nothing in a local store.
  public var parameters: [String: String]
  /// Rows that are tombstones too, on the wire.
  public var includesDeleted: Bool

  public init(
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

public struct SortKey: Sendable, Hashable {
  public var column: String
  public var ascending: Bool

  public init(_ column: String, ascending: Bool = true) {
    self.column = column
    self.ascending = ascending
  }
}
