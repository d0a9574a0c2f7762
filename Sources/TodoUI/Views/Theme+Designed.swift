import Terminal

extension Theme {
  /// The themes by their names in the configuration.
  package static var named: KeyValuePairs<String, Theme> {
    ["terminal": .terminal, "light": .light, "dark": .dark, "plain": .plain]
  }

  /// For dark text on white or nearly white. Every colour has a contrast of at least 4.5 to white (WCAG 2.2, 1.4.3).
  package static let light = terminal.wearing([
    .red: .rgb(0xA8, 0x1C, 0x1C), .green: .rgb(0x1A, 0x66, 0x2B), .yellow: .rgb(0x7A, 0x4E, 0x00),
    .blue: .rgb(0x1D, 0x4F, 0xB8), .magenta: .rgb(0x8A, 0x24, 0x86), .cyan: .rgb(0x00, 0x5F, 0x73),
    .brightBlack: .rgb(0x5A, 0x5A, 0x5A),
  ])

  /// For light text on black or nearly black. Every colour has a contrast of at least 4.5 to black (WCAG 2.2, 1.4.3).
  package static let dark = terminal.wearing([
    .red: .rgb(0xFF, 0x8A, 0x80), .green: .rgb(0x8F, 0xD9, 0x95), .yellow: .rgb(0xF0, 0xC6, 0x74),
    .blue: .rgb(0x9D, 0xB8, 0xFF), .magenta: .rgb(0xE6, 0xA0, 0xF0), .cyan: .rgb(0x7F, 0xD7, 0xE8),
    .brightBlack: .rgb(0xA8, 0xA8, 0xA8),
  ])

  /// No colours and nothing faint: bold, underlined and reversed text alone.
  package static let plain = terminal.mapped { style in
    Style(bold: style.bold, underline: style.underline, reverse: style.reverse)
  }

  /// Other colours in place of the terminal's; grey in place of dim text, which is hard to read on many terminals.
  private func wearing(_ colors: [Style.Color: Style.Color]) -> Theme {
    mapped { style in
      var style = style
      if style.dim { style.color = .brightBlack }
      style.dim = false
      style.color = style.color.map { colors[$0] ?? $0 }
      return style
    }
  }
}
