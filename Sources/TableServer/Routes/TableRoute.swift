import HTTPTypes
import TableProtocol
import TableStorage

/// One request, read and checked before the database is touched.
enum TableRoute: Sendable {
  case list(ListRoute)
  case read(ReadRoute)
  case write(WriteRoute)

  init(_ request: TableRequest, _ policy: TablePolicy, makeID: () -> String) throws(RequestError) {
    let (target, query, version) = try Self.head(of: request, policy)
    switch (target, request.method) {
    case (.collection(let table), .get):
      self = .list(try ListRoute(request, query, table: table, version: version, policy))
    case (.item(let table, let id), .get):
      self = .read(try ReadRoute(request, query, table: table, id: id, version: version, policy))
    case (.collection, _), (.item, _):
      self = .write(try WriteRoute(request, query, target: target, version: version, policy, makeID: makeID))
    }
  }

  /// Reads the request up to its body.
  static func head(
    of request: TableRequest, _ policy: TablePolicy
  ) throws(RequestError) -> (TableTarget, QueryItems, ProtocolVersion) {
    let target = try TableTarget(path: request.path, policy)
    guard target.methods.contains(request.method) else { throw .methodNotAllowed(allowed: target.verbs) }
    let query = QueryItems(request.query)
    return (target, query, try version(of: request, query))
  }

  var table: ServedTable {
    switch self {
    case .list(let route): route.table
    case .read(let route): route.table
    case .write(let route): route.table
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
  func respond(in transaction: ListTransaction) throws -> TableResponse {
    switch self {
    case .list(let route): try route.respond(in: transaction.list)
    case .read(let route): try route.respond(in: transaction.list)
    case .write(let route): try route.respond(in: transaction)
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

/// GET of one item (wire 6.6).
struct ReadRoute: Sendable {
  let table: ServedTable
  let id: RecordID
  private let includesDeleted: Bool
  private let preconditions: Preconditions
  private let version: ProtocolVersion
  private let names: ColumnNames

  /// Clients of 2.0.0 know no conditions of reading, and get the item whatever a cache on the way adds (wire 8).
  init(
    _ request: TableRequest, _ query: QueryItems, table: ServedTable, id: RecordID, version: ProtocolVersion,
    _ policy: TablePolicy
  ) throws(RequestError) {
    self.table = table
    self.id = id
    self.version = version
    includesDeleted = query.includesDeleted
    names = policy.answeredNames(of: table, request.headers)
    preconditions = version == .v3 ? try Preconditions(request.headers) : .none
  }

  func respond(in list: any StoredList) throws -> TableResponse {
    guard let row = try list.row(id) else { return TableResponse(RowOutcome(.missing, nil), version) }
    let isHidden = row.system.deleted && !includesDeleted
    return TableResponse(RowOutcome(isHidden ? .hidden : preconditions.reading(row), row), version, names)
  }
}

extension QueryItems {
  var includesDeleted: Bool { self[anyCase: "__includedeleted"]?.lowercased() == "true" }
}
