import FoundationEssentials
import TableProtocol

/// Where a server is: scheme, host, port and perhaps a path, without a trailing slash.
package struct ServerAddress: Sendable, Hashable {
  package let text: String

  /// Nil unless it is an `http` or `https` URL with a host, and without user, password, query and
  /// fragment: those have no place in a base URL, and a password would end up in logs.
  package init?(_ text: String) {
    var trimmed = text
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let url = URL(string: trimmed), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil, url.query() == nil,
      url.fragment() == nil
    else { return nil }
    self.text = trimmed
  }

  /// `{base}/tables/{table}`, with `/{id}` when there is one and `?{query}` when it is not empty.
  func url(table: String, id: String? = nil, query: String = "") -> String {
    let item = id.map { "/" + PercentEncoding.encodeSegment($0) } ?? ""
    return "\(text)/tables/\(PercentEncoding.encodeSegment(table))\(item)\(query.isEmpty ? "" : "?" + query)"
  }
}
