import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TableProtocol

/// What a server answered, alone or within a batch.
struct ServerAnswer: Sendable, Hashable {
  var status: Int
  /// Names in lower case; of a name that is there several times, the first.
  var headers: [String: String]
  var body: [UInt8]
  /// Seconds for which the server wants to be left alone, when it said.
  private(set) var retryAfter: Int?

  init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
    retryAfter = RetryAfter.seconds(in: headers, now: nil)
  }

  /// `now` is UTC.
  init(_ response: HTTPClient.Response, now: Timestamp) {
    status = Int(response.status.code)
    headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
    body = response.body.map { Array($0.readableBytesView) } ?? []
    retryAfter = RetryAfter.seconds(in: headers, now: now)
  }

  /// An answer within the answer to a batch.
  init(_ response: BatchResponse) {
    self.init(status: response.status, headers: response.headers, body: response.body ?? [])
  }

  /// What the whole table comes to, on an answer that tells.
  var digest: TableDigest? {
    guard let count = headers[ZumoHeader.count], let checksum = headers[ZumoHeader.checksum] else { return nil }
    return TableDigest(count: count, checksum: checksum)
  }

  /// The state that the server's database goes on from, on an answer that announces it.
  var epoch: DatabaseEpoch? { headers[ZumoHeader.epoch].flatMap { DatabaseEpoch($0) } }

  /// The server's own words about an error, short enough to show.
  var message: String {
    ErrorBody.message(in: body) ?? HTTPResponseStatus(statusCode: status).reasonPhrase
  }
}
