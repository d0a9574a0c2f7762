/// What the user may want otherwise than the surroundings say.
package struct TerminalOptions: Sendable, Hashable {
  package enum ColorChoice: Sendable, Hashable {
    /// What `NO_COLOR`, `COLORTERM` and the terminal's description say.
    case auto
    case never
    /// As many as the surroundings say, and eight where they say none.
    case always
    /// This many, whatever the surroundings say.
    case depth(ColorDepth)
  }

  package var color: ColorChoice
  /// Nil for what the locale says.
  package var charset: Charset?
  /// Whether presses of the mouse are told from the beginning. The terminal then selects text only with Shift held.
  package var mouse: Bool

  package init(color: ColorChoice = .auto, charset: Charset? = nil, mouse: Bool = false) {
    self.color = color
    self.charset = charset
    self.mouse = mouse
  }

  func depth(described colors: Int, environment: (String) -> String?) -> ColorDepth {
    switch color {
    case .auto: ColorDepth.found(described: colors, environment: environment)
    case .never: .none
    case .always:
      max(.eight, ColorDepth.found(described: colors) { $0 == "NO_COLOR" ? nil : environment($0) })
    case .depth(let depth): depth
    }
  }
}
