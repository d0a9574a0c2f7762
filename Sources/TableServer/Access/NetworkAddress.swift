import Glibc
import TableProtocol

/// An address of IPv4 or IPv6.
package struct NetworkAddress: Hashable, Sendable {
  /// In the order of the network. One of IPv4 is kept as IPv6 writes it (RFC 4291, 2.5.5.2), so that both compare as
  /// one.
  private let high: UInt64
  private let low: UInt64

  private static let bitsBeforeIPv4 = 96
  private static let ipv4Mark: UInt64 = 0xFFFF

  /// Nil for a text that is no address. One in brackets is taken too, without a port.
  init?(_ text: String) {
    var text = text[...]
    if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
    let name = String(text)
    var four = in_addr()
    if inet_pton(AF_INET, name, &four) == 1 {
      (high, low) = (0, Self.ipv4Mark << 32 | UInt64(UInt32(bigEndian: four.s_addr)))
      return
    }
    var six = in6_addr()
    guard inet_pton(AF_INET6, name, &six) == 1 else { return nil }
    let words = withUnsafeBytes(of: &six) { bytes in
      (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    (high, low) = (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1))
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  private var isIPv4: Bool { high == 0 && low >> 32 == Self.ipv4Mark }

  /// True for this machine.
  var isLoopback: Bool { isIPv4 ? low >> 24 & 0xFF == 127 : high == 0 && low == 1 }

  /// The key for limits. A network gives each of its machines a great many addresses of IPv6, all with one beginning.
  var group: NetworkAddress { isIPv4 ? self : NetworkAddress(high: high, low: 0) }

  /// The first `count` bits, the others 0. Of an address of IPv4 its own bits count.
  fileprivate func prefix(_ count: Int) -> NetworkAddress {
    let count = isIPv4 ? count + Self.bitsBeforeIPv4 : count
    return NetworkAddress(
      high: high & ~(UInt64.max >> UInt64(min(count, 64))), low: low & ~(UInt64.max >> UInt64(max(count - 64, 0))))
  }

  /// A range of addresses: `10.0.0.0/8`, `fd00::/8`, or one address alone.
  package struct Range: Hashable, Sendable {
    private let first: NetworkAddress
    private let bits: Int

    /// Nil for a text that is none.
    package init?(_ text: String) {
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard let address = parts.first.flatMap({ NetworkAddress(String($0)) }), parts.count <= 2 else { return nil }
      let most = address.isIPv4 ? 32 : 128
      let digits = parts.count == 2 ? parts[1] : nil
      guard digits?.utf8.allSatisfy(\.isDigit) != false,
        let bits = digits.map({ Int($0) }) ?? most, (0...most).contains(bits)
      else { return nil }
      self.bits = bits
      first = address.prefix(bits)
    }

    func contains(_ address: NetworkAddress) -> Bool {
      address.isIPv4 == first.isIPv4 && address.prefix(bits) == first
    }
  }
}
