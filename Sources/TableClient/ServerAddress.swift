import FoundationEssentials
import TableProtocol

/// Where a server is: scheme, host, port and perhaps a path, without a trailing slash.
package struct ServerAddress: Sendable, Hashable {
  package let text: String
  /// Scheme, host and port: the only place that credentials go to.
  let origin: String
  /// The part before `/tables`; empty, or begins with a slash.
  let prefix: String

  /// Nil unless it is an `http` or `https` URL with a host, and without user, password, query and
  /// fragment: those have no place in a base URL, and a password would end up in logs.
  package init?(_ text: String) {
    var trimmed = text
    while trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let url = URL(string: trimmed), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil, url.query() == nil,
      url.fragment() == nil, url.port.map((1...65_535).contains) ?? true
    else { return nil }
    self.text = trimmed
    let parts = trimmed.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    origin = parts.prefix(3).joined(separator: "/")
    prefix = parts.count > 3 ? "/" + parts[3] : ""
  }

  /// Requests to it can't be read on the way.
  package var isSecure: Bool { origin.lowercased().hasPrefix("https:") }

  /// A name or an address; one of IPv6 without its brackets.
  package var host: String {
    (URL(string: origin)?.host() ?? origin).filter { !"[]".contains($0) }
  }

  /// The one of the scheme if the address names none.
  var port: Int { URL(string: origin)?.port ?? (isSecure ? 443 : 80) }

  /// Batches go to the one of the two URLs that is below the tables (wire 18.3).
  var batchPath: String { "\(prefix)/tables/$batch" }

  /// `{prefix}/tables/{table}`, with `/{id}` when there is one and `?{query}` when it is not empty.
  func path(table: String, id: RecordID? = nil, query: String = "") -> String {
    let item = id.map { "/" + PercentEncoding.encodeSegment($0.text) } ?? ""
    return "\(prefix)/tables/\(PercentEncoding.encodeSegment(table))\(item)\(query.isEmpty ? "" : "?" + query)"
  }
}
