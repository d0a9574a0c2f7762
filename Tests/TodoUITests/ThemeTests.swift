import Foundation
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("The themes")
struct ThemeTests {
  private static let themes = ["terminal", "light", "dark", "plain"]

  private func theme(_ name: String) throws -> Theme {
    try #require(ThemeChoice(rawValue: name)?.theme)
  }

  @Test("no two states differ by colour alone", arguments: themes, [Charset.utf8, .ascii])
  func states(name: String, charset: Charset) throws {
    var preferences = Preferences()
    preferences.theme = try theme(name)
    let context = ScreenView(Desk([], charset: charset, preferences: preferences).model)
    let signs = Badge.allCases.map { context.badge($0).text }
    #expect(Set(signs).count == Badge.allCases.count, "\(signs)")
  }

  @Test("no two things look other only by colour and say nothing: without colours every screen reads the same")
  func sameWords() throws {
    let items = [
      TodoItem(id: "1", text: "(A) one +p @c due:2026-11-20", state: .waiting), TodoItem(id: "2", text: "two"),
      TodoItem(id: "3", text: "three", complete: true, state: .conflict, hasArrived: true),
    ]
    let screens = try Self.themes.map { name in
      var preferences = Preferences()
      preferences.theme = try theme(name)
      var desk = Desk(items: items, preferences: preferences)
      desk.survey()
      return desk.screen
    }
    #expect(Set(screens).count == 1)
  }

  /// The lines are no text.
  private static var texts: [WritableKeyPath<Theme, Style>] { Theme.parts.filter { $0 != \.hairline } }

  @Test(
    "colours can be read on the terminal, on a bar and in the chosen row: the contrast is 4.5 and more, also where a terminal has only 256 of them",
    arguments: [ColorDepth.trueColor, .palette256])
  func contrast(depth: ColorDepth) throws {
    for (name, ground) in [("light", 1.0), ("dark", 0.0)] {
      let theme = try theme(name)
      let luminance = { (color: Style.Color?) in try Self.luminance(#require(color?.shown(in: depth))) }
      let bar = try luminance(theme.bar.background)
      let selection = try luminance(theme.selected.background)
      #expect(try Self.contrast(luminance(theme.selected.color), selection) >= 4.5)
      for part in Self.texts {
        let style = theme[keyPath: part]
        guard let color = style.color else { continue }
        // Grey text has the colour of text in the chosen row.
        let isGrey = style.color == theme.quiet.color
        for ground in [ground, bar] + (isGrey ? [] : [selection]) {
          let contrast = try Self.contrast(luminance(color), ground)
          #expect(contrast >= 4.5, "\(name): \(color) has \(contrast)")
        }
      }
    }
  }

  @Test("where a terminal has few colours the chosen row is reversed, in one colour", arguments: ["light", "dark"])
  func fewColours(name: String) throws {
    let selected = try theme(name).selected + Style(bold: true, color: .red)
    for depth in [ColorDepth.none, .eight, .sixteen] {
      #expect(selected.shown(in: depth) == Style(bold: true, reverse: true))
    }
    #expect(selected.shown(in: .palette256) == selected)
  }

  @Test("the designed ones use no dim text, and the plain one no colours either")
  func plain() throws {
    for name in ["light", "dark", "plain"] {
      let theme = try theme(name)
      #expect(Theme.parts.allSatisfy { !theme[keyPath: $0].dim })
    }
    #expect(
      Theme.parts.allSatisfy { Theme.plain[keyPath: $0].color == nil && Theme.plain[keyPath: $0].background == nil })
    #expect(Theme.plain.selected.reverse && Theme.plain.title.bold)
  }

  @Test(
    "auto takes the light or the dark theme for the background the terminal tells, keeps the terminal's own colours in between, and the user's in each",
    arguments: [
      (Style.Color.rgb(0x15, 0x16, 0x1C), "dark"), (.rgb(0xFD, 0xF6, 0xE3), "light"),
      (.rgb(0x77, 0x77, 0x77), "terminal"),
    ])
  func auto(background: Style.Color, name: String) throws {
    var preferences = Preferences()
    preferences.colors[.overdue] = .indexed(208)
    preferences.theme = Theme.asking.with(preferences.colors)
    var fixed = Desk(["a"], preferences: preferences)
    fixed.tell(.background(background))
    #expect(fixed.model.screen.preferences.theme == preferences.theme)
    preferences.themeChoice = .auto
    var desk = Desk(["a"], preferences: preferences)
    let before = desk.screen
    desk.tell(.background(background))
    #expect(desk.model.screen.preferences.theme == (try theme(name)).with(preferences.colors))
    #expect(desk.model.screen.preferences.theme.overdue.color == .indexed(208))
    #expect(desk.screen == before)
    // That all is answered comes last, and alone from a terminal that does not tell.
    desk.tell(.background(nil))
    #expect(desk.model.screen.preferences.theme == (try theme(name)).with(preferences.colors))
    var silent = Desk(["a"], preferences: preferences)
    silent.tell(.background(nil))
    #expect(silent.model.screen.preferences.theme == Theme.neutral.with(preferences.colors))
    var few = Desk(["a"], preferences: preferences)
    few.tell(.fewColors)
    #expect(few.model.screen.preferences.theme == Theme.terminal.with(preferences.colors))
  }

  @Test("a white terminal of few colours gets none that can't be read on it")
  func fewColorsOnWhite() {
    var preferences = Preferences()
    preferences.themeChoice = .auto
    preferences.background = Theme.background(inVariable: "0;15")
    var desk = Desk(["a"], preferences: preferences)
    desk.tell(.fewColors)
    let theme = desk.model.screen.preferences.theme
    for part in Self.texts {
      guard let color = theme[keyPath: part].color else { continue }
      #expect(Self.contrast(Self.luminance(color), 1) >= 3, "\(part): \(color)")
    }
  }

  @Test("where the background is not known, colours can be read on black and on white", arguments: [1.0, 0.0])
  func neutral(ground: Double) throws {
    for part in Self.texts {
      guard let color = Theme.neutral[keyPath: part].color else { continue }
      #expect(color.shown(in: .palette256) == color)
      #expect(Self.contrast(Self.luminance(color), ground) >= 4, "\(color)")
    }
  }

  @Test(
    "what the terminal's variable says of its background is understood",
    arguments: [
      ("15;0", "dark"), ("7;default;8", "dark"), ("0;15", "light"), ("0;default;7", "light"), ("12;9", nil),
      ("default;default", nil), ("15", nil), ("", nil), (nil, nil),
    ] as [(String?, String?)])
  func variable(value: String?, name: String?) throws {
    #expect(try Theme.background(inVariable: value).flatMap(Theme.fitting) == name.map(theme))
  }

  @Test("text on a painted ground has a colour, on every screen, in every theme and with every colour of one's own")
  func painted() throws {
    var themes: [(String, Theme)] = try Self.themes.map { ($0, try self.theme($0)) } + [("neutral", .neutral)]
    for role in ThemeColors.Role.allCases {
      for color in [Style.Color.rgb(0xFA, 0xFA, 0xFA), .rgb(5, 5, 5), .yellow] {
        var colors = ThemeColors()
        colors[role] = color
        themes += [("\(role) dark", Theme.dark.with(colors)), ("\(role) terminal", Theme.terminal.with(colors))]
      }
    }
    for (name, theme) in themes {
      for view in Gallery.allCases {
        let spans = view.desk(Size(columns: 120, rows: 24), theme: theme).frame.lines.flatMap(\.spans)
        let bare = spans.first { $0.style.background != nil && $0.style.color == nil && $0.text.contains { $0 != " " } }
        #expect(bare == nil, "\(name), \(view): \(bare?.text ?? "")")
      }
      for ground in [theme.bar, theme.selected] {
        guard let background = ground.background, let color = ground.color else { continue }
        #expect(Self.contrast(Self.luminance(color), Self.luminance(background)) >= 4.5, "\(name)")
      }
    }
  }

  @Test("a colour for tags is that of projects and contexts, unless one of these has its own")
  func tags() {
    var colors = ThemeColors()
    (colors[.tag], colors[.context]) = (.indexed(201), .indexed(202))
    let theme = Theme.dark.with(colors)
    #expect(theme.project.color == .indexed(201) && theme.context.color == .indexed(202))
  }

  @Test("each colour of the user's own changes something, and text without a colour takes that of text")
  func ownColours() {
    for role in ThemeColors.Role.allCases {
      var colors = ThemeColors()
      colors[role] = .indexed(201)
      #expect(Theme.dark.with(colors) != .dark, "\(role)")
    }
    var preferences = Preferences()
    var colors = ThemeColors()
    colors[.text] = .indexed(201)
    preferences.theme = Theme.dark.with(colors)
    let spans = Desk(["milk +shop"], preferences: preferences).frame.lines.flatMap(\.spans)
    #expect(spans.allSatisfy { $0.style.color != nil })
    #expect(spans.contains { $0.style.color == .indexed(201) })
  }

  @Test("every part of a theme is among its parts")
  func parts() {
    #expect(Mirror(reflecting: Theme.terminal).children.count == Theme.parts.count)
    #expect(Set(Theme.parts).count == Theme.parts.count)
  }

  /// WCAG 2.2, relative luminance and contrast ratio.
  private static func luminance(_ color: Style.Color) -> Double {
    let linear = [color.red, color.green, color.blue].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  private static func contrast(_ first: Double, _ second: Double) -> Double {
    (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }
}
