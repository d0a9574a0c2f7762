import Foundation

@testable import TodoUI
@testable import Words

/// The manual in one language, and the part of it that is made from the table of commands.
struct Manual {
  let language: Language
  private let file: URL

  init(_ language: Language, file: String = #filePath) {
    let folder =
      switch language {
      case .english: "man/"
      case .spanish: "man/es/"
      case .japanese: "man/ja/"
      case .traditionalChinese: "man/zh_TW/"
      }
    self.language = language
    self.file = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Resources/\(folder)ebb.1")
  }

  /// The lines about keys, as they stand there.
  func keys() throws -> [String] {
    let lines = try lines()
    guard let bounds = Self.bounds(lines) else { return [] }
    return Array(lines[bounds])
  }

  /// Puts these lines where those about keys are.
  func write(keys: [String]) throws {
    var lines = try lines()
    guard let bounds = Self.bounds(lines) else { return }
    lines.replaceSubrange(bounds, with: keys)
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
  }

  /// The lines as the table of commands and the language have them: place by place, each command where it comes first.
  var expectedKeys: [String] {
    let text = Catalogue.of(language)
    var shown: Set<Command> = []
    return [".PD 0"]
      + Place.allCases.flatMap { place in
        let commands = CommandTable.commands(in: place).filter { shown.insert($0).inserted }
        return commands.isEmpty ? [] : [".SS " + text.name(of: place)] + commands.flatMap { entry($0, in: place, text) }
      } + [".PD"]
  }

  private func entry(_ command: Command, in place: Place, _ text: Catalogue) -> [String] {
    let keys = Keymap.standard.names(of: command, in: place).joined(separator: " ")
    return [".TP 20", ".B " + keys.replacing("-", with: "\\-"), text.help(command) + " (\\fI\(command.name)\\fP)"]
  }

  private func lines() throws -> [String] {
    try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  private static func bounds(_ lines: [String]) -> Range<Int>? {
    guard let first = lines.firstIndex(of: #".\" keys"#), let end = lines.firstIndex(of: #".\" end of keys"#),
      first < end
    else { return nil }
    return first + 1..<end
  }
}
