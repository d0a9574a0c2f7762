package import Terminal

/// Colours of the user's own, by what they are for. They take the place of the theme's.
package struct ThemeColors: Sendable, Equatable {
  private var colors: [Role: Style.Color] = [:]

  package init() {}

  /// The use of a colour. The raw value is its name in the configuration.
  package enum Role: String, Sendable, CaseIterable {
    case text, dim, accent, bar, selection, hairline
    case priorityA = "priority.a"
    case priorityB = "priority.b"
    case priorityC = "priority.c"
    case tag, project, context, date, today, overdue, waiting, conflict, arrived, ok, warning, error
  }

  package subscript(role: Role) -> Style.Color? {
    get { colors[role] }
    set { colors[role] = newValue }
  }

  /// The colours, that of a part after that of all of its kind.
  fileprivate var all: [(role: Role, color: Style.Color)] {
    Role.allCases.compactMap { role in colors[role].map { (role, $0) } }
  }
}

extension Theme {
  /// Until the terminal has told its background: its own colours, and nothing reversed that may be another colour a
  /// moment later, but for the chosen row.
  package static let asking: Theme = {
    var theme = Theme.terminal
    theme.bar = .plain
    return theme
  }()

  /// The designed theme for a background; nil between light and dark.
  package static func fitting(_ background: Style.Color) -> Theme? {
    let luminance = background.luminance
    return luminance <= 0.05 ? .dark : luminance >= 0.6 ? .light : nil
  }

  /// The background a terminal reports in `COLORFGBG`: `15;0` or `0;default;15`, text first and ground last. Nil if it
  /// says nothing of use.
  package static func background(inVariable value: String?) -> Style.Color? {
    guard let ground = value?.split(separator: ";").last, value?.contains(";") == true else { return nil }
    switch UInt8(ground) {
    case (0...6)?, 8: return .rgb(0, 0, 0)
    case 7, 15: return .rgb(255, 255, 255)
    case _?, nil: return nil
    }
  }

  /// The theme with colours of the user's own.
  package func with(_ own: ThemeColors) -> Theme {
    var theme = self
    for (role, color) in own.all {
      switch role {
      case .bar: theme.bar = Style(color: bar.color, background: color)
      case .selection: theme.selected = Style(color: selected.color, background: color)
      case .text, .dim, .accent, .hairline, .priorityA, .priorityB, .priorityC, .tag, .project, .context, .date, .today,
        .overdue,
        .waiting, .conflict, .arrived, .ok, .warning, .error:
        for part in role.parts {
          theme[keyPath: part].color = color
          theme[keyPath: part].dim = false
        }
      }
    }
    theme.bar = theme.bar.readable(preferring: own[.text])
    theme.selected = theme.selected.readable(preferring: own[.text])
    return theme
  }
}

extension Style {
  /// Text on a ground that is painted has a colour too: the terminal's own may be that of the ground. The first that
  /// can be read there: the one that is wanted, the theme's, or else black or white.
  fileprivate func readable(preferring wanted: Color?) -> Style {
    guard let background else { return self }
    let contrast = { (color: Color) in
      let (dark, light) = (min(color.luminance, background.luminance), max(color.luminance, background.luminance))
      return (light + 0.05) / (dark + 0.05)
    }
    let ends = [Color.rgb(0, 0, 0), .rgb(255, 255, 255)].sorted { contrast($0) > contrast($1) }
    var style = self
    style.color = ([wanted, color].compactMap(\.self) + ends).first { contrast($0) >= 4.5 } ?? ends[0]
    return style
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
    case .tag: [\.project, \.context]
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
