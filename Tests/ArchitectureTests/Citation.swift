/// The number of a rule or a section that a comment names, as in `sync-rules Q5`, `wire 6.4`, `J4.3`.
struct Citation: Hashable {
  /// The document, as comments call it; nil for a rule that is named by its letter alone.
  let document: String?
  /// As it stands there: `Q5`, `13.1.1`, `row-P2`.
  let number: String

  /// The documents that comments cite, and the page of each.
  static let documents = ["sync-rules": "sync-rules.md", "wire": "wire.md"]

  var text: String { document.map { "\($0) \(number)" } ?? number }

  /// The page that must have the anchor.
  var page: String { document.flatMap { Self.documents[$0] } ?? "sync-rules.md" }

  var anchor: String { number.lowercased() }
}

/// Finds citations in the text of a comment.
///
/// Two forms are allowed. A document and numbers: `sync-rules Q5, Q6 and 8.4`; the list ends at the first word that
/// is no number. A letter and a number alone: `Q5`, `J4.3`, `Q5–Q7`. Where a letter means two things on a page, the
/// name of the section stands before it: `row-P2` is an event of a row, `P2` a hazard of a pull. Numbers of other
/// documents (`RFC 9110 10.2.3`) are none of ours.
struct CitationScanner {
  /// Hazards of a pull and of a push, what is always true, judging, merging, tracing, bugs.
  private static let everywhere: Set<Character> = ["P", "Q", "I", "J", "M", "T", "D"]
  /// Answers, local edits, states and events of the whole list. Elsewhere these letters stand for too much else:
  /// there they are cited with their document, `sync-rules S5`.
  private static let inTheEngine: Set<Character> = ["A", "L", "S", "W"]
  private static let engine = ["Sources/OfflineSync/", "Tests/OfflineSyncTests/", "Tests/Simulation"]

  private let letters: Set<Character>

  /// For the file at this path, from the root of the repository on.
  init(path: String) {
    let isEngine = Self.engine.contains { path.hasPrefix($0) }
    letters = isEngine ? Self.everywhere.union(Self.inTheEngine) : Self.everywhere
  }

  func citations(in comment: String) -> [Citation] {
    var found: [Citation] = []
    var document: String?
    var isFirst = true
    let words = Self.words(of: comment)
    for (index, word) in words.enumerated() {
      if Citation.documents[word.text] != nil {
        (document, isFirst) = (word.text, true)
      } else if Self.isNumber(word.text) {
        // `sync-rules P6, 30 s` has one number of a rule, not two.
        let isOfText = word.isPlain && !isFirst && index + 1 < words.count && words[index + 1].text != "and"
        if isOfText { document = nil }
        if document != nil || letters.contains(word.text.first ?? " ") {
          found.append(Citation(document: document, number: word.text))
        }
        if word.endsList { document = nil }
        isFirst = false
      } else if word.text != "and" {
        document = nil
      }
    }
    return found
  }
}

extension CitationScanner {
  /// A run without spaces, without the signs around it.
  private struct Word {
    let text: String
    /// The signs behind it.
    let signs: Substring

    /// A bare section number with no sign behind it.
    var isPlain: Bool { signs.isEmpty && text.first?.isNumber == true }
    /// A list of numbers goes on behind a comma and before `and`.
    var endsList: Bool { !signs.isEmpty && signs != "," }
  }

  private static func words(of comment: String) -> [Word] {
    comment.split(whereSeparator: \.isWhitespace).flatMap { run in
      let ends = run.split { "–-".contains($0) }
      let isRange = ends.count == 2 && ends.allSatisfy { isNumber(word($0).text) }
      return isRange ? ends.map(word) : [word(run)]
    }
  }

  private static func word(_ run: Substring) -> Word {
    let start = run.drop { !$0.isWordPart }
    let core = start.prefix { $0.isWordPart || $0 == "-" || $0 == "." }
    let length = core.count - core.reversed().prefix { !$0.isWordPart }.count
    return Word(text: String(start.prefix(length)), signs: start.dropFirst(length))
  }

  /// The sections that give their numbers a name.
  private static let sections = ["row-", "storage-"]

  /// True for `Q5`, `J4.3`, `13.1.1`, `row-P2`; false for `v2`, `P256`, `Q`.
  private static func isNumber(_ word: String) -> Bool {
    if let section = sections.first(where: word.hasPrefix) { return isNumber(String(word.dropFirst(section.count))) }
    guard let first = word.first, first.isASCII, !first.isLowercase else { return false }
    let digits = first.isLetter ? word.dropFirst() : word[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    return (1...3).contains(parts.count)
      && parts.allSatisfy { (1...2).contains($0.count) && $0.allSatisfy { "0123456789".contains($0) } }
  }
}

extension Character {
  fileprivate var isWordPart: Bool { isLetter || isNumber }
}
