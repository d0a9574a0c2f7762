/// Writes the flat JSON of the table protocol straight into bytes.
///
/// A list of thousands of rows is written in one pass, without a tree in between: the encoder of
/// Foundation is ten times slower at it.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 256) {
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
      var clean = 0
      for index in buffer.indices where buffer[index].needsEscape {
        bytes.append(contentsOf: buffer[clean..<index])
        escape(buffer[index])
        clean = index + 1
      }
      bytes.append(contentsOf: buffer[clean...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): raw("\\\"")
    case UInt8(ascii: "\\"): raw("\\\\")
    case UInt8(ascii: "\n"): raw("\\n")
    case UInt8(ascii: "\r"): raw("\\r")
    case UInt8(ascii: "\t"): raw("\\t")
    default:
      let digits = Array("0123456789abcdef".utf8)
      raw("\\u00")
      bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }

  /// The name of a member and its colon, with a comma before it unless it is the first.
  package mutating func member(_ name: String, isFirst: Bool = false) {
    if !isFirst { raw(",") }
    string(name)
    raw(":")
  }
}

extension UInt8 {
  fileprivate var needsEscape: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}
