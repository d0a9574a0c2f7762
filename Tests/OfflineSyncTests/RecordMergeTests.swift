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
    let (base, mine, theirs): (Values, Values, Values) = (["n": .integer(1)], ["n": .integer(2)], ["n": .integer(3)])
    #expect(RecordMerge.of(base: base, mine: mine, theirs: theirs) == .clash(["n"]))
    #expect(RecordMerge.of(base: base, mine: mine, theirs: mine) == .merged(mine))
    #expect(RecordMerge.of(base: base, mine: ["n": .null], theirs: base) == .merged(["n": .null]))
  }

  @Test("what another client left out and what it set to false is the same: neither is a change")
  func absentAndFalse() {
    let (base, theirs): (Values, Values) = (Self.milk, ["text": .text("oat milk"), "complete": .null])
    let done: Values = ["text": .text("milk"), "complete": .bool(true)]
    let merged: Values = ["text": .text("oat milk"), "complete": .bool(true)]
    #expect(RecordMerge.of(base: base, mine: done, theirs: theirs) == .merged(merged))
    let absent: Values = ["text": .text("milk"), "complete": .null]
    #expect(RecordMerge.of(base: absent, mine: Self.milk, theirs: done) == .merged(done))
    #expect(RecordMerge.of(base: done, mine: Self.milk, theirs: absent) == .merged(absent))
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

/// One column in the four copies that the rule of `sent` speaks of.
struct SentExample: Sendable, CustomTestStringConvertible {
  let base: String?
  let sent: String
  let mine: String
  let theirs: String
  /// Nil for a clash.
  let merged: String?

  init(_ base: String?, _ sent: String, _ mine: String, _ theirs: String, _ merged: String?) {
    self.base = base
    self.sent = sent
    self.mine = mine
    self.theirs = theirs
    self.merged = merged
  }

  var testDescription: String { "\(base ?? "-") | \(sent) | \(mine) | \(theirs)" }

  func check() {
    func values(_ text: String) -> [String: FieldValue] { ["text": .text(text)] }
    let result = RecordMerge.of(
      base: base.map(values), sent: values(sent), mine: values(mine), theirs: values(theirs))
    #expect(result == merged.map { .merged(values($0)) } ?? .clash(["text"]))
  }
}

/// My change was sent and the answer was lost. The server's copy may be made of it, or not.
@Suite("Merging when an earlier attempt may have arrived")
struct SentMergeTests {
  @Test(
    "a server that has what was sent, or what I started from, has no change of its own",
    arguments: [
      SentExample("milk", "oat milk", "rice milk", "milk", "rice milk"),
      SentExample("milk", "oat milk", "rice milk", "oat milk", "rice milk"),
      SentExample("milk", "oat milk", "milk", "oat milk", "milk"),
      SentExample("milk", "oat milk", "milk", "milk", "milk"),
      SentExample("milk", "oat milk", "oat milk", "milk", "oat milk"),
      SentExample(nil, "oat milk", "rice milk", "oat milk", "rice milk"),
    ])
  func unchangedThere(_ example: SentExample) { example.check() }

  @Test(
    "if I changed nothing since, both changes of the base are merged",
    arguments: [
      SentExample(
        "milk and bread", "oat milk and bread", "oat milk and bread", "milk and butter", "oat milk and butter"),
      SentExample("milk", "oat milk", "oat milk", "rice milk", nil),
      SentExample(nil, "oat milk", "oat milk", "oat milk now", nil),
    ])
  func unchangedSince(_ example: SentExample) { example.check() }

  @Test(
    "if I put the text back, my words are taken out of theirs",
    arguments: [
      SentExample("buy milk", "buy milk today", "buy milk", "(A) buy milk today", "(A) buy milk"),
      SentExample("a b", "a b c d", "a b", "x b c d", "x b"),
      // They changed the words that I took out.
      SentExample("a b", "a b c d", "a b", "a b e d", nil),
      SentExample("milk", "oat milk", "milk", "rice milk", nil),
    ])
  func putBack(_ example: SentExample) { example.check() }

  @Test(
    "a text with a word that only the attempt brought is made of the attempt",
    arguments: [
      SentExample("a b c d e", "x b c d e", "x b c d y", "x b z d e", "x b z d y"),
      // The word that I took out again does not come back inside their change.
      SentExample("a b c d e f", "a w b c d e f", "a b c d e y", "a w b c z d e f", "a b c z d e y"),
      SentExample("a b c d e", "a w b c d e", "a b c d y", "a w z b c d e", nil),
      SentExample("t\na\nb\nc", "t\na\nw\nb\nc", "t\na\nb\ny", "t\na\nw\nz\nb\nc", nil),
    ])
  func madeOfSent(_ example: SentExample) { example.check() }

  @Test(
    "otherwise the change is merged from the base, unless a merge from the attempt gives another text",
    arguments: [
      // The merge from the attempt clashes.
      SentExample("a b c d e", "x b c d e", "w b c d e", "a b c d z", "w b c d z"),
      // Did they take my first change back, or never see it?
      SentExample("a b c d e", "x b c d e", "x b c d y", "a b z d e", nil),
      // The merge from the base clashes.
      SentExample("a b c", "b c", "b c y", "x b c", nil),
      SentExample(nil, "a b c d", "a b c y", "x b c d", nil),
    ])
  func otherwise(_ example: SentExample) { example.check() }

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

  @Test("a value that is no text and was changed three times clashes")
  func numbers() {
    func merge(mine: Int64, theirs: Int64) -> RecordMerge {
      RecordMerge.of(
        base: ["n": .integer(1)], sent: ["n": .integer(2)], mine: ["n": .integer(mine)],
        theirs: ["n": .integer(theirs)])
    }
    #expect(merge(mine: 1, theirs: 2) == .merged(["n": .integer(1)]))
    #expect(merge(mine: 1, theirs: 3) == .clash(["n"]))
    #expect(merge(mine: 3, theirs: 4) == .clash(["n"]))
    #expect(merge(mine: 3, theirs: 1) == .merged(["n": .integer(3)]))
  }

  @Test("a column that was not sent is merged from the base")
  func notSent() {
    let base: [String: FieldValue] = ["text": .text("milk"), "n": .integer(1)]
    let sent: [String: FieldValue] = ["text": .text("oat milk")]
    let theirs: [String: FieldValue] = ["text": .text("oat milk"), "n": .null]
    let mine: [String: FieldValue] = ["text": .text("oat milk"), "n": .integer(2)]
    #expect(RecordMerge.of(base: base, sent: sent, mine: mine, theirs: theirs) == .clash(["n"]))
  }
}
