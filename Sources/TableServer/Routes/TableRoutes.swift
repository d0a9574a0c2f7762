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
    var response: TableResponse
    do {
      try store.identity.check(request.headers)
      response = try await answer(request)
    } catch let error as RequestError {
      response = TableResponse(error)
    } catch {
      logger.error("A request failed in the database: \(error)")
      response = TableResponse(.storeFailed)
    }
    response.headers[.database] = store.identity.text
    return response
  }

  private func answer(_ request: TableRequest) async throws -> TableResponse {
    if request.method == .options { return try OptionsRoute.respond(to: request) }
    if let root = BatchRoute.root(of: request.path) {
      _ = try TableRoute.version(of: request, QueryItems(request.query))
      let route = try BatchRoute(request, root: root, identity: store.identity, makeID: makeID)
      return try await store.write { try route.respond(in: $0) }
    }
    switch try TableRoute(request, makeID: makeID) {
    case .list(let route):
      return try await store.read { try route.respond(in: $0) }
    case .read(let route):
      return try await store.read { try route.respond(in: $0) }
    case .write(let route):
      return try await store.write { transaction in
        var schemas = SchemaCache()
        return try route.respond(in: transaction, &schemas)
      }
    }
  }
}

extension QueryItems {
  var includesDeleted: Bool { self[anyCase: "__includedeleted"]?.lowercased() == "true" }
}

extension HTTPField.Name {
  static let apiVersion = HTTPField.Name(ZumoHeader.apiVersion) ?? .userAgent
  static let zumoOptions = HTTPField.Name(ZumoHeader.options) ?? .userAgent
  static let zumoClientVersion = HTTPField.Name(ZumoHeader.clientVersion) ?? .userAgent
  static let batch = HTTPField.Name(ZumoHeader.batch) ?? .userAgent
  static let ordered = HTTPField.Name(ZumoHeader.ordered) ?? .userAgent
  static let database = HTTPField.Name(ZumoHeader.database) ?? .userAgent
  static let link = HTTPField.Name("Link") ?? .location
}
