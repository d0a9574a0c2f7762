import Glibc

/// The id of a record: a text that equals only the same code points (sync-rules Q25).
///
/// Swift's own comparison takes an accented letter and its two parts for one text, so that two rows of a server would
/// be one row here.
public struct RecordID: Sendable {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }
}

extension RecordID: Hashable, Comparable, ExpressibleByStringInterpolation, CustomStringConvertible {
  public init(stringLiteral text: String) { self.init(text) }

  public var description: String { text }

  public static func == (left: RecordID, right: RecordID) -> Bool {
    left.text.isExactly(right.text)
  }

  /// The order of ids on the wire: by code point.
  public static func < (left: RecordID, right: RecordID) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    text.hashExactly(into: &hasher)
  }
}

extension RecordID: Codable {
  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension RecordID {
  /// UTF-16 units of a valid id.
  package static let longest = 255

  /// True for 1–255 UTF-16 units that are not all white space, hold no control character and none
  /// of `" + ? \ / ` and back-tick, and are neither `.` nor `..` (wire 1: the rule of protocol 2.0.0, which
  /// holds the narrower one of 3.0.0).
  public var isValid: Bool {
    let lengths = 1...Self.longest
    // A UUID, as nearly every id is.
    if lengths.contains(text.utf8.count), text.utf8.allSatisfy({ $0.isIdentifierPart || $0 == UInt8(ascii: "-") }) {
      return true
    }
    guard lengths.contains(text.utf16.count), text != ".", text != ".." else { return false }
    guard !text.allSatisfy(\.isWhitespace) else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "\"", "+", "?", "\\", "/", "`": false
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": false
      default: true
      }
    }
  }
}

extension String {
  /// True if both texts have the same code points (sync-rules Q25). `==` also takes an accented letter and its two
  /// parts for one.
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return memcmp(left, right, other.utf8.count) == 0
      }
    }
  }

  /// Hashes what ``isExactly(_:)`` compares.
  package func hashExactly(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// A text that equals only the same code points (sync-rules Q25).
///
/// Swift's own comparison takes an accented letter and its two parts for one.
package struct ExactText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isExactly(right.text)
  }

  package func hash(into hasher: inout Hasher) {
    text.hashExactly(into: &hasher)
  }
}
