package import FoundationEssentials

/// Percent-encoding of URLs (RFC 3986 2.1), in UTF-8.
package enum PercentEncoding {
  /// A value or name of a query string. Encodes `+`, `&`, `#`, `%`, `=` and spaces; leaves the
  /// quotes, parentheses, commas and colons that make filters readable in a log.
  package static func encodeQuery(_ text: some StringProtocol) -> String {
    encode(String(text)) { $0.isUnreserved || "'(),:$".utf8.contains($0) }
  }

  /// One segment of a path, such as an id.
  package static func encodeSegment(_ text: some StringProtocol) -> String {
    encode(String(text)) { $0.isUnreserved }
  }

  private static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
    if text.utf8.allSatisfy(isKept) { return text }
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    encoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isKept(byte) {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Decodes every valid `%XX`; anything else stays as it is, and bytes that are no UTF-8 become
  /// U+FFFD. In a query string a `+` is a space.
  package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
    decode(whole: String(text), plusIsSpace: plusIsSpace)
  }

  private static func decode(whole text: String, plusIsSpace: Bool) -> String {
    let isPlain = text.utf8.allSatisfy { $0 != UInt8(ascii: "%") && !(plusIsSpace && $0 == UInt8(ascii: "+")) }
    if isPlain { return text }
    return String(decoding: decode(Array(text.utf8)[...], plusIsSpace: plusIsSpace), as: UTF8.self)
  }

  /// The parts of a path between its slashes, decoded in the same way; nil if the bytes of one are no UTF-8.
  package static func segments(of path: Substring) -> [String]? {
    var segments: [String] = []
    for segment in Array(path.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard segment.contains(UInt8(ascii: "%")) else {
        segments.append(String(decoding: segment, as: UTF8.self))
        continue
      }
      guard let text = String(validating: decode(segment, plusIsSpace: false), as: UTF8.self) else { return nil }
      segments.append(text)
    }
    return segments
  }

  private static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
        let high = bytes[index + 1].hexadecimalValue, let low = bytes[index + 2].hexadecimalValue
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        let isSpace = plusIsSpace && bytes[index] == UInt8(ascii: "+")
        decoded.append(isSpace ? UInt8(ascii: " ") : bytes[index])
        index += 1
      }
    }
    return decoded
  }
}

/// The Base64 of URLs and file names (RFC 4648, 5), which tokens are written in: without padding, `-` for `+`, `_` for
/// `/`.
package enum Base64URL {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let base64 = Data(bytes).base64EncodedString()
    return String(base64.compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
  }

  /// Reads also plain Base64. Nil for any other text.
  package static func decode(_ text: some StringProtocol) -> Data? {
    let base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
  }
}

extension UInt8 {
  /// Letters, digits and `-._~`, which never need encoding.
  fileprivate var isUnreserved: Bool { isIdentifierPart || "-.~".utf8.contains(self) }
}
