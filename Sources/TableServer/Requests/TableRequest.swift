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
    let bytes = target.utf8
    var end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    while let last = bytes[..<end].indices.last, last > bytes.startIndex, bytes[last] == UInt8(ascii: "/") {
      end = last
    }
    return target[..<end]
  }

  /// What follows the `?`, still encoded.
  var query: Substring {
    let end = target.utf8.firstIndex(of: UInt8(ascii: "#")) ?? target.endIndex
    guard let mark = target.utf8[..<end].firstIndex(of: UInt8(ascii: "?")) else { return "" }
    return target[target.utf8.index(after: mark)..<end]
  }
}
