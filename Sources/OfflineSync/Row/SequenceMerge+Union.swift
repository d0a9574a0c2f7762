extension SequenceMerge {
  /// A word of a union.
  struct UnionWord {
    let number: Int
    /// True if only they have it there.
    let isTheirs: Bool
  }

  /// Both sides put together although they clash. If only one side changed words, its words; where the edits meet,
  /// mine and then theirs.
  func union() -> [UnionWord] {
    var result: [UnionWord] = []
    var place = 0
    func append(_ numbers: some Sequence<Int>, isTheirs: Bool = false) {
      result += numbers.map { UnionWord(number: $0, isTheirs: isTheirs) }
    }
    for range in Self.joined((mine.edits + theirs.edits).map(\.range)) {
      append(numbers.base[place..<range.lowerBound])
      let original = Array(numbers.base[range])
      let (mine, theirs) = (apply(mine.edits, in: range), apply(theirs.edits, in: range))
      if mine != original { append(mine) }
      if theirs != original && theirs != mine { append(theirs, isTheirs: true) }
      place = range.upperBound
    }
    append(numbers.base[place...])
    return result
  }

  /// The union without the words that neither side has so often, counted by a key; words without a key stay. Theirs
  /// are left out first.
  func limited<Key: Hashable>(_ union: [UnionWord], by key: (Int) -> Key?) -> [UnionWord] {
    var left = most(by: key)
    func isKept(_ word: UnionWord) -> Bool {
      guard let key = key(word.number) else { return true }
      left[key, default: 0] -= 1
      return left[key, default: 0] >= 0
    }
    let isKeptOfMine = union.map { $0.isTheirs || isKept($0) }
    return zip(union, isKeptOfMine).filter { $1 && (!$0.isTheirs || isKept($0)) }.map(\.0)
  }

  /// How often the side that has a key more often has it.
  func most<Key: Hashable>(by key: (Int) -> Key?) -> [Key: Int] {
    Self.counts(numbers.mine, by: key).merging(Self.counts(numbers.theirs, by: key), uniquingKeysWith: max)
  }

  static func counts<Key: Hashable>(_ numbers: [Int], by key: (Int) -> Key?) -> [Key: Int] {
    numbers.reduce(into: [:]) { counts, number in
      if let key = key(number) { counts[key, default: 0] += 1 }
    }
  }

  /// The ranges in order. Ranges that touch or overlap are made one.
  private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
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

  /// The words of this range of the base after the edits that lie in it.
  private func apply(_ edits: [SequenceComparison.Edit], in range: Range<Int>) -> [Int] {
    var result: [Int] = []
    var place = range.lowerBound
    for edit in edits where edit.range.lowerBound >= range.lowerBound && edit.range.upperBound <= range.upperBound {
      result += numbers.base[place..<edit.range.lowerBound] + edit.added
      place = edit.range.upperBound
    }
    return result + numbers.base[place..<range.upperBound]
  }
}
