import HTTPTypes
import TableProtocol

/// A header that this server reads or writes and that HTTP's own library does not name. No other place makes a name of
/// a text.
struct Header: Sendable {
  let text: String
  /// Never nil: a test asks for all of them.
  let name: HTTPField.Name?

  private init(_ text: String) {
    self.text = text
    name = HTTPField.Name(text)
  }

  /// The name of a header that an entry of a batch has; nil if it is none.
  static func name(ofEntry text: String) -> HTTPField.Name? { HTTPField.Name(text) }
}

/// The headers of the table protocol.
extension Header {
  static let authentication = Header(ZumoHeader.authentication)
  static let apiVersion = Header(ZumoHeader.apiVersion)
  static let zumoOptions = Header(ZumoHeader.options)
  static let zumoClientVersion = Header(ZumoHeader.clientVersion)
  static let batch = Header(ZumoHeader.batch)
  static let database = Header(ZumoHeader.database)
  static let epoch = Header(ZumoHeader.epoch)
  static let newest = Header(ZumoHeader.newest)
  static let behind = Header(ZumoHeader.behind)
  static let tombstones = Header(ZumoHeader.tombstones)
  static let live = Header(ZumoHeader.live)
  static let moved = Header(ZumoHeader.moved)
  static let token = Header(ZumoHeader.token)
  static let user = Header(ZumoHeader.user)
  static let sequence = Header(ZumoHeader.sequence)
  static let ordered = Header(ZumoHeader.ordered)
  static let count = Header(ZumoHeader.count)
  static let checksum = Header(ZumoHeader.checksum)
  static let verify = Header(ZumoHeader.verify)
  static let damaged = Header(ZumoHeader.damaged)
  static let columns = Header(ZumoHeader.columns)
  static let request = Header(ZumoHeader.request)
}

/// The headers of HTTP and of those who extend it.
extension Header {
  static let link = Header("Link")
  static let prefer = Header("Prefer")
  static let preferenceApplied = Header("Preference-Applied")
  static let fetchSite = Header("Sec-Fetch-Site")
  static let fetchMode = Header("Sec-Fetch-Mode")
  static let fetchDestination = Header("Sec-Fetch-Dest")
  static let referrerPolicy = Header("Referrer-Policy")
  static let openerPolicy = Header("Cross-Origin-Opener-Policy")
  static let repeatabilityID = Header("Repeatability-Request-ID")
  static let repeatabilityFirstSent = Header("Repeatability-First-Sent")
  static let repeatabilityClient = Header("Repeatability-Client-ID")
  static let repeatabilityResult = Header("Repeatability-Result")
  static let forwarded = Header("Forwarded")
  static let forwardedFor = Header("X-Forwarded-For")
  static let forwardedProto = Header("X-Forwarded-Proto")
  static let forwardedHost = Header("X-Forwarded-Host")
  static let requestID = Header("X-Request-Id")
  static let accelBuffering = Header("X-Accel-Buffering")
}

extension Header: CaseIterable {
  static let allCases: [Header] = [
    .authentication, .apiVersion, .zumoOptions, .zumoClientVersion, .batch, .database, .epoch, .newest, .behind,
    .tombstones, .live, .moved, .token, .user, .sequence, .ordered, .count, .checksum, .verify, .damaged,
    .columns, .request, .link, .prefer, .preferenceApplied, .fetchSite, .fetchMode, .fetchDestination, .referrerPolicy,
    .openerPolicy, .repeatabilityID, .repeatabilityFirstSent, .repeatabilityClient, .repeatabilityResult,
    .forwarded, .forwardedFor, .forwardedProto, .forwardedHost, .requestID, .accelBuffering,
  ]
}

extension HTTPFields {
  subscript(_ header: Header) -> String? {
    get { header.name.flatMap(value) }
    set {
      if let name = header.name { self[name] = newValue }
    }
  }

  /// The value that the subscript gives. That one joins the values of all fields of a name, as if there were many: for
  /// the thousand entries of a batch, this takes as long as to write their rows.
  func value(of name: HTTPField.Name) -> String? {
    guard let first = firstIndex(where: { $0.name == name }) else { return nil }
    return self[(first + 1)...].contains { $0.name == name } ? self[name] : self[first].value
  }

  /// Adds a field of a name that none has yet; nothing for nil. The subscript looks for the name first, and that takes
  /// longer than all else that is done for a header.
  mutating func add(_ name: HTTPField.Name, _ value: String?) {
    if let value { append(HTTPField(name: name, value: value)) }
  }

  mutating func add(_ header: Header, _ value: String?) {
    if let name = header.name { add(name, value) }
  }

  init(_ fields: [(Header, String)]) {
    self.init()
    for (header, value) in fields { add(header, value) }
  }
}

extension HTTPFields {
  /// The token that a request shows: as `Authorization: Bearer`, or as clients of the protocol's first years do, in a
  /// header of their own (wire 4).
  var token: String? {
    guard let token = shownToken?.trimmingSpaces, !token.isEmpty else { return nil }
    return token
  }

  private var shownToken: Substring? {
    guard let field = self[.authorization] else { return self[.authentication].map { $0[...] } }
    let parts = field.split(separator: " ", maxSplits: 1)
    return parts.count == 2 && parts[0].lowercased() == "bearer" ? parts[1] : nil
  }
}
