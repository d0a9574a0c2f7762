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
