import GRDB
import HTTPTypes
import Logging
import TableProtocol

/// Answers requests of the table protocol. Knows no socket: a batch may ask it the same way.
struct TableRoutes: Sendable {
  let store: ServerStore
  let makeID: @Sendable () -> String
  let logger: Logger
  let order: BatchOrder

  func respond(to request: TableRequest) async -> TableResponse {
    do {
      try store.identity.check(request.headers)
      return identified(try await answer(request))
    } catch let error as RequestError {
      return refuse(request, error)
    } catch {
      logger.error("A request failed in the database: \(error)")
      return refuse(request, .storeFailed)
    }
  }

  /// Answers with an error. A batch that is refused holds up none of those after it.
  func refuse(_ request: TableRequest, _ error: RequestError) -> TableResponse {
    if BatchRoute.root(of: request.path) != nil, let turn = try? BatchTurn(request.headers) { order.finish(turn) }
    return identified(TableResponse(error))
  }

  private func identified(_ response: TableResponse) -> TableResponse {
    var response = response
    response.headers[.database] = store.identity.text
    return response
  }

  private func answer(_ request: TableRequest) async throws -> TableResponse {
    if request.method == .options { return try OptionsRoute.respond(to: request) }
    if let root = BatchRoute.root(of: request.path) { return try await answerBatch(request, root) }
    switch try TableRoute(request, makeID: makeID) {
    case .list(let route):
      let answer = try await store.read { try route.respondAlone(in: $0) }
      if let check = answer.check { await store.settle(check, logger: logger) }
      return answer.response
    case .read(let route):
      return try await store.read { try route.respond(in: $0) }
    case .write(let route):
      return try await store.write { transaction in
        try StoredEpoch.check(request.headers, in: transaction.database)
        var schemas = SchemaCache()
        return try route.respond(in: transaction, &schemas)
      }
    }
  }

  /// The batch is read before it waits for its turn: of several, one is read while another is written.
  private func answerBatch(_ request: TableRequest, _ root: Substring) async throws -> TableResponse {
    _ = try TableRoute.version(of: request, QueryItems(request.query))
    let turn = try BatchTurn(request.headers)
    let route = try BatchRoute(request, root: root, identity: store.identity, makeID: makeID)
    if let turn { await order.wait(for: turn) }
    defer { if let turn { order.finish(turn) } }
    return try await store.write { transaction in
      try StoredEpoch.check(request.headers, in: transaction.database)
      return try route.respond(in: transaction)
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
  static let count = HTTPField.Name(ZumoHeader.count) ?? .userAgent
  static let checksum = HTTPField.Name(ZumoHeader.checksum) ?? .userAgent
  static let verify = HTTPField.Name(ZumoHeader.verify) ?? .userAgent
  static let damaged = HTTPField.Name(ZumoHeader.damaged) ?? .userAgent
  static let epoch = HTTPField.Name(ZumoHeader.epoch) ?? .userAgent
  static let newest = HTTPField.Name(ZumoHeader.newest) ?? .userAgent
  static let behind = HTTPField.Name(ZumoHeader.behind) ?? .userAgent
  static let sequence = HTTPField.Name(ZumoHeader.sequence) ?? .userAgent
  static let link = HTTPField.Name("Link") ?? .location
}
