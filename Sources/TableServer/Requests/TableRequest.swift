package import HTTPTypes
import TableProtocol
import TableStorage

/// A request as far as the table protocol goes. A value, so that it may come from a socket as well as
/// from inside a batch.
package struct TableRequest: Sendable {
  var method: HTTPRequest.Method
  /// Path and query as they were sent, percent-encoded.
  let target: String
  /// The path, still encoded, without slashes at its end.
  let path: Substring
  /// The part after `?`, still encoded.
  let query: Substring
  /// `http`, or `https` if the client's connection is encrypted.
  var scheme = "http"
  /// The host and port the client used, if it said so.
  var authority: String?
  var headers: HTTPFields
  var body: [UInt8]

  package init(
    method: HTTPRequest.Method, target: String, authority: String? = nil, headers: HTTPFields = [:],
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    (path, query) = Self.parts(of: target)
    self.authority = authority
    self.headers = headers
    self.body = body
  }

  /// The start of the URLs of answers; empty if the client did not say how it names the server.
  var root: String { authority.map { "\(scheme)://\($0)" } ?? "" }

  private static func parts(of target: String) -> (path: Substring, query: Substring) {
    let bytes = target.utf8
    let whole = bytes[..<(bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex)]
    let mark = whole.firstIndex(of: UInt8(ascii: "?"))
    var path = whole[..<(mark ?? whole.endIndex)]
    while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
    return (Substring(path), mark.map { Substring(whole[$0...].dropFirst()) } ?? "")
  }
}

/// A URL's target in the table protocol (wire 2).
enum TableTarget: Hashable, Sendable {
  case collection(ServedTable)
  case item(ServedTable, id: RecordID)

  /// Reads an encoded path without slashes at its end.
  init(path: Substring, _ policy: TablePolicy) throws(RequestError) {
    guard let segments = PercentEncoding.segments(of: path) else { throw .invalidURL }
    guard (3...4).contains(segments.count), segments[0].isEmpty, segments[1] == "tables" else {
      throw .unknownURL
    }
    let table = try policy.table(named: segments[2])
    guard segments.count == 4 else {
      self = .collection(table)
      return
    }
    let id = RecordID(segments[3])
    guard id.isValid else { throw .invalidID }
    self = .item(table, id: id)
  }

  /// The path of an item, encoded.
  static func path(of table: ServedTable, id: RecordID) -> String {
    "/tables/\(table.name)/\(PercentEncoding.encodeSegment(id.text))"
  }

  /// The methods that are right here, whatever else the request says. HEAD is answered as GET.
  var methods: [HTTPRequest.Method] {
    switch self {
    case .collection: [.get, .post]
    case .item: [.get, .patch, .put, .delete, .post]
    }
  }

  /// The `Allow` header.
  var verbs: String { methods.allowed }

  var table: ServedTable {
    switch self {
    case .collection(let table), .item(let table, _): table
    }
  }
}

extension [HTTPRequest.Method] {
  /// The `Allow` header of a URL that takes these: HEAD goes with GET, and OPTIONS with all of them.
  var allowed: String {
    let methods = flatMap { $0 == .get ? [.get, .head] : [$0] } + [.options]
    return methods.map(\.rawValue).joined(separator: ", ")
  }
}
