import Terminal
import Words

/// A help text of the argument library in the user's language: the library's own words are English.
enum HelpText {
  /// How wide the library may make its lines; nil for as wide as the terminal. It breaks them at spaces alone, and
  /// counts wide characters as one column, so another language gets its lines whole and breaks them itself. It never
  /// breaks the line of the usage.
  static func libraryColumns(_ catalogue: Catalogue) -> Int? { catalogue == .english ? nil : 100_000 }

  /// The help with lines no wider than `columns`. The same text if it is no help.
  static func translated(_ text: String, _ catalogue: Catalogue, columns: Int) -> String {
    guard text.hasPrefix(overview) else { return text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return lines.flatMap { line -> [String] in
      if line.hasPrefix(usage) {
        return wrappedUsage(line.dropFirst(usage.count), catalogue.text(.helpUsage), columns)
      }
      return catalogue == .english ? [line] : wrapped(Self.line(line, catalogue), columns)
    }.joined(separator: "\n")
  }

  /// The line of the usage in several, below each other behind the heading. An option stays beside its value.
  private static func wrappedUsage(_ words: Substring, _ heading: String, _ columns: Int) -> [String] {
    let below = String(repeating: " ", count: TextWidth.columns(of: heading))
    var lines: [String] = []
    var line = heading
    var isStart = true
    for match in words.matches(of: /\[[^\]]*\]|[^ ]+/) {
      let word = String(match.output)
      let joined = line + (isStart ? "" : " ") + word
      if !isStart, TextWidth.columns(of: joined) > columns {
        lines.append(line)
        line = below + word
      } else {
        line = joined
      }
      isStart = false
    }
    return lines + [line]
  }

  /// The text of an option stands from this column on.
  private static let textColumn = 26

  /// The line in several, below the text that it begins with.
  private static func wrapped(_ line: String, _ columns: Int) -> [String] {
    guard TextWidth.columns(of: line) > columns else { return [line] }
    let spaces = line.prefix { $0 == " " }.count
    let isOption = spaces < textColumn && line.prefix(textColumn).hasSuffix("  ")
    let indent = isOption ? textColumn : spaces
    let lines = TextWidth.wrap(String(line.dropFirst(indent)), columns: max(columns - indent, 20))
    let below = String(repeating: " ", count: indent)
    return lines.enumerated().map { ($0 == 0 ? String(line.prefix(indent)) : below) + $1 }
  }

  private static let overview = "OVERVIEW: "
  private static let usage = "USAGE: "

  /// Headings by what a line begins with.
  private static let headings: KeyValuePairs<String, CommandKey> = [
    overview: .helpOverview, "ARGUMENTS:": .helpArguments, "OPTIONS:": .helpOptions,
    "SUBCOMMANDS:": .helpSubcommands,
  ]

  /// The library's other phrases, wherever they stand in a line.
  private static let phrases: KeyValuePairs<String, CommandKey> = [
    "Show help information.": .helpOfHelp, "Show the version.": .helpOfVersion, "(default: ": .helpDefault,
    "(values: ": .helpValues, "; default: ": .helpValuesDefault,
  ]

  private static func line(_ line: String, _ catalogue: Catalogue) -> String {
    for (heading, key) in headings where line.hasPrefix(heading) {
      return catalogue.text(key) + line.dropFirst(heading.count)
    }
    let (start, end) = ("  See '", "' for detailed help.")
    if line.hasPrefix(start), line.hasSuffix(end) {
      return "  " + catalogue.text(.helpSee, ["command": String(line.dropFirst(start.count).dropLast(end.count))])
    }
    return phrases.reduce(line) { line, phrase in
      // The library may have wrapped the line there, and the space is gone.
      let cut = phrase.key.last == " " && line.hasSuffix(phrase.key.dropLast())
      return (cut ? line + " " : line).replacing(phrase.key, with: catalogue.text(phrase.value))
    }
  }
}
