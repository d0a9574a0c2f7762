import TableProtocol
import Testing

@testable import OfflineSync

@Suite("Merging two changes of one record")
struct RecordMergeTests {
  private typealias Values = [String: FieldValue]

  private static let milk: Values = ["text": .text("milk"), "complete": .bool(false)]

  @Test("different columns are merged, and nobody is asked")
  func columns() {
    let mine: Values = ["text": .text("oat milk"), "complete": .bool(false)]
    let theirs: Values = ["text": .text("milk"), "complete": .bool(true)]
    let merged: Values = ["text": .text("oat milk"), "complete": .bool(true)]
    #expect(RecordMerge.of(base: Self.milk, mine: mine, theirs: theirs) == .merged(merged))
  }

  @Test("one column changed to two values clashes, and only that one is named")
  func columnClash() {
    let mine: Values = ["text": .text("bread"), "complete": .bool(true)]
    let theirs: Values = ["text": .text("apples"), "complete": .bool(true)]
    #expect(RecordMerge.of(base: Self.milk, mine: mine, theirs: theirs) == .clash(["text"]))
  }

  @Test("values that are no text clash if both changed them differently")
  func numbers() {
    let (base, mine, theirs) = (["n": FieldValue.integer(1)], ["n": FieldValue.integer(2)], ["n": FieldValue.integer(3)])
    #expect(RecordMerge.of(base: base, mine: mine, theirs: theirs) == .clash(["n"]))
    #expect(RecordMerge.of(base: base, mine: mine, theirs: mine) == .merged(mine))
    #expect(RecordMerge.of(base: base, mine: ["n": .null], theirs: base) == .merged(["n": .null]))
  }

  @Test("without a common copy every difference is a clash")
  func noBase() {
    let mine: Values = ["text": .text("bread"), "complete": .bool(true)]
    let theirs: Values = ["text": .text("apples"), "complete": .bool(true)]
    #expect(RecordMerge.of(base: nil, mine: mine, theirs: theirs) == .clash(["text"]))
    #expect(RecordMerge.of(base: nil, mine: mine, theirs: mine) == .merged(mine))
  }

  @Test("a column that the server lacks stays out, one that I lack is the server's")
  func missingColumns() {
    let mine: Values = ["text": .text("oat milk"), "color": .text("red")]
    let theirs: Values = ["text": .text("milk"), "size": .integer(2)]
    let merged: Values = ["text": .text("oat milk"), "size": .integer(2)]
    #expect(RecordMerge.of(base: Self.milk, mine: mine, theirs: theirs) == .merged(merged))
    #expect(RecordMerge.of(base: nil, mine: ["color": .null], theirs: theirs) == .merged(theirs))
  }

  @Test("texts that differ only in how a letter is composed are different")
  func codePoints() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    func values(_ text: String) -> Values { ["text": .text(text)] }
    func scalars(_ merge: RecordMerge) -> [Unicode.Scalar]? {
      guard case .merged(let values) = merge else { return nil }
      return values["text"]?.text.map { Array($0.unicodeScalars) }
    }
    let mine = RecordMerge.of(base: values(composed), mine: values(decomposed), theirs: values(composed))
    #expect(scalars(mine) == Array(decomposed.unicodeScalars))
    let theirs = RecordMerge.of(base: values(decomposed), mine: values(decomposed), theirs: values(composed))
    #expect(scalars(theirs) == Array(composed.unicodeScalars))
    #expect(RecordMerge.of(base: nil, mine: values(composed), theirs: values(decomposed)) == .clash(["text"]))
  }
}

/// My change was sent, the answer was lost, and what the server has now may have been made of it, or not.
@Suite("Merging when an earlier attempt may have arrived")
struct UncertainMergeTests {
  private func merge(base: String, sent: String, mine: String, theirs: String) -> RecordMerge {
    func values(_ text: String) -> [String: FieldValue] { ["text": .text(text)] }
    return RecordMerge.of(base: values(base), sent: values(sent), mine: values(mine), theirs: values(theirs))
  }

  @Test(
    "what fits together whatever they started from is merged",
    arguments: [
      // They have what I started from, or what I sent: nobody else changed anything.
      ("milk", "oat milk", "rice milk", "milk", "rice milk"),
      ("milk", "oat milk", "rice milk", "oat milk", "rice milk"),
      ("milk", "oat milk", "milk", "oat milk", "milk"),
      ("milk", "oat milk", "milk", "milk", "milk"),
      // Not changed again: both edits of the base stand.
      ("milk and bread", "oat milk and bread", "oat milk and bread", "milk and butter", "oat milk and butter"),
      // Put back: what they made of what was sent keeps their words and loses mine.
      ("buy milk", "buy milk today", "buy milk", "(A) buy milk today", "(A) buy milk"),
      // Changed again: it comes to the same from either.
      ("a b c d e", "x b c d e", "x b c d y", "x b z d e", "x b z d y"),
      // Changed again at the same place: only what I started from explains theirs.
      ("a b c d e", "x b c d e", "w b c d e", "a b c d z", "w b c d z"),
    ])
  func together(base: String, sent: String, mine: String, theirs: String, expected: String) {
    #expect(merge(base: base, sent: sent, mine: mine, theirs: theirs) == .merged(["text": .text(expected)]))
  }

  @Test(
    "what could cost one side an edit it made is a clash",
    arguments: [
      // Put back, and changed by them at that very place.
      ("milk", "oat milk", "milk", "rice milk"),
      // Changed again, and it comes to different texts: did they take my first edit back, or never see it?
      ("a b c d e", "x b c d e", "x b c d y", "a b z d e"),
      ("milk", "oat milk", "oat milk", "rice milk"),
    ])
  func clash(base: String, sent: String, mine: String, theirs: String) {
    #expect(merge(base: base, sent: sent, mine: mine, theirs: theirs) == .clash(["text"]))
  }

  @Test("a column that only one side ever changed is that side's")
  func columns() {
    let base: [String: FieldValue] = ["text": .text("milk"), "complete": .bool(false)]
    let sent: [String: FieldValue] = ["text": .text("oat milk"), "complete": .bool(false)]
    let theirs: [String: FieldValue] = ["text": .text("oat milk"), "complete": .bool(true)]
    #expect(RecordMerge.of(base: base, sent: sent, mine: sent, theirs: theirs) == .merged(theirs))
    #expect(
      RecordMerge.of(base: base, sent: sent, mine: base, theirs: theirs)
        == .merged(["text": .text("milk"), "complete": .bool(true)]))
  }
}
