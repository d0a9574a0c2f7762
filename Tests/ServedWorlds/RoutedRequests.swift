import HTTPTypes
import InMemoryStorage
import NIOHTTP1
import OfflineSync
import Synchronization
import TableClient
import TableProtocol
import TableServer

/// Requests of the real client that go to the real routes over a list in memory, without a socket between.
final class RoutedRequests: RequestTransport {
  private let storage: MemoryStorage
  private let routes: TableRoutes
  private let hidesBatches: Bool
  private let state = Mutex<(traffic: Traffic, writes: [Record])>((Traffic(), []))

  /// - now: The time of the server's clock.
  /// - hidesBatches: Something on the way answers some batches with a page after the server has run them.
  init(_ storage: MemoryStorage, now: Timestamp, hidesBatches: Bool) {
    self.storage = storage
    self.hidesBatches = hidesBatches
    routes = TableRoutes(storage: storage, clock: { now }, makeID: { "made" })
  }

  var traffic: Traffic { state.withLock(\.traffic) }
  /// The rows that were written so far, in their order.
  var writes: [Record] { state.withLock(\.writes) }

  func answer(to exchange: HTTPExchange) throws(RemoteFailure) -> ServerAnswer {
    let before = storage.first.rows
    let request = try TableRequest(exchange)
    guard let response = InlineExecutor().run({ [routes] in await routes.respond(to: request) }) else {
      throw RemoteFailure(.unreachable("the server waits"), mayHaveActed: true)
    }
    let written = storage.first.rows.values.filter { before[$0.id] != $0 }
    state.withLock { state in
      state.traffic.requests += 1
      state.writes += written.sorted { ($0.system.updatedAt ?? .epoch) < ($1.system.updatedAt ?? .epoch) }
    }
    if hidesBatches, exchange.isBatch, exchange.isChosen { return Self.page }
    let headers = response.allHeaders.map { ($0.name.canonicalName, $0.value) }
    return ServerAnswer(
      status: response.status.code, headers: HeaderFields(headers), body: response.body)
  }

  func exchange(atOnce width: Int, _ next: () -> HTTPExchange?, receive: (HTTPOutcome) -> Bool) {
    while let exchange = next() {
      let outcome = Result { () throws(RemoteFailure) in try answer(to: exchange) }
      guard receive(outcome) else { return }
    }
  }

  func interrupt() {}

  private static let page = ServerAnswer(
    status: 200, headers: ["content-type": "text/html"], body: Array("<html>Blocked</html>".utf8))
}

extension HTTPExchange {
  fileprivate var isBatch: Bool { method == .POST && path.hasSuffix("/$batch") }
  /// Two of three, always the same ones.
  fileprivate var isChosen: Bool { (body?.count ?? 0) % 3 != 0 }
}

extension TableRequest {
  /// Throws if HTTP has no such request.
  fileprivate init(_ exchange: HTTPExchange) throws(RemoteFailure) {
    var headers = HTTPFields()
    for (name, value) in exchange.headers {
      guard let name = HTTPField.Name(name) else { throw Self.unsent }
      headers.append(HTTPField(name: name, value: value))
    }
    guard let method = HTTPRequest.Method(exchange.method.rawValue) else { throw Self.unsent }
    self.init(
      method: method, target: exchange.path, authority: "world.example", headers: headers, body: exchange.body ?? [])
  }

  private static var unsent: RemoteFailure {
    RemoteFailure(.serverError(status: 400, message: "no request of HTTP"), mayHaveActed: false)
  }
}
