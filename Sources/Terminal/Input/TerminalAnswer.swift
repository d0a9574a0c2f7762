/// An answer of a terminal to a question of this program. It is never taken for a key, however late it comes.
package enum TerminalAnswer: Sendable, Hashable {
  /// The colour behind the text (OSC 11).
  case background(Style.Color)
  /// The kind of terminal it is (primary device attributes). Every terminal answers that, and in the order of the
  /// questions: a question asked before that has no answer by now gets none.
  case attributes

  /// Nil for a sequence that is something else. Without its Escape.
  init?(_ sequence: [UInt8]) {
    let text = String(decoding: sequence, as: UTF8.self)
    if text.hasPrefix("[?"), text.hasSuffix("c") {
      self = .attributes
    } else if text.hasPrefix("]11;"), let color = Self.color(text.dropFirst(4)) {
      self = .background(color)
    } else {
      return nil
    }
  }

  /// The two questions, in this order.
  static let question = "\u{1B}]11;?\u{1B}\\\u{1B}[c"

  /// `rgb:1515/1616/1c1c`, with one to four digits a part, and what ends the string behind it.
  private static func color(_ text: Substring) -> Style.Color? {
    guard text.hasPrefix("rgb:") || text.hasPrefix("rgba:") else { return nil }
    let digits = text.drop { $0 != ":" }.dropFirst().prefix { $0.isHexDigit || $0 == "/" }
    let parts = digits.split(separator: "/").map { part -> UInt8? in
      guard (1...4).contains(part.utf8.count), let value = Int(part, radix: 16) else { return nil }
      return UInt8(value * 255 / ((1 << (4 * part.utf8.count)) - 1))
    }
    guard parts.count >= 3, let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
    return .rgb(red, green, blue)
  }
}
