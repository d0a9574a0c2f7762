/// Writes the flat JSON of the table protocol straight into bytes.
///
/// A list of thousands of rows is written in one pass, without a tree in between: the encoder of
/// Foundation is ten times slower at it.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []
  /// True if a terminal may show the bytes: then no character that a terminal obeys, or that turns the direction of
  /// writing round, is written as itself. JSON asks that only of those below U+0020.
  private let isForTerminal: Bool

  package init(capacity: Int = 256, isForTerminal: Bool = false) {
    self.isForTerminal = isForTerminal
    bytes.reserveCapacity(capacity)
  }

  /// Punctuation and words that are JSON already.
  package mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// A whole value, written elsewhere.
  package mutating func json(_ value: some Sequence<UInt8>) {
    bytes.append(contentsOf: value)
  }

  package mutating func value(_ value: FieldValue) {
    switch value {
    case .null: raw("null")
    case .bool(let bool): raw(bool ? "true" : "false")
    case .integer(let integer): self.integer(integer)
    case .real(let real): self.real(real)
    case .text(let text): string(text)
    }
  }

  package mutating func integer(_ integer: Int64) {
    bytes.append(contentsOf: String(integer).utf8)
  }

  /// JSON has no infinities and no NaN; they are written as null.
  package mutating func real(_ real: Double) {
    guard real.isFinite else { return raw("null") }
    bytes.append(contentsOf: String(real).utf8)
  }

  package mutating func timestamp(_ moment: Timestamp) {
    bytes.append(UInt8(ascii: "\""))
    moment.appendText(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { buffer in
      var written = 0
      while let place = nextEscape(in: buffer, from: written) {
        bytes.append(contentsOf: buffer[written..<place])
        written = place + escape(buffer, at: place)
      }
      bytes.append(contentsOf: buffer[written...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// The place of the next byte that is not written as itself; nil if none follows.
  private func nextEscape(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let place =
      isForTerminal
      ? text[start...].indices.first { JSONText.needsEscape(text[$0]) || TerminalControl(in: text, at: $0) != nil }
      : JSONText.cleanEnd(in: UnsafeRawBufferPointer(text), from: start)
    return place == text.count ? nil : place
  }

  /// Writes the character at a place with an escape, and returns how many bytes of the text it takes.
  private mutating func escape(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
    if !JSONText.needsEscape(text[place]), let control = TerminalControl(in: text, at: place) {
      escape(control.scalar)
      return control.length
    }
    escape(text[place])
    return 1
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case UInt8(ascii: "\n"): raw("\\n")
    case UInt8(ascii: "\r"): raw("\\r")
    case UInt8(ascii: "\t"): raw("\\t")
    default: escape(UInt16(byte))
    }
  }

  private mutating func escape(_ scalar: UInt16) {
    let digits = Array("0123456789abcdef".utf8)
    raw("\\u")
    bytes += [12, 8, 4, 0].map { digits[Int(scalar >> $0 & 15)] }
  }

  /// The name of a member and its colon, with a comma before it unless it is the first.
  package mutating func member(_ name: String, isFirst: Bool = false) {
    if !isFirst { raw(",") }
    string(name)
    raw(":")
  }
}

extension Unicode.Scalar {
  /// True if a terminal may obey it, or if it turns the direction of writing round. ``TerminalControl`` finds those
  /// beyond U+007E in bytes.
  package var steersTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// A character beyond U+007E that steers a terminal, in UTF-8.
package struct TerminalControl {
  package let scalar: UInt16
  /// In bytes.
  package let length: Int

  /// The one that begins at this place; nil if none does.
  package init?(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
    switch bytes[index] {
    case 0x7F: (scalar, length) = (0x7F, 1)
    case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0: (scalar, length) = (UInt16(bytes[index + 1]), 2)
    case 0xE2 where index + 2 < bytes.count:
      switch (bytes[index + 1], bytes[index + 2]) {
      case (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9):
        (scalar, length) = (0x2000 | UInt16(bytes[index + 1] & 0x3F) << 6 | UInt16(bytes[index + 2] & 0x3F), 3)
      default: return nil
      }
    default: return nil
    }
  }
}
