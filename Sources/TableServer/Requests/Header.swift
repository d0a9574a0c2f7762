import HTTPTypes
import TableProtocol

/// The headers that this server reads and writes and that HTTP's own library does not name. No other place makes a
/// name of a text.
enum Header: Int, CaseIterable, Sendable {
  case authentication
  case apiVersion, zumoOptions, zumoClientVersion, batch
  case database, epoch, newest, behind, tombstones, live, moved, token, user, sequence, ordered
  case count, checksum, verify, damaged, columns
  case link, prefer, preferenceApplied
  case fetchSite, fetchMode, fetchDestination, referrerPolicy, openerPolicy
  case repeatabilityID, repeatabilityFirstSent, repeatabilityClient, repeatabilityResult
  case forwarded, forwardedFor, forwardedProto, forwardedHost
  case requestID
  case accelBuffering

  var text: String {
    switch self {
    case .authentication: ZumoHeader.authentication
    case .apiVersion: ZumoHeader.apiVersion
    case .zumoOptions: ZumoHeader.options
    case .zumoClientVersion: ZumoHeader.clientVersion
    case .batch: ZumoHeader.batch
    case .database: ZumoHeader.database
    case .epoch: ZumoHeader.epoch
    case .newest: ZumoHeader.newest
    case .behind: ZumoHeader.behind
    case .tombstones: ZumoHeader.tombstones
    case .live: ZumoHeader.live
    case .moved: ZumoHeader.moved
    case .token: ZumoHeader.token
    case .user: ZumoHeader.user
    case .sequence: ZumoHeader.sequence
    case .ordered: ZumoHeader.ordered
    case .count: ZumoHeader.count
    case .checksum: ZumoHeader.checksum
    case .verify: ZumoHeader.verify
    case .damaged: ZumoHeader.damaged
    case .columns: ZumoHeader.columns
    case .link: "Link"
    case .prefer: "Prefer"
    case .preferenceApplied: "Preference-Applied"
    case .fetchSite: "Sec-Fetch-Site"
    case .fetchMode: "Sec-Fetch-Mode"
    case .fetchDestination: "Sec-Fetch-Dest"
    case .referrerPolicy: "Referrer-Policy"
    case .openerPolicy: "Cross-Origin-Opener-Policy"
    case .repeatabilityID: "Repeatability-Request-ID"
    case .repeatabilityFirstSent: "Repeatability-First-Sent"
    case .repeatabilityClient: "Repeatability-Client-ID"
    case .repeatabilityResult: "Repeatability-Result"
    case .forwarded: "Forwarded"
    case .forwardedFor: "X-Forwarded-For"
    case .forwardedProto: "X-Forwarded-Proto"
    case .forwardedHost: "X-Forwarded-Host"
    case .requestID: "X-Request-Id"
    case .accelBuffering: "X-Accel-Buffering"
    }
  }

  /// Never nil: a test asks for all of them.
  var name: HTTPField.Name? { Self.names[rawValue] }

  /// The name of a header that an entry of a batch has; nil if it is none.
  static func name(ofEntry text: String) -> HTTPField.Name? { HTTPField.Name(text) }

  /// In the order of the cases.
  private static let names = allCases.map { HTTPField.Name($0.text) }
}

extension HTTPFields {
  subscript(_ header: Header) -> String? {
    get { header.name.flatMap { self[$0] } }
    set {
      if let name = header.name { self[name] = newValue }
    }
  }

  init(_ fields: [(Header, String)]) {
    self.init()
    for (header, value) in fields { self[header] = value }
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
