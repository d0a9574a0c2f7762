/// A word that is looked for in texts, and how it has to fit. Case never counts.
package struct TextPattern: Sendable, Hashable {
  package enum Fit: Int, Sendable, Hashable, CaseIterable {
    /// It stands somewhere in the text.
    case contained
    /// It stands somewhere in the text, or its letters come in their order within one word of it: `plmb` fits `plumber`.
    case loosely
    /// A word of the text begins so. Words are parted by spaces.
    case wordBeginning
    /// A word of the text is this.
    case wholeWord
  }

  package let word: String
  package let fit: Fit

  package init(_ word: String, _ fit: Fit) {
    self.word = word
    self.fit = fit
  }
}
