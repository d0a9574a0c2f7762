import TableProtocol

/// A to-do item as a calendar shows it.
///
/// The day is the first word of the first line that begins with `due:`, if that is a date: as devices read it
/// (`TodoNotation` has the rule).
struct DueEvent: Hashable, Sendable {
  private static let mark = "due:"
  /// Characters that are written of each; an item may have a million.
  private static let (longestTitle, longestNote) = (500, 4_000)

  /// As calendars write it: `20261224`.
  let day: String
  /// The first line without the word for the day.
  let title: String
  /// The lines below it; empty if there are none.
  let note: String

  /// Nil for an item that is not due on any day. A text ends at a NUL.
  init?(_ text: String) {
    let whole = text.utf8.prefix { $0 != 0 }
    let line = whole.prefix { $0 != UInt8(ascii: "\n") }
    guard let word = line.split(separator: UInt8(ascii: " ")).first(where: { $0.starts(with: Self.mark.utf8) }),
      CivilDate(Substring(word.dropFirst(Self.mark.utf8.count))) != nil
    else { return nil }
    day = word.dropFirst(Self.mark.utf8.count).filter { $0 != UInt8(ascii: "-") }.map { String(UnicodeScalar($0)) }
      .joined()
    let before = Substring(line[..<word.startIndex]).trimmingSpaces
    let after = Substring(line[word.endIndex...]).trimmingSpaces
    title = Self.clipped([before, after].filter { !$0.isEmpty }.joined(separator: " "), Self.longestTitle)
    note = Self.clipped(String(Substring(whole[line.endIndex...].dropFirst())), Self.longestNote)
  }

  private static func clipped(_ text: String, _ most: Int) -> String {
    let start = text.unicodeScalars.prefix(most)
    return start.endIndex == text.endIndex ? text : String(start) + "…"
  }
}
