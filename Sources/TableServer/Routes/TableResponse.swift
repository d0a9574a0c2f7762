import HTTPTypes
import Hummingbird
import NIOCore
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
  /// (wire 4).
  init(_ status: HTTPResponse.Status, item: Record) {
    self.init(status, body: item.json())
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

/// The door to HTTP: turns a request from the socket into a value, and the answer into one for the socket.
struct TableResponder: HTTPResponder {
  typealias Context = BasicRequestContext

  /// Bytes (wire 12).
  static let largestBody = 4_194_304

  let door: ServerDoor

  func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    guard let routes = door.routes else { return Response(status: .serviceUnavailable) }
    var table = TableRequest(
      method: request.method, target: request.head.path ?? "/", authority: request.head.authority,
      headers: request.headers)
    do {
      if Self.takesBody(request.method) {
        let buffer = try await request.body.collect(upTo: Self.largestBody)
        table.body = Array(buffer.readableBytesView)
      }
    } catch is NIOTooManyBytesError {
      return Self.response(routes.refuse(table, .bodyTooLarge(limit: Self.largestBody)))
    }
    let response = Self.response(await routes.respond(to: table))
    return request.method == .head ? response.createHeadResponse() : response
  }

  private static func takesBody(_ method: HTTPRequest.Method) -> Bool {
    method == .post || method == .patch || method == .put
  }

  private static func response(_ table: TableResponse) -> Response {
    let body = table.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: table.body))
    return Response(status: table.status, headers: table.allHeaders, body: body)
  }
}
