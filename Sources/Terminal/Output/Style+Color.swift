extension Style {
  /// The colour of text or of what is behind it.
  package enum Color: Sendable, Hashable {
    /// The terminal's own sixteen, so that they follow the user's scheme.
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite
    /// A number of xterm's palette: the sixteen, from 16 the cube, from 232 the greys.
    case indexed(UInt8)
    /// Red, green and blue, each to 255.
    case rgb(UInt8, UInt8, UInt8)

    static let sixteen: [Color] = [
      .black, .red, .green, .yellow, .blue, .magenta, .cyan, .white,
      .brightBlack, .brightRed, .brightGreen, .brightYellow, .brightBlue, .brightMagenta, .brightCyan, .brightWhite,
    ]

    /// The number in xterm's palette; nil for a colour that is no entry of it.
    var index: Int? {
      switch self {
      case .indexed(let index): Int(index)
      case .rgb: nil
      case .black, .red, .green, .yellow, .blue, .magenta, .cyan, .white, .brightBlack, .brightRed, .brightGreen,
        .brightYellow, .brightBlue, .brightMagenta, .brightCyan, .brightWhite:
        Self.sixteen.firstIndex(of: self)
      }
    }

    /// The nearest colour that a terminal of this depth can show; nil for the terminal's default.
    ///
    /// Bright black is the default where there are eight colours: as black it would not be seen on most backgrounds.
    package func shown(in depth: ColorDepth) -> Color? {
      switch depth {
      case .none: return nil
      case .trueColor: return normal
      case .palette256: return index == nil ? Palette.nearest(to: red, green, blue, among: 16..<256) : normal
      case .sixteen: return normal.isOwn ? normal : Palette.nearest(to: red, green, blue, among: 0..<16)
      case .eight:
        guard let color = shown(in: .sixteen), let index = color.index else { return nil }
        return color == .brightBlack ? nil : Self.sixteen[index % 8]
      }
    }

    /// Whether it is one of the terminal's own sixteen.
    private var isOwn: Bool { index.map { $0 < 16 } ?? false }

    /// The first sixteen of the palette under their names, so that one colour has one form.
    private var normal: Color {
      index.flatMap { $0 < 16 ? Self.sixteen[$0] : nil } ?? self
    }

    var red: Int { components.0 }
    var green: Int { components.1 }
    var blue: Int { components.2 }

    private var components: (Int, Int, Int) {
      if case .rgb(let red, let green, let blue) = self { return (Int(red), Int(green), Int(blue)) }
      return Palette.components(index ?? 0)
    }
  }
}
