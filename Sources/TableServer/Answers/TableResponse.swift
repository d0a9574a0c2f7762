package import HTTPTypes
import TableProtocol
import TableStorage

/// An answer as far as the table protocol goes.
package struct TableResponse: Sendable {
  package var status: HTTPResponse.Status
  package var body: [UInt8]
  // The headers that the answer to an entry of a batch may have, each by itself: there are thousands of
  // those, and making ``HTTPFields`` for each takes longer than writing its row.
  var allow: String?
  var eTag: String?
  var link: String?
  var location: String?
  /// Of one item, in 3.0.0. Not written to the answers of a batch's entries, whose items have `updatedAt`.
  private var lastModified: Timestamp?
  /// Whether a request that says that it may be repeated was accepted as such.
  private(set) var isRepeatable: Bool?
  /// True for a list that goes on nowhere.
  var isLastPage = false
  /// Headers of a whole answer only.
  var headers: HTTPFields

  init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An item goes with its version as a strong tag: old clients take the version from there
  /// (wire 4).
  init(_ outcome: RowOutcome, _ version: ProtocolVersion, _ names: ColumnNames = .none) {
    switch AnswerTable.answer(outcome.kind, version) {
    case .item(let status):
      self.init(status, body: outcome.row?.json(names) ?? [])
      tag(with: outcome.row, version)
    case .notModified:
      self.init(.notModified)
      tag(with: outcome.row, version)
    case .nothing(let status):
      self.init(status)
    case .refusal(let error):
      self.init(error)
    }
  }

  private mutating func tag(with row: Record?, _ version: ProtocolVersion) {
    eTag = row?.system.version?.entityTag
    if version == .v3 { lastModified = row?.lastModified }
  }

  init(_ error: RequestError) {
    let status = AnswerTable.status(error)
    self.init(status, body: ErrorBody.bytes(title: status.reasonPhrase, detail: error.message))
    if case .methodNotAllowed(let allowed) = error { allow = allowed }
    // Tells such a 415 from that of a wrong type (RFC 9110, 15.5.16).
    if error == .body(.encoded) { headers[.acceptEncoding] = "identity" }
    if case .repetition = error { isRepeatable = false }
    if status == .unauthorized || error.isOfWrongTokens {
      // Said of a token that was shown, and not to a request without one (RFC 6750, 3.1).
      let reason = error == .access(.noToken) ? "" : ", error=\"invalid_token\""
      headers[.wwwAuthenticate] = "Bearer realm=\"ebb\"\(reason)"
    }
    headers[.retryAfter] = AnswerTable.retryAfter(error).map(String.init)
  }

  var isError: Bool { status.code >= 400 }

  /// The text of the header.
  var repeatability: String? { isRepeatable.map { $0 ? "accepted" : "rejected" } }

  /// The same as it is kept for a repetition.
  var kept: KeptAnswer {
    KeptAnswer(status: status.code, eTag: eTag, location: location, changedAt: lastModified, body: body)
  }

  init(_ kept: KeptAnswer) {
    self.init(HTTPResponse.Status(code: kept.status), body: kept.body)
    (eTag, location, lastModified) = (kept.eTag, kept.location, kept.changedAt)
    isRepeatable = true
  }

  /// Says that the same request may come again.
  mutating func accept() { isRepeatable = true }

  /// All headers, as they go onto a socket.
  package var allHeaders: HTTPFields {
    var all = headers
    if !all.contains(.cacheControl) { all.append(Self.notStored) }
    if body.isEmpty {
      all[.contentType] = nil
    } else if !all.contains(.contentType) {
      all.append(Self.json)
    }
    all.add(.allow, allow)
    all.add(.eTag, eTag)
    all.add(.repeatabilityResult, repeatability)
    all.add(.lastModified, lastModified?.httpDate)
    all.add(.link, link)
    all.add(.location, location)
    return all
  }

  private static let notStored = HTTPField(name: .cacheControl, value: "no-store")
  private static let json = HTTPField(name: .contentType, value: "application/json; charset=utf-8")
}

extension Record {
  fileprivate func json(_ names: ColumnNames) -> [UInt8] {
    guard !names.isEmpty else { return json() }
    var row = self
    row.values = names.others(values)
    return row.json()
  }
}

extension RequestError {
  /// True for 429 after too many wrong tokens: its sender needs another token, and not only time (RFC 9110, 11.6.1).
  fileprivate var isOfWrongTokens: Bool {
    if case .access(.tooManyAttempts) = self { true } else { false }
  }
}
