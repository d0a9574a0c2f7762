/// A word to find in texts, and how it must match. Case is ignored.
package struct TextPattern: Sendable, Hashable {
  package enum Fit: Int, Sendable, Hashable, CaseIterable {
    /// The text contains the word.
    case contained
    /// The text contains the word, or one of its words has the letters in their order: `plmb` matches `plumber`.
    case loosely
    /// A word of the text begins with the word. Words are separated by spaces.
    case wordBeginning
    /// A word of the text equals the word.
    case wholeWord
  }

  package let word: String
  package let fit: Fit

  package init(_ word: String, _ fit: Fit) {
    self.word = word
    self.fit = fit
  }
}
