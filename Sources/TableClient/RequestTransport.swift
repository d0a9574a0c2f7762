package import NIOHTTP1
package import OfflineSync

/// The way of requests to one server, and of its answers back. Calls block.
package protocol RequestTransport: Sendable {
  /// Of all requests so far.
  var traffic: Traffic { get }

  /// Makes one request that only reads.
  func answer(to exchange: HTTPExchange) throws(RemoteFailure) -> ServerAnswer

  /// Makes `count` requests, at most `width` at once, and reports the outcomes in the order of the requests. `make` is
  /// called just before a request leaves; if it returns nil, the request is left out. If `receive` returns false, no
  /// further request begins, and those under way are finished.
  func exchange(
    _ count: Int, atOnce width: Int, _ make: (Int) -> HTTPExchange?, receive: (Int, HTTPOutcome) -> Bool)

  /// Ends all requests under way with a failure. From any thread.
  func interrupt()
}

package typealias HTTPOutcome = Result<ServerAnswer, RemoteFailure>

/// One request as it goes out.
package struct HTTPExchange: Sendable {
  package var method: HTTPMethod
  /// From the server's root on, with the query.
  package var path: String
  package var headers: HTTPHeaders
  package var body: [UInt8]?
}
