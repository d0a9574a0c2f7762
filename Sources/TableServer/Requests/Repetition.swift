import Crypto
import HTTPTypes
import TableProtocol

/// The mark of a write that a client may send again without doing it twice: the standard "Repeatable Requests" 1.0 of
/// OASIS (wire 7.6).
struct Repetition: Hashable, Sendable {
  /// For how long an answer is kept, in milliseconds.
  static let window: Int64 = 86_400_000
  /// How far the clock of a client may be ahead, in milliseconds.
  static let largestLead: Int64 = 3_600_000
  /// Answers that are kept of one list; then the oldest ones go.
  static let mostKept = 10_000
  /// Bytes of their bodies. Small changes of a large item, again and again, must not fill the disk.
  static let mostBytes = 33_554_432
  /// Of a body that is not looked at for that: so many of these are less.
  static let smallBody = 4_096
  static let longestID = 200

  /// Of the client, if it says one, and of the request.
  let id: String
  /// By the clock of the client.
  let firstSent: Timestamp
  /// A hash of all that the request asks for.
  let fingerprint: [UInt8]

  /// Nil for a request that does not say that it may come again.
  init?(_ request: TableRequest) throws(RequestError) {
    let (id, sent) = (request.headers[.repeatabilityID], request.headers[.repeatabilityFirstSent])
    guard id != nil || sent != nil else { return nil }
    let client = request.headers[.repeatabilityClient] ?? ""
    guard let id, id.isHeaderWord(atMost: Self.longestID),
      client.isEmpty || client.isHeaderWord(atMost: Self.longestID), let sent, let firstSent = Timestamp(httpDate: sent)
    else { throw .repetition(.unreadable) }
    self.id = "\(client) \(id)"
    self.firstSent = firstSent
    fingerprint = Self.fingerprint(of: request)
  }

  /// Throws if it can't be known whether the request was done: its answer may be gone by now.
  func checkAge(now: Timestamp, keptAfter: Timestamp?) throws(RequestError) {
    guard firstSent > now.advanced(byMilliseconds: -Self.window), firstSent > keptAfter ?? .init(milliseconds: .min)
    else { throw .repetition(.tooOld) }
    guard firstSent <= now.advanced(byMilliseconds: Self.largestLead) else { throw .repetition(.notYet) }
  }

  private static func fingerprint(of request: TableRequest) -> [UInt8] {
    var hash = SHA256()
    var parts = [request.method.rawValue, request.target]
    parts += [.apiVersion, .columns, .database].map { request.headers[$0] ?? "" }
    parts += [.ifMatch, .ifNoneMatch, .ifUnmodifiedSince].map { request.headers[$0] ?? "" }
    for part in parts {
      hash.update(data: Array(part.utf8))
      // No header and no URL has one.
      hash.update(data: [0])
    }
    hash.update(data: request.body)
    return Array(hash.finalize())
  }
}

/// Why a request that says that it may be repeated is refused. Nothing of it was run now.
enum RepetitionError: Hashable, Sendable {
  /// A header is missing, or can't be read.
  case unreadable
  /// It was first sent before the time that answers are kept for.
  case tooOld
  /// It was first sent in the future.
  case notYet
  /// Another request had this id.
  case differs
  /// This kind of request can't be repeated in this way.
  case unsupported
}
