import TableProtocol

/// The merge of two changes of one sequence of words or lines (sync-rules row-7).
struct SequenceMerge {
  typealias Edit = SequenceComparison.Edit

  /// A word of the result.
  enum Piece {
    /// The word at this place of the base. Both sides kept it.
    case kept(Int)
    /// A word with this number, which one side or both added.
    case added(Int)
  }

  /// The words by their numbers.
  let words: [ExactText]
  let numbers: ThreeWay<[Int]>
  let mine: SequenceComparison
  let theirs: SequenceComparison

  private var base: [Int] { numbers.base }

  /// The work grows with the product of the lengths.
  private static let longest = 500

  /// Returns nil if a sequence is too long to be compared (M6).
  init?(_ sequences: ThreeWay<[ExactText]>) {
    guard max(sequences.base.count, sequences.mine.count, sequences.theirs.count) <= Self.longest else { return nil }
    var wordNumbers = WordNumbers()
    numbers = sequences.map { wordNumbers.numbers(of: $0) }
    words = wordNumbers.words
    mine = SequenceComparison(from: numbers.base, to: numbers.mine)
    theirs = SequenceComparison(from: numbers.base, to: numbers.theirs)
  }

  func number(of piece: Piece) -> Int {
    switch piece {
    case .kept(let place): base[place]
    case .added(let number): number
    }
  }

  /// The side of an edit's place on which it stands if another one touches it.
  enum Stance: Int {
    case ahead
    /// The order of words says something, and nobody can tell whose come first.
    case open
    case behind
  }

  /// The result, or nil for a clash. Words with a number in `layout` may be removed by one side and added by the
  /// other. If edits `mayTouch`, each word of the base must have been changed by one side alone.
  func pieces(
    layout: Set<Int> = [], mayTouch: Bool = false, stance: (Edit) -> Stance = { _ in .open }
  ) -> [Piece]? {
    let common = Set(mine.edits).intersection(theirs.edits)
    let own = (mine: mine.edits.filter { !common.contains($0) }, theirs: theirs.edits.filter { !common.contains($0) })
    let edits =
      (own.mine.map { Placed(edit: $0, side: .mine, stance: stance($0)) }
      + own.theirs.map { Placed(edit: $0, side: .theirs, stance: stance($0)) }
      + common.map { Placed(edit: $0, side: nil, stance: stance($0)) }).sorted()
    guard Self.areApart(edits, mayTouch) else { return nil }
    let haveOwnWords = Self.haveOwnWords(
      WordChanges(by: own.mine, of: base, without: layout), WordChanges(by: own.theirs, of: base, without: layout),
      common: WordChanges(by: common, of: base, without: layout))
    return haveOwnWords ? apply(edits.map(\.edit)) : nil
  }

  private enum Side { case mine, theirs }

  private struct Placed: Comparable {
    let edit: Edit
    /// Nil for one that both sides made.
    let side: Side?
    let stance: Stance

    static func < (left: Placed, right: Placed) -> Bool {
      let (one, other) = (left.edit.range, right.edit.range)
      return (one.lowerBound, one.upperBound, left.stance.rawValue)
        < (other.lowerBound, other.upperBound, right.stance.rawValue)
    }
  }

  /// True if any two edits have a word of the base between them that nobody touched (M1), or an order that is plain
  /// without one. `edits` is in order. Edits of one side never touch each other.
  private static func areApart(_ edits: [Placed], _ mayTouch: Bool) -> Bool {
    let areInOrder = zip(edits, edits.dropFirst()).allSatisfy { one, other in
      let (end, next) = (one.edit.range.upperBound, other.edit.range.lowerBound)
      if end != next { return end < next }
      return !(one.edit.range.isEmpty && other.edit.range.isEmpty) || one.stance != other.stance
    }
    return areInOrder && (mayTouch || leaveWords(edits))
  }

  /// True if an untouched word stands between the words of one side and those of the other. A changed date between them
  /// does not count as such a word.
  private static func leaveWords(_ edits: [Placed]) -> Bool {
    var sides: Set<Side> = []
    var end = 0
    for placed in edits {
      if placed.edit.range.lowerBound > end { sides = [] }
      end = placed.edit.range.upperBound
      if placed.stance == .open, let side = placed.side { sides.insert(side) }
      if sides.count > 1 { return false }
    }
    return true
  }

  /// True if no word that one side removed is among the words that the other added, and no word was added by both
  /// in different edits (M2). A common edit counts only against the edits that one side made alone.
  ///
  /// With it no word is in the result more often than on the side that has it more often (M3): if neither side
  /// removed a word, at most one added it alone; if one side removed it, the other added none.
  private static func haveOwnWords(_ mine: WordChanges, _ theirs: WordChanges, common: WordChanges) -> Bool {
    mine.isApart(from: theirs) && mine.isApart(from: common) && theirs.isApart(from: common)
  }

  private func apply(_ edits: [Edit]) -> [Piece] {
    var result: [Piece] = []
    var place = 0
    for edit in edits {
      result += (place..<edit.range.lowerBound).map(Piece.kept)
      result += edit.added.map(Piece.added)
      place = edit.range.upperBound
    }
    return result + (place..<base.count).map(Piece.kept)
  }
}

/// The words that edits remove and add, without their places.
private struct WordChanges {
  let removed: Set<Int>
  let added: Set<Int>

  init(by edits: some Sequence<SequenceComparison.Edit>, of base: [Int], without layout: Set<Int>) {
    removed = Set(edits.flatMap { base[$0.range] }).subtracting(layout)
    added = Set(edits.flatMap(\.added)).subtracting(layout)
  }

  func isApart(from other: WordChanges) -> Bool {
    removed.isDisjoint(with: other.added) && added.isDisjoint(with: other.removed)
      && added.isDisjoint(with: other.added)
  }
}

extension SequenceMerge {
  /// True if both sides put different words in the place of the same word of the base: each has one that the other side
  /// lacks. Only words that are `counted` make a difference.
  func isReplacedTwice(counted: (Int) -> Bool) -> Bool {
    mine.edits.contains { edit in
      theirs.edits.contains { other in
        let (here, there) = (Set(edit.added.filter(counted)), Set(other.added.filter(counted)))
        return edit.range.overlaps(other.range) && !here.isSubset(of: there) && !there.isSubset(of: here)
      }
    }
  }

  /// A word of a union.
  struct UnionWord {
    let number: Int
    /// True if only they have it there.
    let isTheirs: Bool
  }

  /// Both sides put together although they clash: the words of the base that neither side removed, and those that the
  /// sides added, each at its place. Where both changed the same place, mine come first.
  func union() -> [UnionWord] {
    let known = Set(mine.edits)
    let added = theirs.edits.filter { !known.contains($0) }
    let edits = (mine.edits.map { (edit: $0, isTheirs: false) } + added.map { (edit: $0, isTheirs: true) })
      .sorted { Self.order($0.edit, isTheirs: $0.isTheirs) < Self.order($1.edit, isTheirs: $1.isTheirs) }
    var result: [UnionWord] = []
    var place = 0
    for (edit, isTheirs) in edits {
      result += kept(from: place, to: edit.range.lowerBound)
      result += edit.added.map { UnionWord(number: $0, isTheirs: isTheirs) }
      place = max(place, edit.range.upperBound)
    }
    return result + kept(from: place, to: base.count)
  }

  /// If one side replaced a word and the other only added some before it, the added ones come first.
  private static func order(_ edit: Edit, isTheirs: Bool) -> (Int, Int, Int) {
    (edit.range.lowerBound, edit.range.isEmpty ? 0 : 1, isTheirs ? 1 : 0)
  }

  private func kept(from place: Int, to end: Int) -> [UnionWord] {
    base[place..<max(place, end)].map { UnionWord(number: $0, isTheirs: false) }
  }

  /// All words of mine, then those of theirs.
  func bothSides() -> [UnionWord] {
    let theirs = numbers.theirs.map { UnionWord(number: $0, isTheirs: true) }
    return numbers.mine.map { UnionWord(number: $0, isTheirs: false) } + theirs
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
}
