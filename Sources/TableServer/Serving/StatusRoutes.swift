import HTTPTypes
import TableProtocol
import TableStorage

/// Requests about the server itself, not its tables: whether it lives, whether it can read, and its figures.
extension TableResponder {
  /// The answer to a request for the server's health; nil for another.
  ///
  /// Programs that watch a server reach it under addresses of their own. So these requests are answered under any host
  /// name: the answers say only that a server is here, which a refusal says too. They need no token and name no
  /// database.
  func health(_ route: ServerRoute, _ table: TableRequest, from address: String?) async throws -> TableResponse? {
    switch route {
    case .live:
      try Self.checkReading(table)
      return Self.plain(.ok, "live\n")
    case .ready:
      try Self.checkReading(table)
      guard !state.isStopping, let database = state.database else { return Self.notReady }
      try database.gatekeeper.admitStranger(from: address)
      do {
        try await withTimeLimit(state.longestLook) { try await database.routes.storage.checkReady() }
      } catch {
        return Self.notReady
      }
      return Self.plain(.ok, "ready\n")
    case .list, .item, .batch, .overview, .join, .page, .document, .feed, .metrics, .other: return nil
    }
  }

  /// The figures, for a token of their scope, or for everybody where nobody needs one.
  func figures(_ table: TableRequest, from address: String?, _ gatekeeper: Gatekeeper) async throws -> TableResponse {
    try Self.checkReading(table)
    _ = try await gatekeeper.admit(table, from: address, for: .metrics)
    let text = state.figures.text(
      connections: state.connections.count, streams: state.database?.streams.count ?? 0,
      databaseBytes: state.databaseSize)
    return Self.plain(.ok, text, contentType: PrometheusMetrics.contentType)
  }

  private static func checkReading(_ table: TableRequest) throws(RequestError) {
    guard table.method == .get || table.method == .head else { throw .methodNotAllowed(allowed: "GET, HEAD") }
  }

  private static var notReady: TableResponse {
    var response = plain(.serviceUnavailable, "not ready\n")
    response.headers[.retryAfter] = "1"
    return response
  }

  private static func plain(
    _ status: HTTPResponse.Status, _ text: String, contentType: String = "text/plain; charset=utf-8"
  ) -> TableResponse {
    TableResponse(status, headers: [.contentType: contentType], body: Array(text.utf8))
  }
}
