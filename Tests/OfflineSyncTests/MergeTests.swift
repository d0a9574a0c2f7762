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
