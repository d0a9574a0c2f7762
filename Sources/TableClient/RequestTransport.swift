package import NIOHTTP1
package import OfflineSync

/// The way of requests to one server, and of its answers back. Calls block.
package protocol RequestTransport: Sendable {
  /// Of all requests so far.
  var traffic: Traffic { get }

  /// Says that `width` requests are made at once after the next one, which is made by itself: their connections may
  /// open with its own.
  func expect(atOnce width: Int)

  /// Makes one request by itself.
  func answer(to exchange: HTTPExchange) throws(RemoteFailure) -> ServerAnswer

  /// Makes requests, at most `width` at once, and reports the outcomes in the order of the requests. `next` is called
  /// just before a request leaves, and not again once it has returned nil. If `receive` returns false, no further
  /// request begins, and those under way are finished.
  func exchange(atOnce width: Int, _ next: () -> HTTPExchange?, receive: (HTTPOutcome) -> Bool)

  /// Ends all requests under way with a failure. From any thread.
  func interrupt()
}

package typealias HTTPOutcome = Result<ServerAnswer, RemoteFailure>

extension RequestTransport {
  package func expect(atOnce width: Int) {}

  /// Makes one request for each of the elements and reports the outcome with it.
  func exchange<Element>(
    _ elements: some Collection<Element>, atOnce width: Int, _ make: (Element) -> HTTPExchange?,
    receive: (Element, HTTPOutcome) -> Bool
  ) {
    var left = elements[...]
    var underWay: ArraySlice<Element> = []
    exchange(atOnce: width) {
      while let element = left.popFirst() {
        guard let exchange = make(element) else { continue }
        underWay.append(element)
        return exchange
      }
      return nil
    } receive: { outcome in
      underWay.popFirst().map { receive($0, outcome) } ?? false
    }
  }
}

/// One request as it goes out.
package struct HTTPExchange: Sendable {
  package var method: HTTPMethod
  /// From the server's root on, with the query.
  package var path: String
  package var headers: HTTPHeaders
  package var body: [UInt8]?
}
