import FoundationEssentials

/// The many ways clients of both protocol versions write a value (wire 6.2).
extension FilterLiteral {
  /// A literal without quotes: a number with or without a type suffix, or a date, a time or a GUID
  /// in the form of OData 4. Nil when it is none of them.
  init?(bare text: String) {
    if let number = Self.number(text) {
      self = number
    } else if let moment = Timestamp(text) {
      self = .timestamp(moment)
    } else if Self.isDate(text) || Self.isTimeOfDay(text) || GUIDText.isGUID(text.utf8) {
      self = .text(text)
    } else {
      return nil
    }
  }

  /// A literal with its type before the quote, as OData 3 writes dates, GUIDs and bytes.
  init?(prefix: String, content: String) {
    switch prefix {
    case "datetime", "datetimeoffset":
      let decoded = PercentEncoding.decode(content)
      guard let moment = Timestamp(decoded) ?? Timestamp(decoded + "Z") else { return nil }
      self = .timestamp(moment)
    case "guid":
      guard GUIDText.isGUID(content.utf8) else { return nil }
      self = .text(content)
    case "X", "x", "binary":
      guard let bytes = Self.bytes(hexadecimal: content) else { return nil }
      self = .text(Data(bytes).base64EncodedString())
    case "time":
      self = .text(content)
    default:
      return nil
    }
  }

  /// The value and type of `cast(value,Edm.Type)`.
  init?(cast value: String, to type: String) {
    let value = value.trimmingSpaces
    switch type.trimmingSpaces {
    case "Edm.DateTimeOffset":
      guard let moment = Timestamp(value) else { return nil }
      self = .timestamp(moment)
    case "Edm.Date" where Self.isDate(value), "Edm.TimeOfDay" where Self.isTimeOfDay(value),
      "Edm.Guid" where GUIDText.isGUID(value.utf8):
      self = .text(value)
    default:
      return nil
    }
  }

  /// Digits, a fraction, an exponent, and `L` for 64 bit or `d f m` for a real number.
  private static func number(_ text: String) -> FilterLiteral? {
    guard let last = text.utf8.last else { return nil }
    let body = text.dropLast()
    switch last | 0x20 {
    case UInt8(ascii: "l"):
      return isInteger(body) ? Int64(body).map(FilterLiteral.integer) : nil
    case UInt8(ascii: "d"), UInt8(ascii: "f"), UInt8(ascii: "m"):
      return real(body)
    default:
      if isInteger(text[...]), let integer = Int64(text) { return .integer(integer) }
      return real(text[...])
    }
  }

  private static func isInteger(_ text: Substring) -> Bool {
    let digits = text.first == "-" ? text.dropFirst() : text
    return !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit)
  }

  private static func real(_ text: Substring) -> FilterLiteral? {
    let allowed = text.utf8.allSatisfy { byte in
      byte.isDigit || byte | 0x20 == UInt8(ascii: "e") || [0x2B, 0x2D, 0x2E].contains(byte)
    }
    guard allowed, text.utf8.last?.isDigit == true, let number = Double(text), number.isFinite else { return nil }
    return .real(number)
  }

  private static func isDate(_ text: String) -> Bool {
    text.utf8.count == 10 && Timestamp(text + "T00:00:00Z") != nil
  }

  private static func isTimeOfDay(_ text: String) -> Bool {
    Timestamp("1970-01-01T" + text + "Z") != nil
  }

  private static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap(\.hexadecimalValue)
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension StringProtocol {
  /// The text without spaces at either end.
  package var trimmingSpaces: String { String(trimming { $0 == " " }) }

  /// The text without such characters at either end.
  package func trimming(while isTrimmed: (Character) -> Bool) -> SubSequence {
    var rest = self[...]
    while let first = rest.first, isTrimmed(first) { rest = rest.dropFirst() }
    while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
    return rest
  }
}

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
  package var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
