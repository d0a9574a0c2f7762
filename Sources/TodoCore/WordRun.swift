import OfflineSync

/// A run of words in the comparison of two texts.
package enum WordRun: Sendable, Hashable {
  case same(String)
  /// Only in the older text.
  case removed(String)
  /// Only in the newer text.
  case added(String)

  /// Returns the newer text from its beginning to its end, with the words of the older one that it lacks. Runs are
  /// separated by one space.
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
      if !edit.words.isEmpty { runs.append(.added(joined(edit.words[...]))) }
      position = edit.range.upperBound
    }
    if position < old.count { runs.append(.same(joined(old[position...]))) }
    return runs
  }

  /// Longer texts are compared whole: the work grows with the product of their lengths, in words.
  static let longest = 500

  static func words(_ text: String) -> [Substring] {
    text.split(separator: " ", omittingEmptySubsequences: false)
  }

  private static func joined(_ words: [Substring]) -> String { words.joined(separator: " ") }
  private static func joined(_ words: ArraySlice<Substring>) -> String { words.joined(separator: " ") }
}
