/// The server's opaque tag of one state of a record. Compared, stored and sent back; never read
/// (wire 5 and 8).
public struct RecordVersion: Sendable, Hashable {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  /// True if it can be sent in a header: no control characters, and at most 4,096 bytes. Another server may make its
  /// versions of anything.
  package var isSendable: Bool { text.utf8.count <= 4_096 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

  /// The strong entity tag for `ETag` and `If-Match`: the version in quotes.
  package var entityTag: String {
    guard text.utf8.contains(Self.quote) else { return "\"\(text)\"" }
    let escaped = text.utf8.flatMap { $0 == Self.quote ? [Self.backslash, $0] : [$0] }
    return "\"" + String(decoding: escaped, as: UTF8.self) + "\""
  }

  /// Reads an `ETag` or `If-Match` field. Nil for an empty, a multiple or a weak tag: a weak tag is
  /// put on answers that carry no item and says nothing of a record's version (wire 4).
  ///
  /// A tag without quotes is taken as it is; one old server accepts and some proxies send it. A backslash stands for
  /// itself, unless a quote follows.
  package init?(entityTag field: some StringProtocol) {
    if let plain = Self.plainText(ofTag: String(field)) {
      self.init(plain)
      return
    }
    let tag = field.trimmingSpaces
    guard !tag.isEmpty, !tag.hasPrefix("W/") else { return nil }
    guard tag.utf8.first == Self.quote else {
      self.init(tag)
      return
    }
    guard tag.utf8.count >= 3, tag.utf8.last == Self.quote else { return nil }
    var text: [UInt8] = []
    for byte in tag.utf8.dropFirst().dropLast() {
      if byte == Self.quote {
        guard text.popLast() == Self.backslash else { return nil }
      }
      text.append(byte)
    }
    guard text.last != Self.backslash else { return nil }
    self.init(String(decoding: text, as: UTF8.self))
  }

  /// The text of a tag that has its two quotes and nothing to look at closely, as nearly all are; nil for another.
  private static func plainText(ofTag tag: String) -> String? {
    guard tag.utf8.first == quote, tag.utf8.last == quote else { return nil }
    let text = tag.utf8.dropFirst().dropLast()
    guard !text.isEmpty, text.allSatisfy({ $0 != quote && $0 != backslash }) else { return nil }
    return String(Substring(text))
  }

  private static var quote: UInt8 { UInt8(ascii: "\"") }
  private static var backslash: UInt8 { UInt8(ascii: "\\") }
}
