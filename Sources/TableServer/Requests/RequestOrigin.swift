import HTTPTypes
import TableProtocol

/// Which requests are answered at all (wire 14).
///
/// A browser sends the requests of any page to any server it can reach. So the host of a request must be a name that
/// this server is meant for: the name of an attacker that leads here is not. And no page of another site may ask.
struct RequestOrigin: Sendable {
  private let names: Set<String>
  /// Where the server listens.
  private let host: String?

  /// `names` are those that the user gives the server.
  init(names: [String], host: String? = nil) {
    self.names = Set(names.map { HostName.plain($0) })
    self.host = host.map(HostName.plain)
  }

  /// `authority` is the host that the request itself has, and `ownAddress` the address that its connection came in at.
  ///
  /// If a proxy says that its client named another host, that one must be a name of the server too. It counts beside
  /// the request's own and not in its place: a page in a browser on the proxy's machine can write what a proxy writes.
  func check(_ request: TableRequest, authority: String?, ownAddress: String?) throws(RequestError) {
    var asked: HostName?
    if let authority {
      guard let host = HostName(authority), isOurs(host, ownAddress) else {
        throw Self.refusal(of: authority, clientNamed: request.authority)
      }
      asked = host
    }
    if let forwarded = request.authority {
      guard let host = HostName(forwarded), host == asked || names.contains(host.text) else {
        throw .unknownHost(forwarded)
      }
    }
    guard !isFromAnotherSite(request) else { throw .otherSite }
  }

  /// Only a trusted proxy can say that its client named another host. Then the client's URL may be right, and it is the
  /// proxy that has to be set up in another way.
  private static func refusal(of authority: String, clientNamed named: String?) -> RequestError {
    guard let host = HostName(authority), HostName.isBare(host.text), let named, HostName(named) != host else {
      return .unknownHost(authority)
    }
    return .unknownHostOfProxy(authority)
  }

  private func isOurs(_ host: HostName, _ ownAddress: String?) -> Bool {
    host.isLoopback || names.contains(host.text) || host.text == self.host
      || host.text == ownAddress.map(HostName.plain)
  }

  private func isFromAnotherSite(_ request: TableRequest) -> Bool {
    if let origin = request.headers[.origin], !isSame(origin, request.authority) { return true }
    switch request.headers[.fetchSite]?.lowercased() {
    case nil, "none", "same-origin": return false
    // A link on another page that the user follows to a page of ours: the other page sees nothing of the answer. A
    // frame is no such link. The page around it sees how long the answer took, which could tell what a filter finds.
    case _ where request.headers[.fetchMode] == "navigate" && request.headers[.fetchDestination] == "document":
      return request.method != .get || !ServerRoute(request.path).isForPeople
    case _: return true
    }
  }

  /// `null` is the origin of pages that hide theirs.
  private func isSame(_ origin: String, _ authority: String?) -> Bool {
    guard let authority, let end = origin.firstRange(of: "://") else { return false }
    return origin[end.upperBound...].lowercased() == authority.lowercased()
  }
}

/// The host of a request without its port.
package struct HostName: Hashable, Sendable {
  /// In lower case; an address of IPv6 without brackets.
  let text: String

  /// A name or an address that has no port.
  package init(plain name: String) { text = Self.plain(name) }

  /// Nil for a text that is no host with at most a port.
  init?(_ authority: String) {
    let bytes = authority.utf8
    let end: String.Index
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = bytes.index(after: bracket)
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    }
    text = Self.plain(String(authority[..<end]))
    let (rest, port) = (bytes[end...], bytes[end...].dropFirst())
    guard !text.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ":"), port.count <= 5, port.allSatisfy(\.isDigit)
    else { return nil }
  }

  /// A name as it is compared: in lower case, without brackets and without the dot that may end it.
  static func plain(_ name: String) -> String {
    var name = name.lowercased()[...]
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    if name.hasSuffix(".") { name = name.dropLast() }
    return String(name)
  }

  /// True for the name of a host (RFC 1123, 2.1, with the underscore that some have) or an address: a request can have
  /// it as its host (wire 14). One with a scheme, a port or a star never matches.
  package static func isBare(_ name: String) -> Bool {
    if NetworkAddress(name) != nil { return true }
    guard !name.hasPrefix("["), name.utf8.count <= 254 else { return false }
    let labels = plain(name).utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.allSatisfy { label in (1...63).contains(label.count) && label.allSatisfy(isOfLabel) }
  }

  private static func isOfLabel(_ byte: UInt8) -> Bool {
    byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "-_".utf8.contains(byte)
  }

  /// As a URL has it: an address of IPv6 in brackets.
  package var inURL: String { text.contains(":") ? "[\(text)]" : text }

  /// True for this machine under one of the names or addresses that only it has.
  package var isLoopback: Bool { text == "localhost" || NetworkAddress(text)?.isLoopback == true }
}
