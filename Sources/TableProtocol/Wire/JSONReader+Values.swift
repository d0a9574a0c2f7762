extension JSONReader {
  /// Reads a text, with its escapes resolved.
  package mutating func string() throws(JSONError) -> String {
    guard byte == UInt8(ascii: "\"") else { throw failure }
    position += 1
    let start = position
    let clean = cleanRun()
    guard byte != UInt8(ascii: "\"") else {
      position += 1
      finishValue()
      return String(decoding: bytes[start..<clean], as: UTF8.self)
    }
    var text = Array(bytes[start..<clean])
    while byte != UInt8(ascii: "\"") {
      try unescape(into: &text)
      let start = position
      text += bytes[start..<cleanRun()]
    }
    position += 1
    finishValue()
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads over a text; what has an escape is read like any other, to see that it is a sound one.
  mutating func skipString() throws(JSONError) {
    let start = position
    position += 1
    _ = cleanRun()
    guard byte == UInt8(ascii: "\"") else {
      position = start
      _ = try string()
      return
    }
    position += 1
    finishValue()
  }

  /// Goes on to the next byte that means something in a text, and gives its place.
  private mutating func cleanRun() -> Int {
    position = bytes.withUnsafeBytes { JSONText.cleanEnd(in: $0, from: position) }
    return position
  }

  private mutating func unescape(into text: inout [UInt8]) throws(JSONError) {
    guard byte == UInt8(ascii: "\\") else { throw failure }
    position += 1
    let escaped = byte
    position += 1
    switch escaped {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(escaped)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try scalar())).utf8)
    default: throw JSONError(.badEscape, at: position - 1)
    }
  }

  /// The character of `\uXXXX`, or of two of them that are a surrogate pair (RFC 8259 7).
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, byte == UInt8(ascii: "\\") else { throw JSONError(.badEscape, at: position) }
    position += 1
    guard byte == UInt8(ascii: "u") else { throw JSONError(.badEscape, at: position) }
    position += 1
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw JSONError(.badEscape, at: position) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = byte.hexadecimalValue else { throw JSONError(.badEscape, at: position) }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  /// Reads a number. One without a fraction that fits is an integer, however it is written.
  package mutating func number() throws(JSONError) -> FieldValue {
    let start = position
    let isWhole = try numberEnd()
    defer { finishValue() }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else { throw JSONError(.numberOutOfRange, at: start) }
    return Int64(exactly: real).map(FieldValue.integer) ?? .real(real)
  }

  /// Goes over a number. True when it has neither fraction nor exponent.
  private mutating func numberEnd() throws(JSONError) -> Bool {
    if byte == UInt8(ascii: "-") { position += 1 }
    if byte == UInt8(ascii: "0") { position += 1 } else { try digits() }
    var isWhole = true
    if byte == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      try digits()
    }
    if byte | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return isWhole
  }

  private mutating func digits() throws(JSONError) {
    let start = position
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw failure }
  }

  /// Goes over a text, an array or an object whose content is broken, to where it ends: half of a surrogate pair, or a
  /// bare control character, leaves no doubt about that. Throws if it has no end.
  package mutating func skipBroken() throws(JSONError) {
    guard next == .string || next == .array || next == .object else { throw failure }
    var depth = 0
    repeat {
      guard position < bytes.count else { throw failure }
      switch bytes[position] {
      case UInt8(ascii: "\""): try skipBrokenString()
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        position += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= 1
        position += 1
      default: position += 1
      }
    } while depth > 0
    finishValue()
  }

  private mutating func skipBrokenString() throws(JSONError) {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard position < bytes.count else { throw failure }
    position += 1
  }

  /// Reads what a column may hold: anything but an array or object.
  package mutating func value() throws(JSONError) -> FieldValue {
    switch next {
    case .string: return .text(try string())
    case .number: return try number()
    case .word: return try word().map(FieldValue.bool) ?? .null
    case .object, .array: throw JSONError(.nestedValue, at: position)
    case nil: throw failure
    }
  }
}
