/// How a run of text is drawn. It adds to what the text says and never says anything alone.
package struct Style: Sendable, Hashable {
  package var bold = false
  package var dim = false
  package var underline = false
  package var reverse = false
  /// One of the terminal's own sixteen colours, so that it follows the user's scheme; nil for the default.
  package var color: Color?

  package init(
    bold: Bool = false, dim: Bool = false, underline: Bool = false, reverse: Bool = false, color: Color? = nil
  ) {
    self.bold = bold
    self.dim = dim
    self.underline = underline
    self.reverse = reverse
    self.color = color
  }

  package static let plain = Style()

  /// The numbers are those of the terminal's palette (ECMA-48, with 8 to 15 for the bright half).
  package enum Color: Int16, Sendable, Hashable, CaseIterable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite
  }
}
