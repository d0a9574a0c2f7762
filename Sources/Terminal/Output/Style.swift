/// How a run of text is drawn. It adds to what the text says and never says anything alone.
package struct Style: Sendable, Hashable {
  package var bold = false
  package var dim = false
  package var underline = false
  package var reverse = false
  /// Nil for the terminal's default.
  package var color: Color?
  package var background: Color?

  package init(
    bold: Bool = false, dim: Bool = false, underline: Bool = false, reverse: Bool = false, color: Color? = nil,
    background: Color? = nil
  ) {
    self.bold = bold
    self.dim = dim
    self.underline = underline
    self.reverse = reverse
    self.color = color
    self.background = background
  }

  package static let plain = Style()
}
