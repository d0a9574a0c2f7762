package import Terminal

/// Colours of the user's own, by what they are for. They take the place of the theme's.
package struct ThemeColors: Sendable, Equatable {
  private var colors: [Role: Style.Color] = [:]

  package init() {}

  /// What a colour is for. The raw value is its name in the configuration.
  package enum Role: String, Sendable, CaseIterable {
    case text, dim, accent, bar, selection, hairline
    case priorityA = "priority.a"
    case priorityB = "priority.b"
    case priorityC = "priority.c"
    case project, context, date, today, overdue, waiting, conflict, arrived, ok, warning, error
  }

  package subscript(role: Role) -> Style.Color? {
    get { colors[role] }
    set { colors[role] = newValue }
  }

  fileprivate var all: [Role: Style.Color] { colors }
}

extension Theme {
  /// Until the terminal has told its background: its own colours, and nothing reversed that may be another colour a moment
  /// later, but for the chosen row.
  package static let asking: Theme = {
    var theme = Theme.terminal
    theme.bar = .plain
    return theme
  }()

  /// The designed theme for a background; nil between light and dark.
  static func fitting(_ background: Style.Color) -> Theme? {
    switch background.luminance {
    case ...0.05: .dark
    case 0.6...: .light
    default: nil
    }
  }

  /// The theme with colours of the user's own.
  package func with(_ own: ThemeColors) -> Theme {
    own.all.reduce(into: self) { theme, entry in
      let (role, color) = entry
      switch role {
      case .bar: theme.bar = Style(background: color)
      case .selection: theme.selected = Style(color: selected.color, background: color)
      case .text, .dim, .accent, .hairline, .priorityA, .priorityB, .priorityC, .project, .context, .date, .today,
        .overdue,
        .waiting, .conflict, .arrived, .ok, .warning, .error:
        for part in role.parts {
          theme[keyPath: part].color = color
          theme[keyPath: part].dim = false
        }
      }
    }
  }
}

extension ThemeColors.Role {
  /// The parts of the theme whose text has this colour.
  fileprivate var parts: [WritableKeyPath<Theme, Style>] {
    switch self {
    case .text: [\.text]
    case .dim: [\.quiet, \.done, \.dueLater]
    case .accent: [\.tab, \.edge, \.heading, \.marked]
    case .bar, .selection: []
    case .hairline: [\.hairline]
    case .priorityA: [\.priorityA]
    case .priorityB: [\.priorityB]
    case .priorityC: [\.priorityC]
    case .project: [\.project]
    case .context: [\.context]
    case .date: [\.due]
    case .today: [\.dueToday]
    case .overdue: [\.overdue]
    case .waiting: [\.waiting]
    case .conflict: [\.conflict]
    case .arrived: [\.arrived]
    case .ok: [\.good, \.added]
    case .warning: [\.warning]
    case .error: [\.bad, \.refused, \.removed]
    }
  }
}
