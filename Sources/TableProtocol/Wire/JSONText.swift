/// The bytes between the quotation marks of a JSON text (RFC 8259 7).
enum JSONText {
  /// Returns the place of the next byte that can't stand for itself: a quotation mark, a backslash or a control
  /// character; the number of bytes if none follows.
  ///
  /// Looks at eight bytes in one step: nearly all of a document are such that stand for themselves.
  static func cleanEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = start
    while place + 8 <= bytes.count {
      let marks = marks(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      if marks != 0 { return place + marks.trailingZeroBitCount / 8 }
      place += 8
    }
    while place < bytes.count, !needsEscape(bytes[place]) { place += 1 }
    return place
  }

  static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Marks the highest bit of each byte that can't stand for itself. Only the lowest mark is sure: a byte that borrows
  /// from the next one may mark that too.
  private static func marks(_ word: UInt64) -> UInt64 {
    let each: UInt64 = 0x0101_0101_0101_0101
    let highest = each &* 0x80
    let quotes = word ^ (each &* UInt64(UInt8(ascii: "\"")))
    let backslashes = word ^ (each &* UInt64(UInt8(ascii: "\\")))
    let controls = (word &- each &* 0x20) & ~word
    return (controls | ((quotes &- each) & ~quotes) | ((backslashes &- each) & ~backslashes)) & highest
  }
}
