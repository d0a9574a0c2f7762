import Terminal

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
