import Foundation
import Testing

@testable import TodoUI
@testable import Words

@Suite("The manual")
struct ManualTests {
  /// With `EBB_WRITE_MANUALS=1` the manuals are mended instead of found wrong.
  private static let mends = ProcessInfo.processInfo.environment["EBB_WRITE_MANUALS"] == "1"

  @Test(
    "has every command with its keys, as the table of commands has it, in every language",
    arguments: Language.allCases)
  func keys(language: Language) throws {
    let manual = Manual(language)
    if Self.mends { try manual.write(keys: manual.expectedKeys) }
    let difference = manual.expectedKeys.difference(from: try manual.keys()).map { change in
      switch change {
      case .insert(_, let line, _): "+ " + line
      case .remove(_, let line, _): "- " + line
      }
    }
    #expect(
      difference.isEmpty,
      """
      The manual in \(language.rawValue) differs from the table of commands; \
      EBB_WRITE_MANUALS=1 make test FILTER=ManualTests mends it:
      \(difference.joined(separator: "\n"))
      """)
  }

  @Test("shows every command", arguments: Language.allCases)
  func everyCommand(language: Language) {
    let lines = Manual(language).expectedKeys
    for command in Command.allCases {
      #expect(lines.count { $0.hasSuffix(" (\\fI\(command.name)\\fP)") } == 1, "\(command)")
    }
  }
}
