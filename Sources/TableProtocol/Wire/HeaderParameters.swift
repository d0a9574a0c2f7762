/// The value of one of our own headers: parts between semicolons, `3;from=2026-11-21T02:00:00.000Z;nonce=7f3a9c01`.
package struct HeaderParameters {
  /// At least one, which may be empty.
  package let parts: [Substring]

  package init(_ text: some StringProtocol) {
    parts = Substring(text).split(separator: ";", omittingEmptySubsequences: false)
  }

  package var first: Substring { parts[0] }

  /// The text after `name=` in the first part that begins with it; nil if none does. A part whose name the reader does
  /// not know has no effect.
  package func value(_ name: String) -> Substring? {
    parts.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
  }
}

extension Int {
  /// Reads 1 to `most` decimal digits, and nothing else.
  package init?(digits: some StringProtocol, atMost most: Int = 9) {
    guard (1...most).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit) else { return nil }
    self.init(digits)
  }
}

extension UInt8 {
  package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
