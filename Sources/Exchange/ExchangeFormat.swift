import TableProtocol

/// A form in which lists are kept outside of Ebb.
package enum ExchangeFormat: String, Sendable, Hashable, CaseIterable {
  case todotxt, json, markdown, ics, csv
  /// The output of Taskwarrior's `task export`. Only read.
  case taskwarrior

  package static let written: [ExchangeFormat] = [.todotxt, .json, .markdown, .ics, .csv]
}

extension ExchangeFormat {
  /// The format of a file by its content, and where that leaves a choice by its name. A format of text is always found:
  /// lines of anything are a todo.txt.
  package init(of text: String, name: String) {
    let name = name.lowercased()
    let start = text.prefix(4_096).drop(while: \.isWhitespace)
    if start.prefix(15).uppercased() == "BEGIN:VCALENDAR" {
      self = .ics
    } else if Self.looksLikeJSON(start) || Self.isArray(text) {
      self = Self.isOfTaskwarrior(text) ? .taskwarrior : .json
    } else if let named = Self.endings.first(where: { name.hasSuffix($0.key) })?.value {
      self = named
    } else if !name.hasSuffix(".txt"), CSVReader.hasKnownHeader(text) {
      self = .csv
    } else {
      self = MarkdownReader.isCheckList(text) ? .markdown : .todotxt
    }
  }

  private static let endings: KeyValuePairs<String, ExchangeFormat> = [
    ".ics": .ics, ".ical": .ics, ".json": .json, ".md": .markdown, ".markdown": .markdown, ".csv": .csv, ".tsv": .csv,
  ]

  /// A line of todo.txt may begin with a bracket, and does not go on like this. A bracket alone is JSON that was cut
  /// off.
  private static func looksLikeJSON(_ start: Substring) -> Bool {
    guard let first = start.first, first == "{" || first == "[" else { return false }
    guard let next = start.dropFirst().drop(while: \.isWhitespace).first else { return true }
    return first == "{" ? next == "\"" || next == "}" : next == "{" || next == "]"
  }

  /// All of it is one array of JSON, of whatever: that is no list of lines.
  private static func isArray(_ text: String) -> Bool {
    guard text.first(where: { !$0.isWhitespace }) == "[", text.last(where: { !$0.isWhitespace }) == "]" else {
      return false
    }
    do {
      var reader = try JSONReader(Array(text.utf8))
      try reader.raw()
      try reader.end()
      return true
    } catch {
      return false
    }
  }

  /// Objects with `uuid` and `description`, the first of them in an array or on a line of its own.
  private static func isOfTaskwarrior(_ text: String) -> Bool {
    let start = text.prefix(100_000)
    guard !start.contains("\"items\"") else { return false }
    return start.contains("\"uuid\"") && start.contains("\"description\"") && !start.contains("\"complete\"")
  }
}
