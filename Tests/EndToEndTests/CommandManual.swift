import Foundation

/// What the argument library tells of a program: its commands, with what the language of the environment says of them.
struct CommandDump: Decodable {
  struct Command: Decodable {
    let commandName: String
    let aliases: [String]?
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?
    let subcommands: [Command]?
    let arguments: [Argument]?

    /// `help` is there twice: the program's own, and the library's, which is never reached.
    var children: [Command] {
      var names: Set<String> = []
      return (subcommands ?? []).filter { $0.shouldDisplay != false && names.insert($0.commandName).inserted }
    }

    /// Without `--help` and `--version`, which the library describes in English.
    var options: [Argument] {
      (arguments ?? []).filter { $0.kind != "positional" && !["help", "version"].contains($0.name ?? "") }
    }

    var positionals: [Argument] { (arguments ?? []).filter { $0.kind == "positional" } }
  }

  struct Argument: Decodable, Equatable {
    struct Name: Decodable, Equatable {
      let kind: String
      let name: String
    }
    let kind: String
    let names: [Name]?
    let valueName: String?
    let allValues: [String]?
    let defaultValue: String?
    let isOptional: Bool
    let isRepeating: Bool
    let abstract: String?

    var name: String? { names?.first { $0.kind == "long" }?.name }
  }

  let command: Command
}

/// The part of the man pages that is made from the commands: for each a heading, what it does, and its options. Those
/// that every command takes stand once, under the options of the program.
struct CommandManual {
  enum Part: String, CaseIterable {
    case commands, options, serverOptions, serverCommands

    /// The page without its section, and the name of the part there.
    var place: (page: String, mark: String) {
      switch self {
      case .commands: ("ebb.1", "commands")
      case .options: ("ebb.1", "options")
      case .serverOptions: ("ebb-serve.1", "options")
      case .serverCommands: ("ebb-serve.1", "commands")
      }
    }
  }

  let program: CommandDump.Command
  /// The word that stands before a default.
  let defaultWord: String

  private static let ofServer: Set = ["serve", "token"]

  func lines(_ part: Part) -> [String] {
    let commands = program.children.filter { !Self.ofServer.contains($0.commandName) }
    let server = program.children.filter { Self.ofServer.contains($0.commandName) }
    return switch part {
    case .commands: commands.flatMap { entry($0, ["ebb"]) }
    case .options: program.options.flatMap(option)
    case .serverOptions: server.first.map { $0.options.flatMap(option) } ?? []
    case .serverCommands:
      server.flatMap { parent in parent.children.flatMap { entry($0, ["ebb", parent.commandName]) } }
    }
  }

  private func entry(_ command: CommandDump.Command, _ path: [String]) -> [String] {
    let names = ([command.commandName] + (command.aliases ?? [])).map { path + [$0] }
    let name = names.map { "\\fB" + Roff.literal($0.joined(separator: " ")) + "\\fP" }.joined(separator: ", ")
    let path = path + [command.commandName]
    let words = command.positionals.enumerated().map { index, argument in
      // For the library only the last one can repeat; `ebb pri` takes one letter, after several handles.
      let isRepeating = command.commandName == "pri" ? index == 0 : argument.isRepeating
      let word = "\\fI" + Roff.literal(argument.valueName ?? "") + "\\fP" + (isRepeating ? "..." : "")
      return argument.isOptional ? "[\(word)]" : word
    }
    let more = Roff.paragraphs(command.discussion ?? "").flatMap { [".IP"] + $0 }
    let own = command.options.filter { !program.options.contains($0) }
    let options = own.isEmpty ? [] : [".RS"] + own.flatMap(option) + [".RE"]
    return [".TP", ([name] + words).joined(separator: " ")] + Roff.sentences(command.abstract ?? "") + more + options
      + command.children.flatMap { entry($0, path) }
  }

  private func option(_ option: CommandDump.Argument) -> [String] {
    let short = option.names?.first { $0.kind == "short" }.map { "\\fB\\-" + Roff.literal($0.name) + "\\fP, " } ?? ""
    let name = short + "\\fB\\-\\-" + Roff.literal(option.name ?? "") + "\\fP"
    let values = option.allValues.map { $0.map { "\\fB" + Roff.literal($0) + "\\fP" }.joined(separator: "|") }
    let value = values ?? "\\fI" + Roff.literal(option.valueName ?? "") + "\\fP"
    let text = option.abstract ?? ""
    let standard = option.defaultValue.flatMap { value in
      value.isEmpty || text.contains(defaultWord) || Int(value) != nil && text.contains(value) ? nil : value
    }
    return [".TP", option.kind == "flag" ? name : name + " " + value] + Roff.sentences(text)
      + (standard.map { ["\(defaultWord)\\fB\(Roff.literal($0))\\fP"] } ?? [])
  }
}

/// Text as a man page writes it.
enum Roff {
  /// What is typed: hyphens, quotes and their like are those of the keyboard.
  static func literal(_ text: some StringProtocol) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      default: result.append(character)
      }
    }
  }

  /// The text of a line that is shown as it stands.
  static func plain(_ line: String) -> String {
    let signs = [
      ("\\&", ""), ("\\-", "-"), ("\\(aq", "'"), ("\\(ga", "`"), ("\\(ti", "~"), ("\\(ha", "^"), ("\\(dq", "\""),
      ("\\e", "\\"),
    ]
    return signs.reduce(line) { $0.replacing($1.0, with: $1.1) }
  }

  /// Each sentence on a line of its own; what stands in backquotes is bold.
  static func sentences(_ text: some StringProtocol) -> [String] {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { index, part in
      index % 2 == 1 ? "\\fB" + literal(part) + "\\fP" : prose(part)
    }
    return parts.joined().replacing(/([.!?:]) (?=[A-Z¿¡])/) { $0.output.1 + "\n" }
      .split(separator: "\n").map { line in line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : String(line) }
  }

  /// Paragraphs are separated by empty lines. One of several lines is kept as it is.
  static func paragraphs(_ text: String) -> [[String]] {
    text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { paragraph in
      guard paragraph.contains("\n") else { return sentences(paragraph) }
      let lines = paragraph.split(separator: "\n").map { "\\&" + literal($0) }
      return [".EX"] + lines + [".EE"]
    }
  }

  /// An option within a sentence is typed too, and so is a quote that begins a word.
  private static func prose(_ text: some StringProtocol) -> String {
    String(text).replacing("\\", with: "\\e").replacing("--", with: "\\-\\-").replacing("~", with: "\\(ti")
      .replacing(/(^|[^\p{L}])'/) { $0.output.1 + "\\(aq" }.replacing(/'([^\p{L}]|$)/) { "\\(aq" + $0.output.1 }
  }
}

/// A man page in one language.
struct ManualPage {
  let name: String
  let file: URL

  /// `folder` is that of the language, empty for English.
  init(_ name: String, folder: String) {
    self.name = folder + name
    file = Self.resources.appendingPathComponent("man/\(folder)\(name)")
  }

  static let resources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Resources")

  var lines: [String] {
    get throws { try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") }
  }

  /// The lines with words between `.EX` and `.EE`, without the spaces at their ends.
  var verbatimLines: [String] {
    get throws {
      var isVerbatim = false
      return try lines.compactMap { line in
        if line == ".EX" || line == ".EE" { isVerbatim = line == ".EX" }
        guard isVerbatim, !line.hasPrefix(".") else { return nil }
        let text = Roff.plain(line).trimmingCharacters(in: .whitespaces)
        return text.isEmpty ? nil : text
      }
    }
  }

  /// The lines between `.\" MARK` and `.\" end of MARK`.
  func part(_ mark: String) throws -> [String] {
    let lines = try lines
    return bounds(mark, lines).map { Array(lines[$0]) } ?? []
  }

  func write(_ part: [String], at mark: String) throws {
    var lines = try lines
    guard let bounds = bounds(mark, lines) else { throw Failure("\(name) has no part \(mark)") }
    lines.replaceSubrange(bounds, with: part)
    try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
  }

  private func bounds(_ mark: String, _ lines: [String]) -> Range<Int>? {
    guard let first = lines.firstIndex(of: #".\" "# + mark), let end = lines.firstIndex(of: #".\" end of "# + mark),
      first < end
    else { return nil }
    return first + 1..<end
  }
}
