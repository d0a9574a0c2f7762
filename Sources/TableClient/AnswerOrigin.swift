import NIOHTTP1
import OfflineSync
import TableProtocol

/// Distinguishes the server's answers from those of others: the sign-in page of a network, a proxy, another program at
/// the same address (sync-rules A16, D1).
struct AnswerOrigin: Sendable {
  /// The identity of the server's database, if it is one of ours: then every answer has to announce one.
  let database: String?
  /// True if the columns were asked for under the server's own names.
  var hasOwnNames = true
  /// True if a token was sent.
  var hasToken = false
  /// The user whom the request was meant for, if it said so.
  var user: String?

  /// Statuses that a proxy before the server gives by itself, about the way to it and not about the request.
  private static let ofTheWay: Set<Int> = [408, 413, 429, 502, 503, 504]
  /// Statuses that say enough if the body can't be read.
  private static let withoutBody = ofTheWay.union([401, 403])

  /// Returns the failure for an answer that is not the server's; nil for one that may be. `mayHaveActed` is false for a
  /// GET, a redirect, 421 and 511.
  func failure(_ answer: ServerAnswer, to method: HTTPMethod) -> RemoteFailure? {
    switch answer.status {
    case 421 where database != nil && answer.database == database:
      // The right database, in another state.
      return RemoteFailure(.otherEpoch, mayHaveActed: false)
    case 421 where answer.database == nil:
      // One of ours says by which names it may be called, and a proxy that the connection was meant for another one.
      let reason = ErrorBody.message(in: answer.body).map { RemoteFailure.Reason.serverError(status: 421, message: $0) }
      return RemoteFailure(reason ?? .notTheServer("it is not meant for this address (421)"), mayHaveActed: false)
    case 300..<400:
      return RemoteFailure(.notTheServer("it sends us elsewhere (\(answer.status))"), mayHaveActed: false)
    case 511:
      return RemoteFailure(.notTheServer("the network wants a sign-in (511)"), mayHaveActed: false)
    case let status where status != 421 && isOfOther(answer):
      return RemoteFailure(.otherDatabase, mayHaveActed: method != .GET)
    // Before anything is made of its body, also if the server's headers are there. A page is that of a portal,
    // compressed or not: our servers answer in JSON.
    case let status where answer.isCompressed && !Self.withoutBody.contains(status):
      let reason = answer.isPage ? RemoteFailure.Reason.notTheServer(answer.kind) : .alteredAnswer(.compressed)
      return RemoteFailure(reason, mayHaveActed: method != .GET)
    default:
      if let alteration = alteration(answer) {
        return RemoteFailure(.alteredAnswer(alteration), mayHaveActed: method != .GET)
      }
      guard isForeign(answer) else { return nil }
      if let failure = explained(answer, to: method) { return failure }
      return RemoteFailure(.notTheServer(answer.kind), mayHaveActed: method != .GET)
    }
  }

  /// Why nothing may be taken from an answer of one of our servers, which says itself how it understood the request.
  private func alteration(_ answer: ServerAnswer) -> RemoteFailure.Alteration? {
    guard 200..<300 ~= answer.status, answer.database != nil else { return nil }
    if hasToken && answer.headers[ZumoHeader.token] == "none" { return .tokenRemoved }
    if let user, let token = answer.user, token != user { return .headersRemoved }
    if !hasOwnNames { return .ownColumns }
    return answer.hasOtherNames ? .headersRemoved : nil
  }

  /// Returns a more precise failure if it is known what changed the answer.
  private func explained(_ answer: ServerAnswer, to method: HTTPMethod) -> RemoteFailure? {
    let mayHaveActed = method != .GET
    guard database != nil else { return nil }
    switch answer.status {
    case 200 where answer.isList: return RemoteFailure(.alteredAnswer(.headersRemoved), mayHaveActed: mayHaveActed)
    // A proxy before the server says who may pass, or that it has no way there. A sign-in page is no JSON (Q20).
    case 401 where answer.isJSONObject, 403 where answer.isJSONObject:
      let reason = RemoteFailure.Reason.refusedOnTheWay(status: answer.status, message: answer.message)
      return RemoteFailure(reason, mayHaveActed: mayHaveActed)
    case 404 where answer.isJSONObject, 405 where answer.isJSONObject, 500 where answer.isJSONObject:
      return RemoteFailure(RemoteFailure(answer: answer).reason, mayHaveActed: mayHaveActed, concernsAll: true)
    default: return nil
    }
  }

  /// True if the answer names another database than the request was meant for: its server was put behind this address,
  /// or does not look at what a request says.
  private func isOfOther(_ answer: ServerAnswer) -> Bool {
    guard let database, let named = answer.database else { return false }
    return named != database
  }

  private func isForeign(_ answer: ServerAnswer) -> Bool {
    if database != nil {
      return answer.database == nil && !Self.ofTheWay.contains(answer.status)
    }
    return switch answer.status {
    case 200..<300: !answer.body.isEmpty && !answer.mayBeJSON
    case 401, 403: answer.isPage
    default: false
    }
  }
}

extension AnswerOrigin {
  init(_ headers: ClientHeaders) {
    self.init(
      database: headers.database, hasOwnNames: headers.hasOwnNames, hasToken: headers.signIn?.token.isEmpty == false,
      user: headers.signIn?.userName)
  }
}

extension ServerAnswer {
  /// A few words of what it is.
  var kind: String {
    let type = headers["content-type"].map { $0.prefix { $0 != ";" }.prefix(60).filter { !$0.isWhitespace } }
    let what =
      if let type, !type.isEmpty { type } else if body.isEmpty { "no content" } else { isPage ? "a page" : "text" }
    return "\(what), status \(status)"
  }

  /// HTML, by its type or by how it begins.
  var isPage: Bool {
    let type = headers["content-type"]?.lowercased() ?? ""
    return type.contains("html") || firstByte == UInt8(ascii: "<")
  }

  /// Compressed, by its header or by how gzip begins. Each request asks for an answer that is not. Some servers name a
  /// character set there: that is no compression.
  var isCompressed: Bool {
    let codings = (headers["content-encoding"] ?? "").lowercased().split { $0 == "," || $0 == " " }
    return codings.contains(where: Self.compressions.contains) || body.starts(with: [0x1F, 0x8B])
  }

  /// The content codings of IANA's list that compress.
  private static let compressions: Set<Substring> = [
    "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "dcb", "dcz",
  ]

  /// Its columns have names that clients made for other servers (wire 1.1).
  fileprivate var hasOtherNames: Bool { headers[ZumoHeader.columns]?.lowercased() == "other" }

  /// A list with at least one item.
  fileprivate var isList: Bool { (try? ListBody(json: body))?.items.isEmpty == false }

  fileprivate var isJSONObject: Bool { firstByte == UInt8(ascii: "{") && mayBeJSON }

  var isUTF8: Bool { (try? UTF8Span(validating: body.span)) != nil }

  /// JSON, perhaps broken: text and pages are none.
  var mayBeJSON: Bool {
    switch firstByte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return true
    default:
      guard var reader = try? JSONReader(body) else { return false }
      return (try? reader.raw()) != nil && (try? reader.end()) != nil
    }
  }

  /// The first byte that means something.
  private var firstByte: UInt8? {
    let start = body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return body[start...].first { $0 > 0x20 }
  }
}
