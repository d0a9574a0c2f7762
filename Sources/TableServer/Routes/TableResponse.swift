import HTTPTypes
import TableProtocol

/// An answer as far as the table protocol goes.
struct TableResponse: Sendable {
  var status: HTTPResponse.Status
  var headers: HTTPFields
  var body: [UInt8]

  init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
    self.headers[.cacheControl] = "no-store"
    if !body.isEmpty { self.headers[.contentType] = "application/json; charset=utf-8" }
  }

  /// One item, with its version as a strong tag: old clients take the version from there
  /// (table-protocol 4).
  init(_ status: HTTPResponse.Status, item: Record) {
    self.init(status, body: ItemBody.bytes(item))
    headers[.eTag] = item.system.version?.entityTag
  }

  init(_ error: RequestError) {
    self.init(error.status, body: ErrorBody.bytes(title: error.status.reasonPhrase, detail: error.message))
    if case .methodNotAllowed(let allowed) = error { headers[.allow] = allowed }
  }
}
