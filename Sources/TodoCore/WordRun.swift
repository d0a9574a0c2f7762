import OfflineSync

/// A run of words in the comparison of two texts.
package enum WordRun: Sendable, Hashable {
  case same(String)
  /// Only in the older text.
  case removed(String)
  /// Only in the newer text.
  case added(String)

  /// Returns the newer text from its beginning to its end, with the words of the older one that it lacks. Runs are
  /// separated by one space, except at a line break.
  package static func list(from old: String, to new: String) -> [WordRun] {
    let (old, new) = (words(old), words(new))
    guard max(old.count, new.count) <= longest else {
      return old == new ? [.same(joined(new))] : [.removed(joined(old)), .added(joined(new))]
    }
    var runs: [WordRun] = []
    var position = 0
    for edit in WordEdit.list(from: old, to: new) {
      if edit.range.lowerBound > position { runs.append(.same(joined(old[position..<edit.range.lowerBound]))) }
      if !edit.range.isEmpty { runs.append(.removed(joined(old[edit.range]))) }
      if !edit.words.isEmpty { runs.append(.added(joined(edit.words))) }
      position = edit.range.upperBound
    }
    if position < old.count { runs.append(.same(joined(old[position...]))) }
    return runs
  }

  /// Longer texts are compared whole: the work grows with the product of their lengths, in words.
  static let longest = 500

  /// A line break is a word of its own: else the last word of a line and the first of the next would be one.
  static func words(_ text: String) -> [Substring] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.split(separator: " ", omittingEmptySubsequences: false)
    }
    return Array(lines.joined(separator: [lineBreak]))
  }

  private static let lineBreak: Substring = "\n"

  private static func joined(_ words: some Collection<Substring>) -> String {
    zip(words, [lineBreak] + words).reduce(into: "") { text, pair in
      text += (pair.0 == lineBreak || pair.1 == lineBreak ? "" : " ") + pair.0
    }
  }
}
