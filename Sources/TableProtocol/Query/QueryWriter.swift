/// Writes a query as the query part of a URL, percent-encoded, without the `?` (table-protocol 6.1).
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
