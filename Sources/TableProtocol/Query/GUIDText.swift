/// The text form of a GUID: 8-4-4-4-12 hexadecimal digits.
enum GUIDText {
  static func isGUID(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    return zip(0..., bytes).allSatisfy { index, byte in
      switch index {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: byte.hexadecimalValue != nil
      }
    }
  }
}

extension UInt8 {
  /// 0–15 when the byte is a hexadecimal digit in ASCII.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
