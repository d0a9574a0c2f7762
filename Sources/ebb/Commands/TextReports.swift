import FoundationEssentials
import Glibc
import TodoCore
import Words

/// Signs that mean something to other programs, in texts that were added. They are kept as text: `x` begins the line of
/// a done item in a todo.txt, and many a text of something to do.
enum ForeignSigns {
  /// `lines` are those that the texts come from, one each. A ticked box may be left out of a text.
  static func report(_ texts: [String], from lines: [String]) {
    let catalogue = ErrorMessages.catalogue
    if let (key, count) = marks(of: texts, from: lines) { StandardOutput.error(catalogue.text(key, count: count)) }
    // A script means what it writes.
    guard isatty(STDERR_FILENO) == 1 else { return }
    var words: [Substring] = []
    for word in texts.flatMap({ foreignWords(in: $0) }) where !words.contains(word) { words.append(word) }
    guard !words.isEmpty else { return }
    let shown = words.map { String($0).printable }.joined(separator: catalogue.text(.listSeparator))
    StandardOutput.error(catalogue.text(.typedForeign, ["words": shown]))
  }

  /// The sentence about items that are done by the lines they come from, and how many these are. All of them have one
  /// sentence, for the advice of two could not be followed at once.
  private static func marks(of texts: [String], from lines: [String]) -> (key: PluralKey, count: Int)? {
    let ticks = ListMark.ticks(in: lines)
    let ticked = ticks.count { $0 }
    // An item with both signs is one that was added as open: its box says so.
    let done = zip(texts, ticks).count { text, isTicked in TodoNotation.looksDone(text) && !isTicked }
    guard ticked + done > 0 else { return nil }
    switch MarkedLines(lines) {
    case .checkList: return (.addedTicked, ticked)
    case .todoTxt: return (.addedWithX, done)
    case nil: return (done == 0 ? .addedTickedAmongOthers : .addedMarked, ticked + done)
    }
  }

  /// The words that Taskwarrior takes for a project or a priority.
  static func foreignWords(in text: String) -> [Substring] {
    text.split(whereSeparator: \.isWhitespace).filter { word in
      guard let colon = word.firstIndex(of: ":"), word.index(after: colon) != word.endIndex else { return false }
      return names.contains(word[..<colon].lowercased())
    }
  }

  private static let names: Set = ["project", "proj", "pro", "priority", "pri"]
}

/// Reports words after `due:` that are no date. They are kept as text, so that nothing that was written gets lost.
enum TypedDate {
  static func report(_ texts: some Sequence<String>) {
    for text in texts { report(text) }
  }

  static func report(_ text: String) {
    let (today, catalogue) = (CalendarDay(Date()), ErrorMessages.catalogue)
    guard let range = TypedDue(text, today: today)?.noDate else { return }
    let words = String(text[range]).printable
    StandardOutput.error(
      catalogue.explained(catalogue.text(.commandTypedNoDate, ["words": words]), noDateInItem: words, today: today))
  }
}
