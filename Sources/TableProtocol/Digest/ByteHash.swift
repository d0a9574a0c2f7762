/// A 64-bit hash of bytes that come one after another: FNV-1a, then the last mixing step of MurmurHash3 (`fmix64`),
/// without which sums of similar hashes would be similar.
///
/// It finds accidental damage. It is no protection against somebody who wants to deceive.
package struct ByteHash: Sendable {
  private static let prime: UInt64 = 0x0000_0100_0000_01b3

  private var state: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func combine(_ bytes: UnsafeBufferPointer<UInt8>) {
    var state = state
    for byte in bytes { state = (state ^ UInt64(byte)) &* Self.prime }
    self.state = state
  }

  package mutating func combine(byte: UInt8) {
    state = (state ^ UInt64(byte)) &* Self.prime
  }

  /// Adds the eight bytes of the number, the lowest first.
  package mutating func combine(_ number: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) { combine(byte: UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// The hash of everything so far.
  package var value: UInt64 {
    var hash = state
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}
