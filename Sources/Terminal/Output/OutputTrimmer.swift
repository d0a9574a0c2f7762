/// Removes bytes that ncurses sends to be safe and this program never needs, so that a key costs little on a slow line.
enum OutputTrimmer {
  /// Returns the same drawing in fewer bytes. Drops the selection of the ASCII character set, since no other is ever
  /// selected, and the reset of a colour right before a reset of everything.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.first {
      if byte == shiftIn {
        rest = rest.dropFirst()
      } else if byte == escape, let length = lengthOfWaste(rest) {
        rest = rest.dropFirst(length)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  private static let escape: UInt8 = 0x1B
  private static let shiftIn: UInt8 = 0x0F
  private static let chooseASCII = Array("\u{1B}(B".utf8)
  private static let setColorBack = ["\u{1B}[39m", "\u{1B}[49m", "\u{1B}[39;49m"].map { Array($0.utf8) }
  private static let setAllBack = ["\u{1B}[m", "\u{1B}[0;"].map { Array($0.utf8) }

  private static func lengthOfWaste(_ bytes: ArraySlice<UInt8>) -> Int? {
    if bytes.starts(with: chooseASCII) { return chooseASCII.count }
    guard let waste = setColorBack.first(where: bytes.starts) else { return nil }
    var next = bytes.dropFirst(waste.count)
    if next.starts(with: chooseASCII) { next = next.dropFirst(chooseASCII.count) }
    return setAllBack.contains(where: next.starts) ? waste.count : nil
  }
}
