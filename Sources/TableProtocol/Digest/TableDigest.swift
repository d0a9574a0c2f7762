/// How many rows a table has that are not deleted, and a number made of the ids and versions of all of them.
///
/// Two sides with the same digest have rows with the same ids and versions. It says nothing of the contents: a text
/// that was damaged under its version is found by `ebb sync --verify`, which compares contents.
///
/// It does not depend on an order and can be kept up row by row. It finds rows that were lost by accident; it is no
/// proof against somebody who wants to deceive.
package struct TableDigest: Sendable, Hashable {
  package private(set) var count = 0
  /// The sum, modulo 2^64, of ``hash(_:_:)`` of every row.
  package private(set) var checksum: UInt64 = 0

  package init(count: Int = 0, checksum: UInt64 = 0) {
    self.count = count
    self.checksum = checksum
  }

  package mutating func add(_ id: RecordID, _ version: RecordVersion) {
    count += 1
    checksum &+= Self.hash(id, version.text)
  }

  package mutating func remove(_ id: RecordID, _ version: RecordVersion) {
    count -= 1
    checksum &-= Self.hash(id, version.text)
  }

  package mutating func add(_ other: TableDigest) {
    count += other.count
    checksum &+= other.checksum
  }
}

extension TableDigest {
  /// The number that one row adds to the checksum: the ``ByteHash`` of the UTF-8 bytes of the id, a zero byte, and
  /// the UTF-8 bytes of the version.
  package static func hash(_ id: RecordID, _ version: String) -> UInt64 {
    var (id, version) = (id.text, version)
    return id.withUTF8 { id in version.withUTF8 { hash(id, $0) } }
  }

  /// The same of bytes that are in no string yet.
  package static func hash(_ id: UnsafeBufferPointer<UInt8>, _ version: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = ByteHash()
    hash.combine(id)
    hash.combine(byte: 0)
    hash.combine(version)
    return hash.value
  }

  /// Counts a row whose ``hash(_:_:)`` is known.
  package mutating func add(hash: UInt64) {
    count += 1
    checksum &+= hash
  }
}

/// As text, in headers and where it is kept.
extension TableDigest {
  /// The checksum in 16 hexadecimal digits, in lower case.
  package var checksumText: String { checksum.hexadecimalText }

  /// Nil unless it is a count in decimal digits and a checksum as ``checksumText`` has it.
  package init?(count: some StringProtocol, checksum: some StringProtocol) {
    guard let number = Int(digits: count, atMost: 18), checksum.utf8.count == 16,
      checksum.utf8.allSatisfy(\.isLowercaseHex), let sum = UInt64(checksum, radix: 16)
    else { return nil }
    self.init(count: number, checksum: sum)
  }

  /// The count and the checksum, with a space between.
  package var text: String { "\(count) \(checksumText)" }

  /// Reads ``text``.
  package init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(count: parts[0], checksum: parts[1])
  }
}

extension UInt64 {
  /// In 16 hexadecimal digits, in lower case.
  package var hexadecimalText: String { withUnsafeBytes(of: bigEndian) { $0.hexadecimalText } }
}

extension Collection<UInt8> {
  /// Two hexadecimal digits a byte, in lower case.
  package var hexadecimalText: String {
    String(unsafeUninitializedCapacity: 2 * count) { digits in
      for (index, byte) in enumerated() {
        digits[2 * index] = (byte >> 4).hexadecimalDigit
        digits[2 * index + 1] = (byte & 0xF).hexadecimalDigit
      }
      return 2 * count
    }
  }
}

extension UInt8 {
  fileprivate var hexadecimalDigit: UInt8 { self + (self < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }

  fileprivate var isLowercaseHex: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self) }
}

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
