import HTTPTypes
import TableProtocol

/// Everything that changes a table: one request, one change (wire 7).
struct WriteRoute: Sendable {
  let table: ServedTable
  let change: RowChange
  private let root: String
  private let path: String

  /// The URL of the table as the client wrote it, for `Location`.
  var tableURL: String { root + path }

  init(
    _ request: TableRequest, _ query: QueryItems, target: TableTarget, version: ProtocolVersion,
    makeID: () -> String
  ) throws(RequestError) {
    table = target.table
    root = request.root
    path = String(request.path)
    let precondition = try Precondition(request.headers)
    let (id, kind) = try Self.change(request, query, target: target, version: version, makeID: makeID)
    change = RowChange(id: id, kind: kind, precondition: precondition, version: version)
  }

  private static func change(
    _ request: TableRequest, _ query: QueryItems, target: TableTarget, version: ProtocolVersion,
    makeID: () -> String
  ) throws(RequestError) -> (RecordID, RowChange.Kind) {
    switch (target, request.method) {
    case (.collection, .post):
      var fields = try fields(of: request, version)
      // Only a client that knows this server means it so; others echo what they have (wire 7.1).
      if request.headers[.database] == nil { fields.createdAt = nil }
      return (fields.id ?? RecordID(makeID()), .insert(fields))
    case (.item(_, let id), .patch):
      return (id, .merge(try fields(of: request, version, id: id)))
    case (.item(_, let id), .put):
      let fields = try fields(of: request, version, id: id)
      guard fields.id != nil else { throw .missingID }
      return (id, .replace(fields, revives: query.includesDeleted))
    case (.item(_, let id), .delete):
      return (id, .delete)
    case (.item(_, let id), .post):
      return (id, .revive)
    case (.collection, _):
      throw .methodNotAllowed(allowed: "GET, HEAD, POST")
    case (.item, _):
      throw .methodNotAllowed(allowed: "GET, HEAD, PATCH, PUT, DELETE, POST")
    }
  }

  private static func fields(
    of request: TableRequest, _ version: ProtocolVersion, id: RecordID? = nil
  ) throws(RequestError) -> ItemFields {
    if !request.body.isEmpty { try checkContentType(of: request) }
    let fields = try ItemFields(body: request.body)
    if let id, let sent = fields.id, sent != id { throw .idMismatch }
    return fields
  }

  /// In both versions, and never without one: a page of another site can send any text as some other type without
  /// asking the server first.
  static func checkContentType(of request: TableRequest) throws(RequestError) {
    guard let type = request.headers[.contentType], isJSON(type) else { throw .wrongContentType }
  }

  private static func isJSON(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return type == "application/json" || type == "application/merge-patch+json"
  }

  func respond(in transaction: ListTransaction) throws -> TableResponse {
    let outcome = try transaction.perform(change)
    var response = TableResponse(outcome, change.version)
    if outcome.kind == .created, change.version == .v3 {
      response.location = "\(tableURL)/\(PercentEncoding.encodeSegment(change.id.text))"
    }
    return response
  }
}
