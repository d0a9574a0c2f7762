import Glibc

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

  /// As a terminal of this depth can show it. A background of its own needs 256 colours: with fewer the text is
  /// reversed instead, in one colour, so that it can be read on whatever the terminal's own colours are.
  func shown(in depth: ColorDepth) -> Style {
    guard depth < .palette256, let background, background.index == nil else { return self }
    var style = self
    style.background = nil
    style.color = nil
    style.reverse = true
    return style
  }
}

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

    /// From 0 for black to 1 for white, as eyes have it (WCAG 2.2, relative luminance).
    package var luminance: Double {
      let linear = [red, green, blue].map { part in
        let value = Double(part) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// As a person writes it: `red`, `bright-red`, a number of the palette, or `#ff8800`. Nil for anything else.
    package init?(named name: String) {
      let words = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
      ]
      let name = name.lowercased()
      if let index = (words + words.map { "bright-" + $0 }).firstIndex(of: name) {
        self = Self.sixteen[index]
      } else if let index = UInt8(name), name.allSatisfy(\.isASCII) {
        self = index < 16 ? Self.sixteen[Int(index)] : .indexed(index)
      } else if name.utf8.count == 7, name.first == "#", name.dropFirst().allSatisfy(\.isHexDigit),
        let value = Int(name.dropFirst(), radix: 16)
      {
        self = .rgb(UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
      } else {
        return nil
      }
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

/// How many colours a terminal can show.
package enum ColorDepth: Int, Sendable, Hashable, Comparable, CaseIterable {
  case none, eight, sixteen
  /// The sixteen, a cube of 216 and 24 greys, as xterm has them.
  case palette256
  /// Any colour of 24 bits.
  case trueColor

  package static func < (first: ColorDepth, second: ColorDepth) -> Bool {
    first.rawValue < second.rawValue
  }

  /// The depth found in the surroundings. `NO_COLOR` set and not empty means none (https://no-color.org); `COLORTERM`
  /// reports true colour, for which most descriptions of terminals have no word; otherwise the description counts.
  static func found(described colors: Int, environment: (String) -> String?) -> ColorDepth {
    if let setting = environment("NO_COLOR"), !setting.isEmpty { return .none }
    if colors < 8 { return .none }
    if ["truecolor", "24bit"].contains(environment("COLORTERM")) || colors >= 1 << 24 { return .trueColor }
    return colors < 16 ? .eight : colors < 256 ? .sixteen : .palette256
  }
}

/// xterm's palette of 256 colours. The first sixteen are what it shows when the user has not chosen others.
enum Palette {
  static func components(_ index: Int) -> (Int, Int, Int) {
    switch index {
    case ..<16: return sixteen[max(0, index)]
    case 16..<232:
      let place = index - 16
      return (levels[place / 36], levels[place / 6 % 6], levels[place % 6])
    default:
      let grey = 8 + 10 * (min(index, 255) - 232)
      return (grey, grey, grey)
    }
  }

  /// The entry with the least distance, red and blue counting for less than green, as eyes have it.
  static func nearest(to red: Int, _ green: Int, _ blue: Int, among indices: Range<Int>) -> Style.Color {
    func distance(_ index: Int) -> Int {
      let other = components(index)
      let (reds, greens, blues) = (other.0 - red, other.1 - green, other.2 - blue)
      return 3 * reds * reds + 6 * greens * greens + blues * blues
    }
    let index = indices.min { distance($0) < distance($1) } ?? 0
    return index < 16 ? Style.Color.sixteen[index] : .indexed(UInt8(index))
  }

  private static let levels = [0, 95, 135, 175, 215, 255]

  private static let sixteen = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]
}

/// Numbers for the pairs of text and background colour that have been used, as ncurses wants them.
struct ColorPairs {
  /// Two of ncurses' colour numbers, -1 for the default.
  struct Pair: Equatable {
    var text: Int32
    var background: Int32
  }

  /// In the order of their numbers, from 1. A list, since a screen has few and a dictionary takes longer to begin with.
  private var pairs: [Pair] = []
  /// How many the terminal allows, the default's 0 among them.
  private let limit: Int32

  init(limit: Int32) {
    self.limit = limit
  }

  /// The pair's number, and whether it is new and has to be told to ncurses. The default's when there is no more room.
  mutating func number(of pair: Pair) -> (number: Int32, isNew: Bool) {
    if pair == Pair(text: -1, background: -1) { return (0, false) }
    if let index = pairs.firstIndex(of: pair) { return (Int32(index) + 1, false) }
    let number = Int32(pairs.count) + 1
    guard number < limit else { return (0, false) }
    pairs.append(pair)
    return (number, true)
  }

  /// ncurses' number for a colour; -1 for none. A terminal of direct colours (`colors` is then 2 to the 24th) takes
  /// red, green and blue as one number and has only eight of its own; elsewhere it is the number in the palette.
  static func cursesNumber(of color: Style.Color?, depth: ColorDepth, colors: Int) -> Int32 {
    let isDirect = colors >= 1 << 24
    guard let color = color?.shown(in: isDirect ? depth : min(depth, .palette256)) else { return -1 }
    if let index = color.index, isDirect ? index < 8 : true { return index < colors ? Int32(index) : -1 }
    // The eight lowest numbers are the terminal's own: a black with a trace of blue is black.
    let number = Int32(color.red << 16 | color.green << 8 | color.blue)
    return number < 8 ? 0 : number
  }
}
