import HTTPTypes
import TableProtocol

/// The proxies before the server, whose word about a request counts: who sent it, and how its client names the server.
///
/// Each proxy adds who it heard the request from. The chain is read from its end, over those that are trusted: the
/// first that is not is the client, and what stands before it may be made up.
struct TrustedProxies: Sendable {
  private let ranges: [NetworkAddress.Range]

  init(_ ranges: [NetworkAddress.Range]) { self.ranges = ranges }

  /// The origin of a request, as the connection shows it, unless a trusted proxy says more.
  struct Origin: Hashable, Sendable {
    var address: String?
    var scheme: String
    var authority: String?
  }

  /// True if the sender at the other end of the connection is trusted. A connection without an address, as over a Unix
  /// socket, comes from this machine: it is trusted if any proxy is.
  func trusts(_ address: String?) -> Bool { !ranges.isEmpty && (address == nil || isTrusted(address)) }

  func origin(of headers: HTTPFields, on connection: Origin) -> Origin {
    guard trusts(connection.address) else { return connection }
    var origin = connection
    let hops = ForwardedHop.all(in: headers)
    guard let hop = hops.last(where: { !isTrusted($0.address) }) ?? hops.first else { return connection }
    origin.address = hop.address ?? connection.address
    origin.scheme = Self.scheme(hop.scheme) ?? connection.scheme
    origin.authority = hop.authority ?? connection.authority
    return origin
  }

  /// False for an address that is not known.
  func isTrusted(_ text: String?) -> Bool {
    guard let address = text.flatMap(NetworkAddress.init) else { return false }
    return ranges.contains { $0.contains(address) }
  }

  private static func scheme(_ text: String?) -> String? {
    let scheme = text?.lowercased()
    return scheme == "http" || scheme == "https" ? scheme : nil
  }
}

/// One proxy's word on whom it heard the request from.
private struct ForwardedHop {
  /// Nil where a proxy hides it.
  var address: String?
  var scheme: String?
  var authority: String?

  /// The farthest first. `X-Forwarded-For` comes before `Forwarded` (RFC 7239): most proxies set the first and let
  /// through what a client writes into the second.
  static func all(in headers: HTTPFields) -> [ForwardedHop] {
    guard let chain = headers[.forwardedFor] ?? headers[.forwardedProto] ?? headers[.forwardedHost] else {
      return headers[.forwarded].map { split($0, at: ",").map(ForwardedHop.init) } ?? []
    }
    let addresses = headers[.forwardedFor] == nil ? [] : list(chain)
    let (schemes, hosts) = (list(headers[.forwardedProto] ?? ""), list(headers[.forwardedHost] ?? ""))
    return (0..<max(addresses.count, 1)).map { index in
      // A proxy that does not add to these replaces them: then one value stands for the whole way.
      func value(_ values: [String]) -> String? {
        values.count == addresses.count && values.indices.contains(index) ? values[index] : values.last
      }
      return ForwardedHop(
        address: addresses.isEmpty ? nil : address(addresses[index]), scheme: value(schemes), authority: value(hosts))
    }
  }

  private init(address: String?, scheme: String?, authority: String?) {
    self.address = address
    self.scheme = scheme
    self.authority = authority
  }

  private static func list(_ field: String) -> [String] {
    field.split(separator: ",").map { $0.trimmingWhitespace }.filter { !$0.isEmpty }
  }

  private init(_ element: String) {
    for pair in Self.split(element, at: ";") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      var value = parts[1].trimmingWhitespace
      if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = String(value.dropFirst().dropLast()) }
      switch parts[0].trimmingWhitespace.lowercased() {
      case "for": address = Self.address(value)
      case "proto": scheme = value
      case "host": authority = value
      default: break
      }
    }
  }

  /// Without the port that may follow; nil for a name that hides the address.
  private static func address(_ node: String) -> String? {
    if node.hasPrefix("["), let end = node.firstIndex(of: "]") { return String(node[...end]) }
    let address = node.filter { $0 == ":" }.count == 1 ? String(node.prefix { $0 != ":" }) : node
    return NetworkAddress(address) == nil ? nil : address
  }

  /// At the signs that stand outside of quotes.
  private static func split(_ text: String, at separator: Character) -> [String] {
    var (parts, isQuoted) = ([""], false)
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == separator, !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}

extension StringProtocol {
  /// Without what HTTP lets stand around a value.
  fileprivate var trimmingWhitespace: String {
    String(trimming { $0 == " " || $0 == "\t" })
  }
}
