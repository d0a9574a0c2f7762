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
    try #require(Theme.named.first { $0.key == name }?.value)
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

  @Test("colours can be read: the contrast is 4.5 and more, also where a terminal has only 256 of them")
  func contrast() throws {
    for (name, ground) in [("light", 1.0), ("dark", 0.0)] {
      let theme = try theme(name)
      for part in Theme.parts {
        guard let color = theme[keyPath: part].color else { continue }
        for depth in [ColorDepth.trueColor, .palette256] {
          let shown = try #require(color.shown(in: depth))
          let contrast = Self.contrast(Self.luminance(shown), ground)
          #expect(contrast >= 4.5, "\(name): \(shown) has \(contrast)")
        }
      }
    }
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
