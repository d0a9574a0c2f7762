import AsyncHTTPClient
import NIOCore
import NIOHTTP1
package import TableProtocol

/// An answer of a server, alone or within a batch.
package struct ServerAnswer: Sendable, Hashable {
  var status: Int
  /// Names in lower case; of a name that is there several times, the first.
  var headers: HeaderFields
  var body: [UInt8]
  /// Seconds to wait before the next request; nil if the answer does not say.
  private(set) var retryAfter: Int?

  package init(status: Int, headers: HeaderFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
    retryAfter = RetryAfter.seconds(in: headers, now: nil)
  }

  /// `now` is UTC.
  init(_ response: HTTPClient.Response, now: Timestamp) {
    self.init(response.status, response.headers, response.body.map { Array($0.readableBytesView) } ?? [], now: now)
  }

  /// The head of an answer, whose body is not read. `now` is UTC.
  init(_ head: HTTPResponseHead, now: Timestamp) {
    self.init(head.status, head.headers, [], now: now)
  }

  private init(_ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ body: [UInt8], now: Timestamp) {
    self.status = Int(status.code)
    headers = HeaderFields(fields.lazy.map { ($0.name.lowercased(), $0.value) })
    self.body = body
    retryAfter = RetryAfter.seconds(in: headers, now: now)
  }

  /// An answer within the answer to a batch.
  init(_ response: BatchResponse) {
    self.init(status: response.status, headers: response.headers, body: response.body ?? [])
  }

  /// The digest of the whole table; nil if the answer has none.
  var digest: TableDigest? {
    guard let count = headers[ZumoHeader.count], let checksum = headers[ZumoHeader.checksum] else { return nil }
    return TableDigest(count: count, checksum: checksum)
  }

  /// The identity of the server's database; nil if the answer has none, or one that no request could carry back.
  var database: String? {
    headers[ZumoHeader.database].flatMap { $0.isHeaderWord(atMost: 200) ? $0 : nil }
  }

  /// The server's name for the user of the token; nil if the answer has none, or one that no request could carry back.
  var user: String? {
    headers[ZumoHeader.user].flatMap { $0.isHeaderWord(atMost: ZumoHeader.longestUserName) ? $0 : nil }
  }

  /// The epoch of the server's database; nil if the answer has none.
  var epoch: DatabaseEpoch? { headers[ZumoHeader.epoch].flatMap { DatabaseEpoch($0) } }

  /// The effect of the request on the table; nil if the answer does not say.
  var move: ListMove? { headers[ZumoHeader.moved].flatMap { ListMove($0) } }

  /// True if a server of ours had too many wrong tokens from here, of which this is one (wire 13): to wait does not
  /// make it right.
  var hasTooManyWrongTokens: Bool {
    status == 429 && database != nil && headers["www-authenticate"]?.contains("invalid_token") == true
  }

  /// The server's own words about an error, short enough to show.
  var message: String {
    ErrorBody.message(in: body) ?? HTTPResponseStatus(statusCode: status).reasonPhrase
  }
}

/// `Retry-After`: in seconds, or as the moment from which the server may be asked again (RFC 9110 10.2.3).
enum RetryAfter {
  /// A moment is counted from the answer's own `Date`, so that it does not matter if our clock is wrong; from
  /// `now` (UTC) where the answer has none. Nil when it says nothing that can be read. Names in lower case.
  static func seconds(in headers: HeaderFields, now: Timestamp?) -> Int? {
    guard let field = headers["retry-after"] else { return nil }
    if !field.isEmpty, field.utf8.allSatisfy(\.isDigit) {
      return min(Int(field) ?? longest, longest)
    }
    guard let moment = Timestamp(httpDate: field),
      let start = headers["date"].flatMap({ Timestamp(httpDate: $0) }) ?? now
    else { return nil }
    return min(Int(max(0, moment.milliseconds - start.milliseconds + 999) / 1_000), longest)
  }

  /// A day: a server that asks for more is not taken at its word.
  private static let longest = 86_400
}

/// The time of a server's clock in an answer, beside that of ours when the answer came. Both are UTC.
package struct ServerClock: Sendable, Hashable {
  /// In whole seconds (RFC 9110 6.6.1).
  package let there: Timestamp
  package let here: Timestamp

  /// Milliseconds by which the server's clock is ahead of ours, negative where it is behind; right to a second and
  /// the time the answer took.
  package var ahead: Int64 { there.milliseconds - here.milliseconds }

  /// Nil for an answer that has no date, or none that can be read.
  init?(_ answer: ServerAnswer, now: Timestamp) {
    guard let date = answer.headers["date"].flatMap({ Timestamp(httpDate: $0) }) else { return nil }
    there = date
    here = now
  }
}
