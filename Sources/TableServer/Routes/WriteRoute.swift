import HTTPTypes
import TableProtocol

/// Everything that changes a table: one request, one change (wire 7).
struct WriteRoute: Sendable {
  enum Change: Sendable {
    case insert(id: RecordID, ItemFields)
    case merge(id: RecordID, ItemFields)
    case replace(id: RecordID, ItemFields, undeletes: Bool)
    case delete(id: RecordID)
    case undelete(id: RecordID)

    var id: RecordID {
      switch self {
      case .insert(let id, _), .merge(let id, _), .replace(let id, _, _), .delete(let id), .undelete(let id): id
      }
    }
  }

  let table: ServedTable
  let change: Change
  let precondition: Precondition
  let version: ProtocolVersion
  private let authority: String?
  private let path: String

  /// The URL of the table as the client wrote it, for `Location`.
  var tableURL: String { "\(authority.map { "http://\($0)" } ?? "")\(path)" }

  init(
    _ request: TableRequest, _ query: QueryItems, target: TableTarget, version: ProtocolVersion,
    makeID: () -> String
  ) throws(RequestError) {
    table = target.table
    self.version = version
    authority = request.authority
    path = String(request.path)
    precondition = try Precondition(request.headers)
    switch (target, request.method) {
    case (.collection, .post):
      var fields = try Self.fields(of: request, version)
      // Only a client that knows this server means it so; others echo what they have (wire 7.1).
      if request.headers[.database] == nil { fields.createdAt = nil }
      change = .insert(id: fields.id ?? RecordID(makeID()), fields)
    case (.item(_, let id), .patch):
      change = .merge(id: id, try Self.fields(of: request, version, id: id))
    case (.item(_, let id), .put):
      let fields = try Self.fields(of: request, version, id: id)
      change = .replace(id: id, fields, undeletes: query.includesDeleted)
    case (.item(_, let id), .delete):
      change = .delete(id: id)
    case (.item(_, let id), .post):
      change = .undelete(id: id)
    case (.collection, _):
      throw .methodNotAllowed(allowed: "GET, POST")
    case (.item, _):
      throw .methodNotAllowed(allowed: "GET, PATCH, PUT, DELETE, POST")
    }
  }

  private static func fields(
    of request: TableRequest, _ version: ProtocolVersion, id: RecordID? = nil
  ) throws(RequestError) -> ItemFields {
    if version == .v3, let type = request.headers[.contentType], !isJSON(type) { throw .wrongContentType }
    let fields = try ItemFields(body: request.body)
    if let id, let sent = fields.id, sent != id { throw .idMismatch }
    return fields
  }

  static func isJSON(_ contentType: String) -> Bool {
    let type = contentType.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    return type == "application/json" || type == "application/merge-patch+json"
  }

  func respond(in transaction: WriteTransaction, _ schemas: inout SchemaCache) throws -> TableResponse {
    try schemas.with(table, in: transaction) { writer in
      switch change {
      case .insert(let id, let fields): try insert(id, fields, &writer)
      case .merge(let id, let fields): try merge(id, fields, &writer)
      case .replace(let id, let fields, let undeletes): try replace(id, fields, undeletes: undeletes, &writer)
      case .delete(let id): try delete(id, &writer)
      case .undelete(let id): try undelete(id, &writer)
      }
    }
  }
}

extension WriteRoute {
  /// An id that is taken, by a tombstone too, is answered with what is stored under it.
  func insert(_ id: RecordID, _ fields: ItemFields, _ writer: inout RowWriter) throws -> TableResponse {
    if try writer.isTaken(id) { return TableResponse(.conflict, item: try existing(id, writer)) }
    var response = TableResponse(.created, item: try writer.insert(id, fields.values, createdAt: fields.createdAt))
    if version == .v3 { response.location = "\(tableURL)/\(PercentEncoding.encodeSegment(id.text))" }
    return response
  }

  /// Changes what the body holds. In 3.0.0 `"deleted": false` brings a tombstone back. A body that
  /// changes nothing is answered with the item as it is.
  func merge(_ id: RecordID, _ fields: ItemFields, _ writer: inout RowWriter) throws -> TableResponse {
    let stored = try existing(id, writer)
    let undeletes = version == .v3 && fields.deleted == false && stored.system.deleted
    if stored.system.deleted, !undeletes { return try refused(stored) }
    guard precondition.allows(stored) else { return TableResponse(.preconditionFailed, item: stored) }
    if fields.values.isEmpty, !undeletes { return TableResponse(.ok, item: stored) }
    return TableResponse(.ok, item: try writer.update(stored, fields.values))
  }

  /// Stores the body as the whole item: a column it leaves out gets the value that some clients do not
  /// write (wire 5). Never creates.
  func replace(
    _ id: RecordID, _ fields: ItemFields, undeletes: Bool, _ writer: inout RowWriter
  ) throws -> TableResponse {
    guard fields.id != nil else { throw RequestError.idMismatch }
    let stored = try existing(id, writer)
    if stored.system.deleted, !undeletes { return try refused(stored) }
    guard precondition.allows(stored) else { return TableResponse(.preconditionFailed, item: stored) }
    return TableResponse(.ok, item: try writer.replace(stored, fields.values))
  }

  /// In 2.0.0 a second delete is as good as the first, since the wish is fulfilled.
  func delete(_ id: RecordID, _ writer: inout RowWriter) throws -> TableResponse {
    let stored = try existing(id, writer)
    if stored.system.deleted {
      if version == .v3 { throw RequestError.itemDeleted }
      return TableResponse(.ok, item: stored)
    }
    guard precondition.allows(stored) else { return TableResponse(.preconditionFailed, item: stored) }
    let tombstone = try writer.update(stored, [:], deleted: true)
    return version == .v2 ? TableResponse(.ok, item: tombstone) : TableResponse(.noContent)
  }

  /// Brings a tombstone back, and moves a live row to the end.
  func undelete(_ id: RecordID, _ writer: inout RowWriter) throws -> TableResponse {
    let stored = try existing(id, writer)
    guard precondition.allows(stored) else { return TableResponse(.preconditionFailed, item: stored) }
    return TableResponse(.ok, item: try writer.update(stored, [:]))
  }

  private func existing(_ id: RecordID, _ writer: RowWriter) throws -> Record {
    guard let record = try writer.record(id) else { throw RequestError.noSuchItem }
    return record
  }

  /// An update met a tombstone: in 2.0.0 a conflict, so that clients do not abort their push.
  private func refused(_ tombstone: Record) throws -> TableResponse {
    if version == .v3 { throw RequestError.itemDeleted }
    return TableResponse(precondition == .none ? .conflict : .preconditionFailed, item: tombstone)
  }
}
