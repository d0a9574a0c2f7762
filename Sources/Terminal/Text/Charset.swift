/// What the user's locale says the terminal can show.
package enum Charset: Sendable, Hashable {
  case utf8
  /// Anything else: only ASCII is sent, one question mark for each column of what is not.
  case ascii

  /// The text as this character set can show it, in as many columns as before.
  func encode(_ text: String) -> String {
    guard self == .ascii, !Printable.isPlainASCII(text) else { return text }
    return text.reduce(into: "") { result, character in
      if character.isASCII {
        result.append(character)
      } else {
        result += String(repeating: "?", count: TextWidth.columns(of: character))
      }
    }
  }
}
