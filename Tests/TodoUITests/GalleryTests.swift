import Foundation
import Testing

@testable import Terminal
@testable import TodoUI
@testable import Words

/// Compares every view, in each ``Style``, with its screen in `Screens/`, which is meant to be read. `EBB_RECORD=1`
/// writes the screens again; the difference to the last commit then shows what changed.
@Suite("Every view as text")
struct GalleryTests {
  struct Style: Sendable, CustomTestStringConvertible {
    let name: String
    let language: Language
    var charset = Charset.utf8
    let size: Size

    var testDescription: String { "\(name)-\(size.columns)x\(size.rows)" }
    var catalogue: Catalogue { Catalogue.of(language) }

    static let all = [(80, 24), (40, 10), (120, 30), (200, 60)].flatMap { columns, rows in
      let size = Size(columns: columns, rows: rows)
      return Language.allCases.map { Style(name: $0.rawValue, language: $0, size: size) }
        + [Style(name: "ascii", language: .english, charset: .ascii, size: size)]
    }
  }

  @Test("each screen is the recorded one", arguments: Style.all)
  func screens(style: Style) throws {
    let now =
      Gallery.allCases.map {
        "=== \($0.rawValue)\n" + Self.squeezed($0.screen(style.size, style.catalogue, style.charset))
      }
      .joined(separator: "\n") + "\n"
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Screens/\(style.testDescription).txt")
    if ProcessInfo.processInfo.environment["EBB_RECORD"] == "1" {
      try now.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let before = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    let difference = now.split(separator: "\n", omittingEmptySubsequences: false).difference(from: before)
    #expect(difference.isEmpty, "\(difference.prefix(20).map { "\($0)" }.joined(separator: "\n"))")
  }

  @Test("fits its terminal, and no text of it is missing", arguments: Style.all)
  func layout(style: Style) {
    let names =
      StringKey.allCases.map(\.rawValue) + NoticeKey.allCases.map(\.rawValue) + PluralKey.allCases.map(\.rawValue)
      + HistoryKey.allCases.map(\.rawValue)
    let keys = Set(names).filter { $0.contains(".") }
    for view in Gallery.allCases {
      let screen = view.screen(style.size, style.catalogue, style.charset)
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == style.size.rows, "\(view)")
      #expect(lines.allSatisfy { TextWidth.columns(of: String($0)) <= style.size.columns }, "\(view)\n\(screen)")
      #expect(!lines.contains { line in line.split(separator: " ").contains { keys.contains(String($0)) } }, "\(view)")
      #expect(!screen.contains(/\{[A-Za-z]/), "\(view)\n\(screen)")
    }
  }

  /// Runs of empty rows as one line that counts them: most of a large screen is empty.
  private static func squeezed(_ screen: String) -> String {
    var lines: [String] = []
    var empty = 0
    for line in screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.isEmpty {
        empty += 1
      } else {
        lines += told(empty) + [line]
        empty = 0
      }
    }
    return (lines + told(empty)).joined(separator: "\n")
  }

  private static func told(_ empty: Int) -> [String] {
    empty < 2 ? Array(repeating: "", count: empty) : ["(\(empty) empty rows)"]
  }
}
