import HTTPTypes
import TableProtocol

/// An answer as far as the table protocol goes.
struct TableResponse: Sendable {
  var status: HTTPResponse.Status
  var body: [UInt8]
  // The headers that the answer to an entry of a batch may have, each by itself: there are thousands of
  // those, and making ``HTTPFields`` for each takes longer than writing its row.
  var allow: String?
  var eTag: String?
  var link: String?
  var location: String?
  /// True for a list that goes on nowhere.
  var isLastPage = false
  /// What goes with a whole answer only.
  var headers: HTTPFields

  init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// One item, with its version as a strong tag: old clients take the version from there
  /// (table-protocol 4).
  init(_ status: HTTPResponse.Status, item: Record) {
    self.init(status, body: ItemBody.bytes(item))
    eTag = item.system.version?.entityTag
  }

  init(_ error: RequestError) {
    self.init(error.status, body: ErrorBody.bytes(title: error.status.reasonPhrase, detail: error.message))
    if case .methodNotAllowed(let allowed) = error { allow = allowed }
  }

  /// All headers, as they go onto a socket.
  var allHeaders: HTTPFields {
    var all = headers
    all[.cacheControl] = "no-store"
    if !body.isEmpty { all[.contentType] = "application/json; charset=utf-8" }
    for (name, value) in [(.allow, allow), (.eTag, eTag), (.link, link), (.location, location)] as [Field] {
      if let value { all[name] = value }
    }
    return all
  }

  private typealias Field = (HTTPField.Name, String?)
}
