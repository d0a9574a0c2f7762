import OfflineSync

/// Two edits of one text put together although they clash, for a person to take words out of.
enum TextUnion {
  /// Where only one side changed words, its words; where the edits meet, mine and then theirs.
  static func of(base: String, mine: String, theirs: String) -> String {
    let (base, mineWords, theirWords) = (WordRun.words(base), WordRun.words(mine), WordRun.words(theirs))
    guard max(base.count, mineWords.count, theirWords.count) <= WordRun.longest else { return mine }
    let mineEdits = WordEdit.list(from: base, to: mineWords)
    let theirEdits = WordEdit.list(from: base, to: theirWords)
    var result: [Substring] = []
    var position = 0
    for range in meetings((mineEdits + theirEdits).map(\.range)) {
      result += base[position..<range.lowerBound]
      let (mine, theirs) = (apply(mineEdits, to: base, in: range), apply(theirEdits, to: base, in: range))
      if mine != base[range] { result += mine }
      if theirs != base[range] && theirs != mine { result += theirs }
      position = range.upperBound
    }
    return (result + base[position...]).joined(separator: " ")
  }

  /// The ranges, those that touch or overlap made one.
  private static func meetings(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in ranges.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      if let last = joined.last, last.upperBound >= range.lowerBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// The words of this range of the base as the edits in it make them.
  private static func apply(_ edits: [WordEdit], to base: [Substring], in range: Range<Int>) -> ArraySlice<Substring> {
    var result: [Substring] = []
    var position = range.lowerBound
    for edit in edits where edit.range.lowerBound >= range.lowerBound && edit.range.upperBound <= range.upperBound {
      result += base[position..<edit.range.lowerBound] + edit.words
      position = edit.range.upperBound
    }
    return result[...] + base[position..<range.upperBound]
  }
}
