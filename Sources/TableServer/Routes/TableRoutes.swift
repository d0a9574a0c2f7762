import GRDB
import HTTPTypes
import Logging
import TableProtocol

/// Answers requests of the table protocol. Knows no socket: a batch may ask it the same way.
struct TableRoutes: Sendable {
  let store: ServerStore
  let makeID: @Sendable () -> String
  let logger: Logger

  func respond(to request: TableRequest) async -> TableResponse {
    do {
      return try await answer(request)
    } catch let error as RequestError {
      return TableResponse(error)
    } catch {
      logger.error("A request failed in the database: \(error)")
      return TableResponse(.storeFailed)
    }
  }

  private func answer(_ request: TableRequest) async throws -> TableResponse {
    let target = try TableTarget(path: request.path)
    let query = QueryItems(request.query)
    let version = try Self.version(of: request, query)
    switch (target, request.method) {
    case (.collection(let table), .get):
      let route = try ListRoute(request, query, table: table, version: version)
      return try await store.read { try route.respond(in: $0) }
    case (.item(let table, let id), .get):
      let route = ReadRoute(table: table, id: id, includesDeleted: query.includesDeleted, version: version)
      return try await store.read { try route.respond(in: $0) }
    default:
      let route = try WriteRoute(request, query, target: target, version: version, makeID: makeID)
      return try await store.write { try route.respond(in: $0) }
    }
  }

  /// No version at all means 3.0.0 (table-protocol 3).
  private static func version(of request: TableRequest, _ query: QueryItems) throws(RequestError) -> ProtocolVersion {
    guard let text = request.headers[.apiVersion] ?? query[anyCase: ZumoHeader.apiVersionParameter] else {
      return .v3
    }
    guard let version = ProtocolVersion(header: text) else { throw .unsupportedVersion(text) }
    return version
  }
}

extension QueryItems {
  var includesDeleted: Bool { self[anyCase: "__includedeleted"]?.lowercased() == "true" }
}

extension HTTPField.Name {
  static let apiVersion = HTTPField.Name(ZumoHeader.apiVersion) ?? .userAgent
  static let zumoOptions = HTTPField.Name(ZumoHeader.options) ?? .userAgent
  static let zumoClientVersion = HTTPField.Name(ZumoHeader.clientVersion) ?? .userAgent
  static let link = HTTPField.Name("Link") ?? .location
}
