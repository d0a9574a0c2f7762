/// Which rows of a table, in which order, and how many: answered by SQL in a local store and by
/// OData on the wire.
public struct TableQuery: Sendable, Hashable {
  public var table: String
  public var filter: Filter?
  /// Applied in order. The store or server adds `id`, ascending, as the last one.
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

/// A mistake in a query, found before the database is asked.
public enum QueryError: Error, Hashable, Sendable {
  case unknownColumn(String)
  /// A column of time was compared with this text.
  case notATimestamp(String)
  /// The condition is too long.
  case tooComplex
}

public struct SortKey: Sendable, Hashable {
  public var column: String
  public var ascending: Bool

  public init(_ column: String, ascending: Bool = true) {
    self.column = column
    self.ascending = ascending
  }
}

/// Reads an OData `$orderby`: names with an optional `asc` or `desc`, separated by commas.
package enum OrderParser {
  /// More keys than any client sends; a limit because the text comes from anywhere.
  static let mostKeys = 32

  package static func parse(_ text: some StringProtocol) throws(FilterSyntaxError) -> [SortKey] {
    guard text.utf8.count <= FilterParser.longestText else {
      throw FilterSyntaxError(.tooLong, at: FilterParser.longestText)
    }
    var lexer = FilterLexer(text)
    var keys: [SortKey] = []
    while true {
      guard keys.count < mostKeys else { throw FilterSyntaxError(.tooLong, at: lexer.position) }
      let (key, following) = try key(in: &lexer)
      keys.append(key)
      switch following {
      case .comma: continue
      case .end: return keys
      case .leftParenthesis, .rightParenthesis, .slash, .minus, .word, .literal:
        throw FilterSyntaxError(.unexpected(following.text), at: lexer.position)
      }
    }
  }

  private static func key(in lexer: inout FilterLexer) throws(FilterSyntaxError) -> (SortKey, FilterToken) {
    let token = try lexer.next()
    guard case .word(let column) = token else {
      throw FilterSyntaxError(token == .end ? .unexpectedEnd : .unexpected(token.text), at: lexer.position)
    }
    switch try lexer.next() {
    case .word("asc"): return (SortKey(column), try lexer.next())
    case .word("desc"): return (SortKey(column, ascending: false), try lexer.next())
    case let following: return (SortKey(column), following)
    }
  }
}

/// Writes a query as the query part of a URL, percent-encoded, without the `?` (wire 6.1).
package struct QueryWriter {
  package let version: ProtocolVersion

  package init(_ version: ProtocolVersion) {
    self.version = version
  }

  /// Empty when the query asks for nothing in particular.
  package func queryString(for query: TableQuery) -> String {
    items(for: query)
      .map { name, value in "\(PercentEncoding.encodeQuery(name))=\(PercentEncoding.encodeQuery(value))" }
      .joined(separator: "&")
  }

  private func items(for query: TableQuery) -> [(name: String, value: String)] {
    var items: [(name: String, value: String)] = []
    if let filter = query.filter { items.append(("$filter", FilterWriter(version).text(of: filter))) }
    if !query.order.isEmpty {
      let keys = query.order.map { $0.ascending ? $0.column : "\($0.column) desc" }
      items.append(("$orderby", keys.joined(separator: ",")))
    }
    if let skip = query.skip { items.append(("$skip", String(skip))) }
    if let limit = query.limit { items.append(("$top", String(limit))) }
    if !query.select.isEmpty { items.append(("$select", query.select.joined(separator: ","))) }
    switch version {
    case .v2:
      if query.includesTotalCount { items.append(("$inlinecount", "allpages")) }
      if query.includesDeleted { items.append(("__includeDeleted", "true")) }
    case .v3:
      if query.includesTotalCount { items.append(("$count", "true")) }
      if query.includesDeleted { items.append(("__includedeleted", "true")) }
    }
    return items + query.parameters.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
