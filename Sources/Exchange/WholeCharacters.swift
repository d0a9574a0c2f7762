import TableProtocol

/// The bytes of JSON with U+FFFD for each half of a surrogate pair that stands alone, as `\ud83d`. A program that cuts
/// a text within a character writes such a half, and no text can hold it. All other bytes keep their places.
struct WholeCharacters {
  private(set) var bytes: [UInt8]
  /// Where the halves stood, ascending.
  private var halves: ArraySlice<Int> = []

  private static let surrogates: ClosedRange<UInt16> = 0xD800...0xDFFF
  private static let firstLow: UInt16 = 0xDC00

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var start = 0
    // A backslash stands in texts alone.
    while let place = bytes[min(start, bytes.count)...].firstIndex(of: UInt8(ascii: "\\")) {
      let unit = Self.unit(in: bytes, at: place)
      start = place + (unit == nil ? 2 : 6)
      guard let half = unit, Self.surrogates.contains(half) else { continue }
      let next = Self.unit(in: bytes, at: start) ?? 0
      if half < Self.firstLow, Self.surrogates.contains(next), next >= Self.firstLow {
        start += 6
      } else {
        self.bytes.replaceSubrange(place + 2..<place + 6, with: "FFFD".utf8)
        halves.append(place)
      }
    }
  }

  /// True if a half stood between these places, which must be asked for in ascending order.
  mutating func hasHalf(in places: Range<Int>) -> Bool {
    halves = halves.drop { $0 < places.lowerBound }
    return halves.first.map { $0 < places.upperBound } ?? false
  }

  /// The number of an escape `\uXXXX` at this place. Nil if there is no such escape.
  private static func unit(in bytes: [UInt8], at place: Int) -> UInt16? {
    guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt16 = 0
    for byte in bytes[place + 2..<place + 6] {
      guard let digit = byte.hexadecimalValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }
}
