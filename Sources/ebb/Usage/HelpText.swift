import Words

/// A help text of the argument library in the user's language: the library's own words are English.
enum HelpText {
  /// The same text if it is no help.
  static func translated(_ text: String, _ catalogue: Catalogue) -> String {
    guard catalogue != .english, text.hasPrefix(overview) else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0), catalogue) }
      .joined(separator: "\n")
  }

  private static let overview = "OVERVIEW: "

  /// Headings by what a line begins with.
  private static let headings: KeyValuePairs<String, CommandKey> = [
    overview: .helpOverview, "USAGE: ": .helpUsage, "ARGUMENTS:": .helpArguments, "OPTIONS:": .helpOptions,
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
