import HTTPTypes
import TableStorage

/// `GET /openapi.json`: what this server answers, for programs that read such documents (wire 14.2).
///
/// Made of `Resources/openapi/openapi.json`. It says nothing of any user, so that everybody may have it.
struct InterfaceDocument: Sendable {
  private let body: [UInt8]
  private let tag: String

  /// A server of fixed tables names them.
  init(_ policy: TablePolicy) {
    let text = EmbeddedFile.openAPI.text
    let names = #""enum": ["\#(ServedTable.todoItem.name)"]"#
    let document =
      switch policy.tables {
      case .open: text
      case .fixed: text.replacing(Self.anyName, with: names, maxReplacements: 1)
      }
    body = Array(document.utf8)
    tag = document.entityTag
  }

  /// The rule for a table's name in the resource.
  static let anyName = #""pattern": "^[A-Za-z][A-Za-z0-9_]{0,63}$""#

  static func isMeant(by request: TableRequest) -> Bool { request.path == "/openapi.json" }

  /// Throws `RequestError`.
  func answer(to request: TableRequest) throws(RequestError) -> TableResponse {
    switch request.method {
    case .get, .head:
      var response = TableResponse(
        .ok, headers: [.cacheControl: "no-cache", .xContentTypeOptions: "nosniff"], body: body)
      response.eTag = tag
      return response.unlessKnown(to: request)
    case .options:
      var response = TableResponse(.ok)
      response.allow = Self.verbs
      return response
    case _: throw .methodNotAllowed(allowed: Self.verbs)
    }
  }

  private static let verbs = [HTTPRequest.Method.get].allowed
}
