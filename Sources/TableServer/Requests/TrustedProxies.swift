import HTTPTypes

/// The proxies before the server, whose word about a request counts: who sent it, and how its client names the server.
///
/// Each proxy adds who it heard the request from. The chain is read from its end, over those that are trusted: the
/// first that is not is the client, and what stands before it may be made up.
struct TrustedProxies: Sendable {
  private let ranges: [NetworkAddress.Range]

  init(_ ranges: [NetworkAddress.Range]) { self.ranges = ranges }

  /// The origin of a request, as the connection shows it, unless a trusted proxy says more.
  struct Origin: Hashable, Sendable {
    /// In the place of the address of somebody behind a proxy, if the proxy hides it, or if it can't be read. Such a
    /// sender is a stranger, and never this machine.
    static let hidden = "unknown"

    /// Nil for this machine over a Unix socket.
    var address: String?
    var scheme: String
    var authority: String?
    /// True if a trusted proxy let through two headers that do not name the same sender. Neither is believed.
    var isDisputed = false
  }

  /// True if the sender at the other end of the connection is trusted. A connection without an address, as over a Unix
  /// socket, comes from this machine: it is trusted if any proxy is.
  func trusts(_ address: String?) -> Bool { !ranges.isEmpty && (address == nil || isTrusted(address)) }

  func origin(of headers: HTTPFields, on connection: Origin) -> Origin {
    guard trusts(connection.address) else { return connection }
    var origin = connection
    let hops = ForwardedHop.chains(in: headers).compactMap { chain in
      chain.last(where: { !isTrusted($0.sender) }) ?? chain.first
    }
    // `X-Forwarded-Proto` and `X-Forwarded-Host` alone say nothing against a sender that `Forwarded` names.
    let naming = hops.filter { $0.sender != .unsaid }
    let sender = naming.first?.sender ?? .unsaid
    // The client may have written the header of the kind that its proxy does not know.
    guard naming.allSatisfy({ $0.sender.isSame(as: sender) }) else {
      origin.address = Origin.hidden
      origin.isDisputed = true
      return origin
    }
    switch sender {
    case .address(let address): origin.address = address
    case .hidden: origin.address = Origin.hidden
    case .unsaid: break
    }
    // The one that names the sender goes first.
    let ordered = naming + hops
    origin.scheme = ordered.compactMap { Self.scheme($0.scheme) }.first ?? connection.scheme
    origin.authority = ordered.compactMap(\.authority).first ?? connection.authority
    return origin
  }

  /// False for an address that is not known.
  func isTrusted(_ text: String?) -> Bool {
    guard let address = text.flatMap(NetworkAddress.init) else { return false }
    return ranges.contains { $0.contains(address) }
  }

  private func isTrusted(_ sender: ForwardedHop.Sender) -> Bool {
    switch sender {
    case .address(let address): isTrusted(address)
    case .hidden, .unsaid: false
    }
  }

  private static func scheme(_ text: String?) -> String? {
    let scheme = text?.lowercased()
    return scheme == "http" || scheme == "https" ? scheme : nil
  }
}
