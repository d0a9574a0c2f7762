import HTTPTypes

/// A request as far as the table protocol goes. A value, so that it may come from a socket as well as
/// from inside a batch.
struct TableRequest: Sendable {
  var method: HTTPRequest.Method
  /// Path and query as they were sent, percent-encoded.
  var target: String
  /// The host and port the client used, if it said so.
  var authority: String?
  var headers: HTTPFields
  var body: [UInt8]

  init(
    method: HTTPRequest.Method, target: String, authority: String? = nil, headers: HTTPFields = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.authority = authority
    self.headers = headers
    self.body = body
  }

  /// The path, still encoded, without slashes at its end.
  var path: Substring {
    var path = target.prefix { $0 != "?" && $0 != "#" }
    while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
    return path
  }

  /// What follows the `?`, still encoded.
  var query: Substring {
    let target = target.prefix { $0 != "#" }
    return target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
  }
}
