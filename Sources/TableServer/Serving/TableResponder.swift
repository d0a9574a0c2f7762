import HTTPTypes
import Hummingbird
import NIOCore
import TableProtocol

/// Turns a request from the socket into a value, and the answer into one for the socket.
struct TableResponder: HTTPResponder {
  typealias Context = BasicRequestContext

  /// Bytes (wire 12).
  static let largestBody = 4_194_304

  let state: ServerState

  func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
    guard let routes = state.routes else { return Response(status: .serviceUnavailable) }
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
