import Terminal
import TodoCore

/// The look of each thing on the screen. A style adds to what the words and signs say and never says anything alone.
package struct Theme: Sendable, Equatable {
  /// Of all text that has no colour of its own.
  var text = Style()
  var title = Style(bold: true)
  /// Behind the title and the hints.
  var bar = Style(dim: true, reverse: true)
  /// The name of the view that is shown, in the title.
  var tab = Style(bold: true, underline: true)
  /// Behind the whole of the chosen row. The parts of the row keep their own colours if this one has a background.
  var selected = Style(bold: true, reverse: true)
  /// The edge of the chosen row.
  var edge = Style(bold: true)
  var heading = Style(bold: true)
  var hairline = Style(dim: true)
  var done = Style(dim: true)
  var quiet = Style(dim: true)
  var key = Style(bold: true)
  var field = Style(underline: true)
  var notice = Style(bold: true)
  var priorityA = Style(bold: true, color: .red)
  var priorityB = Style(bold: true, color: .yellow)
  var priorityC = Style(bold: true, color: .blue)
  /// Of all other letters.
  var priority = Style(bold: true)
  var project = Style(color: .cyan)
  var context = Style(color: .green)
  /// A date within the next days, and one after them.
  var due = Style()
  var dueLater = Style(dim: true)
  var dueToday = Style(color: .yellow)
  var overdue = Style(bold: true, color: .red)
  var waiting = Style(color: .yellow)
  var inFlight = Style(color: .cyan)
  var conflict = Style(bold: true, color: .red)
  var refused = Style(bold: true, color: .red)
  var arrived = Style(bold: true, color: .magenta)
  var marked = Style(bold: true, color: .blue)
  var good = Style(color: .green)
  var warning = Style(color: .yellow)
  var bad = Style(bold: true, color: .red)
  var added = Style(color: .green)
  var removed = Style(color: .red)

  /// The terminal's own sixteen colours, so that it follows the user's scheme, light or dark.
  package static let terminal = Theme()

  /// All the parts of a theme.
  static var parts: [WritableKeyPath<Theme, Style>] {
    [
      \.text, \.title, \.bar, \.tab, \.selected, \.edge, \.heading, \.hairline, \.done, \.quiet, \.key, \.field,
      \.notice,
      \.priorityA, \.priorityB, \.priorityC, \.priority, \.project, \.context, \.due, \.dueLater, \.dueToday,
      \.overdue, \.waiting, \.inFlight, \.conflict, \.refused, \.arrived, \.marked, \.good, \.warning, \.bad,
      \.added, \.removed,
    ]
  }

  /// This theme with each style changed.
  func mapped(_ change: (Style) -> Style) -> Theme {
    Self.parts.reduce(into: self) { theme, part in theme[keyPath: part] = change(theme[keyPath: part]) }
  }

  func priority(_ letter: Character) -> Style {
    switch letter {
    case "A": priorityA
    case "B": priorityB
    case "C": priorityC
    default: priority
    }
  }
}

/// A theme as one asks for it. The raw value is its name in the configuration.
package enum ThemeChoice: String, Sendable, CaseIterable {
  /// The one that fits the background of the terminal.
  case auto
  case terminal, light, dark, plain

  /// Nil for the one that fits the background.
  package var theme: Theme? {
    switch self {
    case .auto: nil
    case .terminal: .terminal
    case .light: .light
    case .dark: .dark
    case .plain: .plain
    }
  }
}

extension Theme {

  /// For dark text on white or nearly white.
  package static let light = terminal.wearing(.light)

  /// For light text on black or nearly black.
  package static let dark = terminal.wearing(.dark)

  /// No colours and nothing faint: bold, underlined and reversed text alone.
  package static let plain = terminal.mapped { style in
    Style(bold: style.bold, underline: style.underline, reverse: style.reverse)
  }

  /// For a terminal of which nobody knows whether it is black or white: colours of xterm's palette that lie between the
  /// two, and nothing painted.
  static let neutral = terminal.wearing([
    .red: .indexed(161), .green: .indexed(28), .yellow: .indexed(130), .blue: .indexed(63), .magenta: .indexed(163),
    .cyan: .indexed(30), .brightBlack: .indexed(243),
  ])

  /// For a white terminal that shows no colours but its own, of which yellow, green and cyan can't be read there.
  static let fewOnLight = terminal.wearing([.yellow: .magenta, .green: .blue, .cyan: .blue])

  /// The colours in place of the terminal's; grey in place of dim text, which is hard to read on many
  /// terminals.
  private func wearing(_ colors: [Style.Color: Style.Color]) -> Theme {
    mapped { style in
      if style.reverse { return style }
      var style = style
      if style.dim { style.color = .brightBlack }
      style.dim = false
      style.color = style.color.map { colors[$0] ?? $0 }
      return style
    }
  }

  private func wearing(_ scheme: ColorScheme) -> Theme {
    var theme = wearing(scheme.colors)
    theme.bar = Style(color: scheme.text, background: scheme.bar)
    theme.selected = Style(color: scheme.text, background: scheme.selection)
    theme.tab.color = scheme.accent
    theme.edge.color = scheme.accent
    theme.heading.color = scheme.accent
    theme.hairline.color = scheme.hairline
    return theme
  }
}

/// The colours of a designed theme. Every text has a contrast of at least 4.5 to the background, to the bar and to the
/// selection (WCAG 2.2, 1.4.3); grey text in the chosen row has the colour of text instead.
private struct ColorScheme {
  /// One step and two steps from the background of the terminal.
  let bar: Style.Color
  let selection: Style.Color
  let text: Style.Color
  let hairline: Style.Color
  let accent: Style.Color
  /// In place of the terminal's sixteen; bright black is grey text.
  let colors: [Style.Color: Style.Color]

  static let dark = ColorScheme(
    bar: .rgb(0x1D, 0x1F, 0x29), selection: .rgb(0x27, 0x2C, 0x3F), text: .rgb(0xD2, 0xD4, 0xDC),
    hairline: .rgb(0x45, 0x4A, 0x5C), accent: .rgb(0x7A, 0xA2, 0xFF),
    colors: [
      .red: .rgb(0xFF, 0x8A, 0x80), .green: .rgb(0x8F, 0xD9, 0x95), .yellow: .rgb(0xF0, 0xC6, 0x74),
      .blue: .rgb(0x7A, 0xA2, 0xFF), .magenta: .rgb(0xE6, 0xA0, 0xF0), .cyan: .rgb(0x7F, 0xD7, 0xE8),
      .brightBlack: .rgb(0x8B, 0x90, 0xA3),
    ])

  static let light = ColorScheme(
    bar: .rgb(0xF1, 0xF1, 0xEA), selection: .rgb(0xE3, 0xE9, 0xFA), text: .rgb(0x24, 0x26, 0x2E),
    hairline: .rgb(0xC9, 0xCC, 0xD6), accent: .rgb(0x1D, 0x4F, 0xB8),
    colors: [
      .red: .rgb(0xA8, 0x1C, 0x1C), .green: .rgb(0x1A, 0x66, 0x2B), .yellow: .rgb(0x7A, 0x4E, 0x00),
      .blue: .rgb(0x1D, 0x4F, 0xB8), .magenta: .rgb(0x8A, 0x24, 0x86), .cyan: .rgb(0x00, 0x5F, 0x73),
      .brightBlack: .rgb(0x66, 0x6B, 0x7A),
    ])
}

/// The signs the list is drawn with. Each is one column, but for the ellipsis of the plain set.
struct Glyphs: Equatable, Sendable {
  let waiting: String
  let inFlight: String
  let conflict: String
  let refused: String
  let arrived: String
  let mark: String
  let ellipsis: String
  let separator: String
  let pull: String
  let release: String
  /// The left edge of the chosen row.
  let edge: String
  /// Continues headings and parts columns.
  let hairline: String
  /// The part of a bar that is done.
  let filled: String
  let column: String
  /// Between what was typed and what was understood.
  let leadsTo: String
  /// The item has a note.
  let note: String

  static func of(_ charset: Charset) -> Glyphs {
    charset == .utf8 ? utf8 : ascii
  }

  private static let utf8 = Glyphs(
    waiting: "↑", inFlight: "…", conflict: "≠", refused: "!", arrived: "●", mark: "*", ellipsis: "…",
    separator: " · ", pull: "↓", release: "↑", edge: "▌", hairline: "─", filled: "━", column: "│",
    leadsTo: "→", note: "≡")
  private static let ascii = Glyphs(
    waiting: "^", inFlight: "~", conflict: "#", refused: "!", arrived: "o", mark: "*", ellipsis: "...",
    separator: " - ", pull: "v", release: "^", edge: "|", hairline: "-", filled: "#", column: "|",
    leadsTo: "->", note: "=")

  /// None, where words are all there is.
  static func told(separator: String) -> Glyphs {
    Glyphs(
      waiting: "", inFlight: "", conflict: "", refused: "", arrived: "", mark: "", ellipsis: "", separator: separator,
      pull: "", release: "", edge: "", hairline: "", filled: "", column: "", leadsTo: "", note: "")
  }

  /// ASCII in both sets: it is drawn ten times a second, and read aloud by screen readers.
  static func spinner(_ step: Int) -> String {
    ["|", "/", "-", "\\"][step & 3]
  }
}

/// The sign in the one cell before an item's text, in the order of what matters most.
enum Badge: Equatable, Sendable, CaseIterable {
  case conflict, refused, inFlight, waiting, arrived, none

  /// A change that was sent without an answer waits like any other, until a refresh here sends it again. Without a
  /// server nothing waits.
  init(_ item: TodoItem?, _ signs: SyncSigns) {
    switch item?.state {
    case .conflict: self = .conflict
    case .refused: self = .refused
    case .inFlight, .waiting:
      let isSent = item?.state == .inFlight && signs.isRefreshing
      self = !signs.hasServer ? .none : isSent ? .inFlight : .waiting
    case .synced, nil: self = item?.hasArrived == true ? .arrived : .none
    }
  }
}

/// The state, beside the rows, that the signs of the rows depend on.
struct SyncSigns: Equatable, Sendable {
  var isRefreshing = false
  var hasServer = true
}
