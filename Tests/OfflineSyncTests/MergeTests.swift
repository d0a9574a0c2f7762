import OfflineSync
import TableProtocol
import Testing

@Suite("Merging two changes of one record")
struct MergeTests {
  @Test(
    "edits of a text with an untouched word between them are both kept",
    arguments: [
      (
        "call the bank about the loan", "phone the bank about the loan", "call the bank about the mortgage",
        "phone the bank about the mortgage"
      ),
      ("buy milk", "buy milk today", "(A) buy milk", "(A) buy milk today"),
      ("buy milk and bread", "buy bread", "buy milk and bread today", "buy bread today"),
      ("a b c", "a b c", "a x c", "a x c"),
      ("a b c", "x b c", "x b c", "x b c"),
      ("買 牛奶 和 麵包", "買 豆漿 和 麵包", "買 牛奶 和 飯", "買 豆漿 和 飯"),
    ])
  func together(base: String, mine: String, theirs: String, expected: String) {
    #expect(TextMerge.merged(base: base, mine: mine, theirs: theirs) == expected)
  }

  @Test(
    "edits of a text that touch or overlap clash",
    arguments: [
      ("buy milk", "buy oat milk", "buy rice milk"),
      ("a b", "x b", "a y"),
      ("milk", "bread", "apples"),
      ("a b c", "a b", "a b d"),
      ("a b", "a b x", "a b y"),
    ])
  func clash(base: String, mine: String, theirs: String) {
    #expect(TextMerge.merged(base: base, mine: mine, theirs: theirs) == nil)
  }

  @Test("it is the same whoever is called mine", arguments: [("a b c d", "x b c d", "a b c y"), ("a b", "b", "a")])
  func symmetric(base: String, one: String, other: String) {
    #expect(
      TextMerge.merged(base: base, mine: one, theirs: other) == TextMerge.merged(base: base, mine: other, theirs: one))
  }

  @Test("different columns are merged, and nobody is asked")
  func columns() {
    let base: [String: FieldValue] = ["text": .text("milk"), "complete": .bool(false)]
    let mine: [String: FieldValue] = ["text": .text("oat milk"), "complete": .bool(false)]
    let theirs: [String: FieldValue] = ["text": .text("milk"), "complete": .bool(true)]
    let merged: [String: FieldValue] = ["text": .text("oat milk"), "complete": .bool(true)]
    #expect(RecordMerge.of(base: base, mine: mine, theirs: theirs) == .merged(merged))
  }

  @Test("one column changed to two values clashes, and only that one is named")
  func columnClash() {
    let base: [String: FieldValue] = ["text": .text("milk"), "complete": .bool(false)]
    let mine: [String: FieldValue] = ["text": .text("bread"), "complete": .bool(true)]
    let theirs: [String: FieldValue] = ["text": .text("apples"), "complete": .bool(true)]
    #expect(RecordMerge.of(base: base, mine: mine, theirs: theirs) == .clash(["text"]))
  }

  @Test("without a common copy every difference is a clash")
  func noBase() {
    let mine: [String: FieldValue] = ["text": .text("bread"), "complete": .bool(true)]
    let theirs: [String: FieldValue] = ["text": .text("apples"), "complete": .bool(true)]
    #expect(RecordMerge.of(base: nil, mine: mine, theirs: theirs) == .clash(["text"]))
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
