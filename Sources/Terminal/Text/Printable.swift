/// Makes text safe to draw: nothing in it can move the cursor, change a mode or reorder the row.
package enum Printable {
  /// The text with every control character replaced by a visible stand-in.
  ///
  /// Text comes from a server and from other people's clipboards. C0 controls become their pictures
  /// (U+2400 and on), C1 controls, line separators and the characters that turn the direction of
  /// writing round become U+FFFD.
  package static func text(_ text: String) -> String {
    if isPlainASCII(text) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(visible(scalar)) }
    return String(result)
  }

  static func isPlainASCII(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
    default: scalar
    }
  }
}
