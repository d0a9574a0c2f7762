import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import OfflineSync
import TableProtocol

/// What a server answered to a change, judged by its status and by what it brought
/// (table-protocol 9, 10.2). Nothing in it is trusted before it is read.
struct ChangeAnswer {
  private let response: HTTPClient.Response
  private let change: RemoteChange

  init(_ response: HTTPClient.Response, to change: RemoteChange) {
    self.response = response
    self.change = change
  }

  /// Throws `RemoteFailure` for an answer that does not settle the request.
  func interpreted() throws(RemoteFailure) -> RemoteAnswer {
    switch response.status.code {
    case 200..<300: return try accepted()
    case 409, 412: return .conflict(status: Int(response.status.code), record)
    case 404 where isInsert: throw RemoteFailure(response: response)
    case 404, 410: return .gone(status: Int(response.status.code))
    case 400, 402, 405..<408, 411, 413..<429, 430..<500:
      return .refused(status: Int(response.status.code), message: response.message)
    default: throw RemoteFailure(response: response)
    }
  }

  private var isInsert: Bool {
    if case .insert = change { true } else { false }
  }

  /// The server has done it. Without the stored record of an insert or update its version is not
  /// known; such an answer counts as none, and the next attempt finds out (offline-sync Q5, Q6).
  private func accepted() throws(RemoteFailure) -> RemoteAnswer {
    if case .delete = change { return .accepted(nil) }
    guard let record else {
      throw RemoteFailure(.badAnswer("the stored item is missing"), mayHaveActed: true)
    }
    return .accepted(record)
  }

  /// The server's copy of the record, if the answer holds one: an object with this very id and a
  /// version. One old server echoes the request after a duplicate insert; that has no version
  /// (table-protocol 7.1). A strong entity tag is newer than the body's version.
  private var record: Record? {
    let body = Data(response.body?.readableBytesView ?? ByteBufferView())
    guard var record = try? JSONDecoder().decode(Record.self, from: body), record.id == change.id else { return nil }
    if let tag = response.headers.first(name: "ETag").flatMap({ RecordVersion(entityTag: $0) }) {
      record.system.version = tag
    }
    guard record.system.version?.text.isEmpty == false else { return nil }
    return record
  }
}

extension HTTPClient.Response {
  /// The server's own words about an error, short enough to show.
  var message: String {
    body.flatMap { ErrorBody.message(in: Array($0.readableBytesView)) } ?? status.reasonPhrase
  }
}

extension RemoteFailure {
  /// An answer that is about the server or the user, not about one change.
  init(response: HTTPClient.Response) {
    let status = Int(response.status.code)
    let retryAfter = response.headers.first(name: "Retry-After").flatMap { Int($0) }
    switch status {
    case 300..<400: self.init(.badAnswer("it sends us elsewhere (\(status))"), mayHaveActed: false)
    case 401: self.init(.signInNeeded, mayHaveActed: false)
    case 403: self.init(.notAllowed, mayHaveActed: false)
    case 429, 503: self.init(.busy(status: status, retryAfter: retryAfter), mayHaveActed: false)
    case 408, 502, 504: self.init(.busy(status: status, retryAfter: retryAfter), mayHaveActed: true)
    default: self.init(.serverError(status: status, message: response.message), mayHaveActed: status >= 500)
    }
  }
}
