import HTTPTypes
import TableProtocol
import TableStorage

/// Everything that changes a table: one request, one change (wire 7).
struct WriteRoute: Sendable {
  let table: ServedTable
  let change: RequestedChange
  private let root: String
  private let path: String
  private let names: ColumnNames
  private let repetition: Repetition?

  /// The URL of the table as the client wrote it, for `Location`.
  var tableURL: String { root + path }

  init(
    _ request: TableRequest, _ query: QueryItems, target: TableTarget, version: ProtocolVersion,
    _ policy: TablePolicy, makeID: () -> String
  ) throws(RequestError) {
    table = target.table
    root = request.root
    path = String(request.path)
    names = policy.answeredNames(of: target.table, request.headers)
    repetition = try Repetition(request)
    let preconditions = try Preconditions(request.headers)
    let (id, kind) = try Self.change(
      request, query, target: target, names: policy.names(of: target.table), makeID: makeID)
    change = RequestedChange(id: id, kind: kind, preconditions: preconditions, version: version)
  }

  private static func change(
    _ request: TableRequest, _ query: QueryItems, target: TableTarget, names: ColumnNames, makeID: () -> String
  ) throws(RequestError) -> (RecordID, RequestedChange.Kind) {
    switch (target, request.method) {
    case (.collection, .post):
      var fields = try fields(of: request, names)
      // Only a client that knows this server means it so; others echo what they have (wire 7.1).
      if request.headers[.database] == nil { fields.createdAt = nil }
      return (fields.id ?? RecordID(makeID()), .insert(fields))
    case (.item(_, let id), .patch):
      return (id, .change(.merge(try fields(of: request, names, id: id))))
    case (.item(_, let id), .put):
      let fields = try fields(of: request, names, id: id)
      guard fields.id != nil else { throw .missingID }
      return (id, .change(.replace(fields, revives: query.includesDeleted)))
    case (.item(_, let id), .delete):
      return (id, .change(.delete))
    case (.item(_, let id), .post):
      return (id, .change(.revive))
    case (.collection, _), (.item, _):
      throw .methodNotAllowed(allowed: target.verbs)
    }
  }

  private static func fields(
    of request: TableRequest, _ names: ColumnNames, id: RecordID? = nil
  ) throws(RequestError) -> ItemFields {
    if !request.body.isEmpty { try checkForm(ofBodyIn: request) }
    let fields = try ItemFields(body: request.body, names)
    if let id, let sent = fields.id, sent != id { throw .idMismatch }
    return fields
  }

  /// Throws unless the body is sent as JSON, not compressed. In both versions, and never without a type: a page of
  /// another site can send any text as some other type without asking the server first.
  static func checkForm(ofBodyIn request: TableRequest) throws(RequestError) {
    guard let type = request.headers.value(of: .contentType), isJSON(type) else { throw .body(.wrongContentType) }
    if let codings = request.headers.value(of: .contentEncoding), !isPlain(codings) { throw .body(.encoded) }
  }

  /// True for codings that leave a body unchanged (RFC 9110, 8.4).
  private static func isPlain(_ codings: String) -> Bool {
    codings.split { $0 == "," || $0 == " " || $0 == "\t" }.allSatisfy { $0.lowercased() == "identity" }
  }

  private static func isJSON(_ contentType: String) -> Bool {
    if contentType == "application/json" { return true }
    let type = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return type == "application/json" || type == "application/merge-patch+json"
  }

  func respond(in transaction: ListTransaction) throws -> TableResponse {
    guard let repetition else { return try answer(in: transaction) }
    if let kept = try transaction.earlierAnswer(to: repetition) { return TableResponse(kept) }
    var answer = try answer(in: transaction)
    // A failed write may be tried again.
    if !answer.isError { try transaction.keep(answer.kept, to: repetition) }
    answer.accept()
    return answer
  }

  private func answer(in transaction: ListTransaction) throws -> TableResponse {
    let outcome = try transaction.perform(change)
    var response = TableResponse(outcome, change.version, names)
    if outcome.kind == .created, change.version == .v3 {
      response.location = "\(tableURL)/\(PercentEncoding.encodeSegment(change.id.text))"
    }
    return response
  }
}
