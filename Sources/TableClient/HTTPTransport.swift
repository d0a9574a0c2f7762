import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import OfflineSync
import Synchronization

/// One request as it goes out.
struct HTTPExchange {
  var method: HTTPMethod
  var url: String
  var headers: HTTPHeaders
  var body: [UInt8]?
}

/// Makes requests and waits for their answers, over connections that are kept.
///
/// Must be called from a thread that may block; nothing is opened before the first request, so that
/// a program that never syncs pays nothing.
final class HTTPTransport: Sendable {
  /// An answer is read up to this many bytes.
  private static let largestAnswer = 64 * 1_024 * 1_024

  private struct State {
    var client: HTTPClient?
    var traffic = Traffic()
  }

  private let limits: TimeLimits
  private let state = Mutex(State())

  init(limits: TimeLimits) {
    self.limits = limits
  }

  deinit {
    state.withLock { state in
      state.client?.shutdown { _ in }
    }
  }

  var traffic: Traffic { state.withLock(\.traffic) }

  /// Throws `RemoteFailure`. A request that only reads is tried once more when a connection that was
  /// kept turns out to be closed.
  func answer(to exchange: HTTPExchange) throws(RemoteFailure) -> HTTPClient.Response {
    do {
      return try attempt(exchange)
    } catch {
      if exchange.method == .GET, error as? HTTPClientError == .remoteConnectionClosed {
        do { return try attempt(exchange) } catch { throw RemoteFailure(error, method: exchange.method) }
      }
      throw RemoteFailure(error, method: exchange.method)
    }
  }

  private func attempt(_ exchange: HTTPExchange) throws -> HTTPClient.Response {
    let request = try HTTPClient.Request(
      url: exchange.url, method: exchange.method, headers: exchange.headers,
      body: exchange.body.map { .bytes($0) })
    let accumulator = ResponseAccumulator(request: request, maxBodySize: Self.largestAnswer)
    count { traffic in
      traffic.requests += 1
      traffic.bytesSent += exchange.body?.count ?? 0
    }
    let deadline = NIODeadline.now() + .seconds(limits.wholeRequest)
    let response = try client().execute(request: request, delegate: accumulator, deadline: deadline).wait()
    count { $0.bytesReceived += response.body?.readableBytes ?? 0 }
    return response
  }

  private func count(_ change: (inout Traffic) -> Void) {
    state.withLock { change(&$0.traffic) }
  }

  private func client() -> HTTPClient {
    state.withLock { state in
      if let client = state.client { return client }
      var configuration = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .seconds(limits.connecting), read: .seconds(limits.silence)))
      // The program tells the user and tries again when asked; it does not hide a dead server behind retries.
      configuration.connectionPool.retryConnectionEstablishment = false
      let client = HTTPClient(
        eventLoopGroupProvider: .shared(MultiThreadedEventLoopGroup.singleton), configuration: configuration)
      state.client = client
      return client
    }
  }
}

/// How long a request may take, in seconds.
package struct TimeLimits: Sendable, Hashable {
  package var connecting: Int64
  /// Without a byte arriving.
  package var silence: Int64
  package var wholeRequest: Int64

  package init(connecting: Int64 = 10, silence: Int64 = 30, wholeRequest: Int64 = 120) {
    self.connecting = connecting
    self.silence = silence
    self.wholeRequest = wholeRequest
  }
}
