import GRDB
import HTTPTypes
import TableProtocol

/// What one request asks for, read and checked, before the database is touched.
enum TableRoute: Sendable {
  case list(ListRoute)
  case read(ReadRoute)
  case write(WriteRoute)

  init(_ request: TableRequest, makeID: () -> String) throws(RequestError) {
    let target = try TableTarget(path: request.path)
    let query = QueryItems(request.query)
    let version = try Self.version(of: request, query)
    switch (target, request.method) {
    case (.collection(let table), .get):
      self = .list(try ListRoute(request, query, table: table, version: version))
    case (.item(let table, let id), .get):
      self = .read(ReadRoute(table: table, id: id, includesDeleted: query.includesDeleted, version: version))
    case (.collection, _), (.item, _):
      self = .write(try WriteRoute(request, query, target: target, version: version, makeID: makeID))
    }
  }

  /// The encoded path of the item that is made or changed; nil for a list.
  var entityPath: String? {
    switch self {
    case .list: nil
    case .read(let route): TableTarget.path(of: route.table, id: route.id)
    case .write(let route): TableTarget.path(of: route.table, id: route.change.id)
    }
  }

  /// Within a transaction of many: what it reads is what was written before.
  func respond(in transaction: WriteTransaction, _ schemas: inout SchemaCache) throws -> TableResponse {
    switch self {
    case .list(let route): try route.respond(in: transaction.database)
    case .read(let route): try route.respond(in: transaction.database)
    case .write(let route): try route.respond(in: transaction, &schemas)
    }
  }

  /// No version at all means 3.0.0 (wire 3).
  static func version(of request: TableRequest, _ query: QueryItems) throws(RequestError) -> ProtocolVersion {
    guard let text = request.headers[.apiVersion] ?? query[anyCase: ZumoHeader.apiVersionParameter] else {
      return .v3
    }
    if let version = ProtocolVersion(rawValue: text) { return version }
    guard let version = ProtocolVersion(header: text) else { throw .unsupportedVersion(text) }
    return version
  }
}

/// OPTIONS: which verbs a URL takes, and that batches are taken (wire 18.4). It needs no
/// version of the protocol.
enum OptionsRoute {
  static func respond(to request: TableRequest) throws(RequestError) -> TableResponse {
    let allowed: String
    if BatchRoute.root(of: request.path) != nil {
      allowed = "POST, OPTIONS"
    } else {
      switch try TableTarget(path: request.path) {
      case .collection: allowed = "GET, POST, OPTIONS"
      case .item: allowed = "GET, PATCH, PUT, DELETE, POST, OPTIONS"
      }
    }
    var response = TableResponse(.ok, headers: [.batch: BatchSupport.own.text])
    response.allow = allowed
    return response
  }
}

/// GET of one item (wire 6.6).
struct ReadRoute: Sendable {
  let table: ServedTable
  let id: RecordID
  let includesDeleted: Bool
  let version: ProtocolVersion

  func respond(in database: Database) throws -> TableResponse {
    let rows = StoredTable(try TableSchema(of: table, in: database))
    guard let record = try rows.record(id, in: database) else { throw RequestError.noSuchItem }
    guard includesDeleted || !record.system.deleted else {
      throw version == .v2 ? RequestError.noSuchItem : RequestError.itemDeleted
    }
    return TableResponse(.ok, item: record)
  }
}
