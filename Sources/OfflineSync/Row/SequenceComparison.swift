import TableProtocol

/// The difference between two sequences of words, given as numbers.
///
/// Found by a longest common run. The work grows with the product of the two lengths.
struct SequenceComparison {
  /// One place of the old sequence that was changed, and the words that replaced it.
  struct Edit: Hashable {
    let range: Range<Int>
    let added: [Int]
  }

  /// For each old word its place in the new sequence; nil if it was removed.
  let places: [Int?]
  /// In order. None touches the next.
  let edits: [Edit]

  init(from old: [Int], to new: [Int]) {
    places = Self.places(of: old, in: new)
    edits = Self.edits(places, to: new)
  }

  /// If two common runs are equally long, the one that removes the earlier old word first is taken.
  private static func places(of old: [Int], in new: [Int]) -> [Int?] {
    let lengths = commonLengths(old, new)
    let width = new.count + 1
    var places = [Int?](repeating: nil, count: old.count)
    var (row, column) = (0, 0)
    while row < old.count && column < new.count {
      let cell = row * width + column
      if old[row] == new[column] {
        places[row] = column
        (row, column) = (row + 1, column + 1)
      } else if lengths[cell + width] >= lengths[cell + 1] {
        row += 1
      } else {
        column += 1
      }
    }
    return places
  }

  /// The length of a longest common run from each pair of places to the ends, row by row.
  private static func commonLengths(_ old: [Int], _ new: [Int]) -> [Int32] {
    let width = new.count + 1
    var lengths = [Int32](repeating: 0, count: (old.count + 1) * width)
    for row in old.indices.reversed() {
      for column in new.indices.reversed() {
        let cell = row * width + column
        lengths[cell] =
          old[row] == new[column] ? lengths[cell + width + 1] + 1 : max(lengths[cell + width], lengths[cell + 1])
      }
    }
    return lengths
  }

  private static func edits(_ places: [Int?], to new: [Int]) -> [Edit] {
    var edits: [Edit] = []
    var (oldPlace, newPlace) = (0, 0)
    func append(until oldEnd: Int, _ newEnd: Int) {
      guard oldEnd > oldPlace || newEnd > newPlace else { return }
      edits.append(Edit(range: oldPlace..<oldEnd, added: Array(new[newPlace..<newEnd])))
    }
    for (old, place) in places.enumerated() {
      guard let place else { continue }
      append(until: old, place)
      (oldPlace, newPlace) = (old + 1, place + 1)
    }
    append(until: places.count, new.count)
    return edits
  }
}

/// Numbers in place of words. Two words have the same number if they have the same code points.
struct WordNumbers {
  private var numbers: [ExactText: Int] = [:]
  /// The words by their numbers.
  private(set) var words: [ExactText] = []

  mutating func numbers(of words: [ExactText]) -> [Int] { words.map { number(of: $0) } }

  private mutating func number(of word: ExactText) -> Int {
    if let number = numbers[word] { return number }
    numbers[word] = words.count
    words.append(word)
    return words.count - 1
  }
}

/// One place where a text was changed: these words of the old text became those.
package struct WordEdit: Hashable {
  /// The words of the old text that were removed, by their places in it. Empty if words were only added.
  package let range: Range<Int>
  package let words: [Substring]

  /// The edits that turn one text into another, in order. None touches the next. Words are compared code point by
  /// code point.
  package static func list(from old: [Substring], to new: [Substring]) -> [WordEdit] {
    var numbers = WordNumbers()
    let comparison = SequenceComparison(
      from: numbers.numbers(of: old.map(ExactText.init)), to: numbers.numbers(of: new.map(ExactText.init)))
    return comparison.edits.map { edit in
      WordEdit(range: edit.range, words: edit.added.map { Substring(numbers.words[$0].text) })
    }
  }
}

extension ExactText {
  init(_ text: Substring) { self.init(String(text)) }
}
