/// Where the next page of a list is, in the body of a 3.0.0 answer (table-protocol 6.4).
package enum NextLink {
  /// The query part of an absolute URL, of a path, of `?…`, or of a bare query string; nil when
  /// there is none.
  ///
  /// Only the query counts: a client keeps its own scheme, host and path, so that no answer can send
  /// its credentials elsewhere.
  package static func query(of link: String) -> String? {
    let link = link.prefix { $0 != "#" }
    let beforeQuery = link.prefix { $0 != "?" && $0 != "=" && $0 != "&" }
    let isLocation = link.hasPrefix("/") || link.hasPrefix("?") || beforeQuery.contains("://")
    guard isLocation else { return link.isEmpty ? nil : String(link) }
    guard let mark = link.firstIndex(of: "?") else { return nil }
    let query = link[link.index(after: mark)...]
    return query.isEmpty ? nil : String(query)
  }
}
