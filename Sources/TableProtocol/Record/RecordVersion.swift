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
    if !text.utf8.contains(UInt8(ascii: "\"")) { return "\"\(text)\"" }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") + "\""
  }

  /// Reads an `ETag` or `If-Match` field. Nil for an empty, a multiple or a weak tag: a weak tag is
  /// put on answers that carry no item and says nothing of a record's version (wire 4).
  ///
  /// A tag without quotes is taken as it is; one old server accepts and some proxies send it.
  package init?(entityTag field: some StringProtocol) {
    var tag = Substring(field)
    while tag.first == " " { tag.removeFirst() }
    while tag.last == " " { tag.removeLast() }
    guard !tag.isEmpty, !tag.hasPrefix("W/") else { return nil }
    guard tag.hasPrefix("\"") else {
      self.init(String(tag))
      return
    }
    guard tag.count >= 3, tag.hasSuffix("\"") else { return nil }
    var unescaped = ""
    var escaped = false
    for character in tag.dropFirst().dropLast() {
      if escaped {
        unescaped.append(character)
        escaped = false
      } else if character == "\\" {
        escaped = true
      } else if character == "\"" {
        return nil
      } else {
        unescaped.append(character)
      }
    }
    guard !escaped else { return nil }
    self.init(unescaped)
  }
}
