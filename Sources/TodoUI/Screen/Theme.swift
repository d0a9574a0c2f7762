import Terminal
import TodoCore

/// What each thing on the screen looks like. A style adds to what the words and signs say and never says anything alone.
package struct Theme: Sendable, Equatable {
  var title = Style(bold: true)
  /// Added to the chosen row.
  var selected = Style(bold: true, reverse: true)
  var done = Style(dim: true)
  var quiet = Style(dim: true)
  var key = Style(bold: true)
  var field = Style(underline: true)
  var notice = Style(bold: true)
  var priority = Style(bold: true)
  var project = Style(color: .cyan)
  var context = Style(color: .green)
  var due = Style(color: .yellow)
  var dueToday = Style(bold: true, color: .yellow)
  var overdue = Style(bold: true, color: .red)
  var waiting = Style(color: .yellow)
  var inFlight = Style(color: .cyan)
  var conflict = Style(bold: true, color: .magenta)
  var refused = Style(bold: true, color: .red)
  var arrived = Style(bold: true, color: .green)
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
      \.title, \.selected, \.done, \.quiet, \.key, \.field, \.notice, \.priority, \.project, \.context, \.due,
      \.dueToday, \.overdue, \.waiting, \.inFlight, \.conflict, \.refused, \.arrived, \.marked, \.good, \.warning,
      \.bad, \.added, \.removed,
    ]
  }

  /// This theme with each style changed.
  func mapped(_ change: (Style) -> Style) -> Theme {
    Self.parts.reduce(into: self) { theme, part in theme[keyPath: part] = change(theme[keyPath: part]) }
  }
}

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
  /// Between what was typed and what was understood.
  let leadsTo: String
  /// The item has a note.
  let note: String

  static func of(_ charset: Charset) -> Glyphs {
    charset == .utf8 ? utf8 : ascii
  }

  private static let utf8 = Glyphs(
    waiting: "↑", inFlight: "…", conflict: "≠", refused: "!", arrived: "●", mark: "*", ellipsis: "…",
    separator: " · ", pull: "↓", release: "↑", leadsTo: "→", note: "≡")
  private static let ascii = Glyphs(
    waiting: "^", inFlight: "~", conflict: "#", refused: "!", arrived: "o", mark: "*", ellipsis: "...",
    separator: " - ", pull: "v", release: "^", leadsTo: "->", note: "=")

  /// None, where words are all there is.
  static func told(separator: String) -> Glyphs {
    Glyphs(
      waiting: "", inFlight: "", conflict: "", refused: "", arrived: "", mark: "", ellipsis: "", separator: separator,
      pull: "", release: "", leadsTo: "", note: "")
  }

  /// ASCII in both sets: it is drawn ten times a second, and read aloud by screen readers.
  static func spinner(_ step: Int) -> String {
    ["|", "/", "-", "\\"][step & 3]
  }
}

/// What the one cell before an item's text says, in the order of what matters most.
enum Badge: Equatable, Sendable, CaseIterable {
  case conflict, refused, inFlight, waiting, arrived, none

  /// A change that was sent without an answer waits like any other, until a refresh here sends it again.
  init(_ item: TodoItem?, isRefreshing: Bool) {
    switch item?.state {
    case .conflict: self = .conflict
    case .refused: self = .refused
    case .inFlight: self = isRefreshing ? .inFlight : .waiting
    case .waiting: self = .waiting
    case .synced, nil: self = item?.hasArrived == true ? .arrived : .none
    }
  }
}
