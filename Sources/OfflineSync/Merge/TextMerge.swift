/// Merges two edits of one line of text, word by word.
///
/// Edits fit together when at least one word that neither touched stands between them: then it is
/// plain which words belong to which edit. Edits that touch or overlap do not.
package enum TextMerge {
  /// Longer texts are not merged: the work grows with the product of their lengths, in words.
  private static let longest = 500

  /// The text with both edits, or nil when they clash.
  package static func merged(base: String, mine: String, theirs: String) -> String? {
    let (base, mine, theirs) = (words(base), words(mine), words(theirs))
    guard max(base.count, mine.count, theirs.count) <= longest else { return nil }
    let edits = [WordEdit.list(from: base, to: mine), WordEdit.list(from: base, to: theirs)]
    guard let ordered = interleaved(edits[0], edits[1]) else { return nil }
    var result: [Substring] = []
    var position = 0
    for edit in ordered {
      result += base[position..<edit.range.lowerBound]
      result += edit.words
      position = edit.range.upperBound
    }
    result += base[position...]
    return result.joined(separator: " ")
  }

  /// What was changed; nil for texts that are too long.
  static func edits(from old: String, to new: String) -> [WordEdit]? {
    let (old, new) = (words(old), words(new))
    return max(old.count, new.count) <= longest ? WordEdit.list(from: old, to: new) : nil
  }

  /// All edits from the beginning of the text to its end; nil when one of the first list touches one
  /// of the second, unless they are the same edit.
  private static func interleaved(_ first: [WordEdit], _ second: [WordEdit]) -> [WordEdit]? {
    let alike = first.filter(second.contains)
    let ordered = (first + second.filter { !alike.contains($0) })
      .sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
    for (edit, next) in zip(ordered, ordered.dropFirst()) where edit.range.upperBound >= next.range.lowerBound {
      return nil
    }
    return ordered
  }

  private static func words(_ text: String) -> [Substring] {
    text.split(separator: " ", omittingEmptySubsequences: false)
  }
}

/// One place where a text was changed: these words of the old text became those.
package struct WordEdit: Hashable {
  /// The words of the old text that went away, by their places in it; empty where words were only put in.
  package let range: Range<Int>
  package let words: [Substring]

  /// The edits that lead from one text to another, in order, none touching the next.
  package static func list(from old: [Substring], to new: [Substring]) -> [WordEdit] {
    var edits: [WordEdit] = []
    var (oldPosition, newPosition) = (0, 0)
    for (oldMatch, newMatch) in commonWords(old, new) + [(old.count, new.count)] {
      if oldMatch > oldPosition || newMatch > newPosition {
        edits.append(WordEdit(range: oldPosition..<oldMatch, words: Array(new[newPosition..<newMatch])))
      }
      (oldPosition, newPosition) = (oldMatch + 1, newMatch + 1)
    }
    return edits
  }

  /// The positions of a longest run of words, in order, that both texts have.
  private static func commonWords(_ old: [Substring], _ new: [Substring]) -> [(Int, Int)] {
    var lengths = Array(repeating: Array(repeating: 0, count: new.count + 1), count: old.count + 1)
    for row in old.indices.reversed() {
      for column in new.indices.reversed() {
        lengths[row][column] =
          old[row] == new[column]
          ? lengths[row + 1][column + 1] + 1 : max(lengths[row + 1][column], lengths[row][column + 1])
      }
    }
    var matches: [(Int, Int)] = []
    var (row, column) = (0, 0)
    while row < old.count && column < new.count {
      if old[row] == new[column] {
        matches.append((row, column))
        (row, column) = (row + 1, column + 1)
      } else if lengths[row + 1][column] >= lengths[row][column + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return matches
  }
}
