import Testing

@testable import OfflineSync

/// Three texts and their merge.
struct MergeExample: Sendable, CustomTestStringConvertible {
  let base: String
  let mine: String
  let theirs: String
  /// Nil for a clash.
  let merged: String?

  init(_ base: String, _ mine: String, _ theirs: String, _ merged: String?) {
    self.base = base
    self.mine = mine
    self.theirs = theirs
    self.merged = merged
  }

  var testDescription: String { "\(base) | \(mine) | \(theirs)" }

  /// Checks both directions, code point by code point.
  func check() {
    for (one, other) in [(mine, theirs), (theirs, mine)] {
      let result = TextMerge.merged(base: base, mine: one, theirs: other)
      #expect(result.map { Array($0.utf8) } == merged.map { Array($0.utf8) }, "\(result ?? "clash")")
    }
  }
}

@Suite("Merging two changes of one text")
struct TextMergeTests {
  @Test(
    "the examples of sync-rules row-7",
    arguments: [
      MergeExample(
        "call the bank about the loan", "phone the bank about the loan", "call the bank about the mortgage",
        "phone the bank about the mortgage"),
      MergeExample("buy milk", "buy milk today", "(A) buy milk", "(A) buy milk today"),
      MergeExample("buy milk and bread", "buy bread", "buy milk and bread today", "buy bread today"),
      MergeExample("a b c", "x b c", "x b c", "x b c"),
      MergeExample("a b c d e", "a c d e", "a b c e", "a c e"),
      MergeExample("a b c", "b c", "a b", "b"),
      MergeExample("buy milk", "buy oat milk", "buy rice milk", nil),
      MergeExample("a b c", "a b", "a b d", nil),
      MergeExample("milk", "bread", "apples", nil),
      MergeExample("a secret b c d", "a b c d", "a b c secret d", nil),
      MergeExample(
        "tomorrow call mum about the rent", "call tomorrow mum about the rent", "call mum about the rent tomorrow", nil),
      MergeExample(
        "tomorrow call mum about the rent", "call mum about the rent tomorrow", "tomorrow call mum about the big rent",
        "call mum about the big rent tomorrow"),
      MergeExample("buy milk", "+shop buy milk", "buy milk +shop", nil),
      MergeExample("buy milk", "buy the milk", "buy milk at the shop", nil),
      MergeExample("pay the rent", "due:2026-11-25 pay the rent", "pay the rent due:2026-12-01", nil),
      MergeExample("pay the rent due:2026-11-25", "pay the rent", "pay the rent due:2026-11-27", nil),
      MergeExample("(B) pay the rent", "(A) pay the rent", "(B) pay the rent +home", "(A) pay the rent +home"),
      MergeExample("pay rent", "(A) pay rent", "(B) pay rent", nil),
      MergeExample("買牛奶和麵包", "買豆漿和麵包", "買牛奶和飯", nil),
      MergeExample("買 牛奶 和 麵包", "買 豆漿 和 麵包", "買 牛奶 和 飯", "買 豆漿 和 飯"),
      MergeExample("buy milk", "buy  milk", "buy milk now", "buy  milk now"),
      MergeExample("buy milk", "buy  milk", "buy   milk", nil),
      MergeExample(
        "milk\nfull fat\n2 bottles", "oat milk\nfull fat\n2 bottles", "milk\nfull fat\n3 bottles",
        "oat milk\nfull fat\n3 bottles"),
      MergeExample("list\na\nb\nc", "list\nx\nb\nc", "list\na\nb\ny", "list\nx\nb\ny"),
      MergeExample("list\na\nb\nc", "list\nb\nc", "list\nb\na\nc", nil),
      MergeExample("list", "list\nnote", "list of food", "list of food\nnote"),
    ])
  func examples(_ example: MergeExample) { example.check() }

  @Test(
    "M1: a word that neither side touched stands between the changes",
    arguments: [
      MergeExample("a b", "x b", "a y", nil),
      MergeExample("a b c", "x b c", "a b y", "x b y"),
      MergeExample("a b", "a b x", "a b y", nil),
      MergeExample("a b", "x a b", "a", "x a"),
      MergeExample("a b", "b", "a", nil),
      MergeExample("t\na\nb", "t\nx\nb", "t\na\ny", nil),
      // The same change of both is taken once, beside another.
      MergeExample("a b c d e", "x b c d e y", "x b z d e", "x b z d e y"),
    ])
  func untouchedBetween(_ example: MergeExample) { example.check() }

  @Test(
    "M1: an edit of a date or a priority alone may touch one of words",
    arguments: [
      MergeExample("call bob due:1", "call bob due:2", "call Bobby due:1", "call Bobby due:2"),
      MergeExample("call bob", "call bob due:1", "call Bobby", "call Bobby due:1"),
      MergeExample("call bob", "call bob due:1", "call bob now", "call bob now due:1"),
      MergeExample("call bob due:1", "call bob", "call bob due:1 now", "call bob now"),
      MergeExample("call bob", "(A) call bob", "now call bob", "(A) now call bob"),
      MergeExample("call bob", "(A) call bob", "phone bob", "(A) phone bob"),
      MergeExample("(B) call bob", "(A) call bob", "(B) phone bob", "(A) phone bob"),
      MergeExample("pay due:1 rec:1w", "pay due:2 rec:1w", "pay due:1 rec:2w", "pay due:2 rec:2w"),
      MergeExample("pay", "pay due:1", "pay rec:1w", nil),
      MergeExample("call bob due:1", "call bob due:2", "call Bobby due:3", nil),
      MergeExample("call bob due:1", "call bob due:2 now", "call Bobby due:1", nil),
      // The words themselves have none between them that nobody touched.
      MergeExample("call due:1 bob", "phone due:1 bob", "call due:2 Bobby", nil),
      MergeExample("é (B)\t(B) c", "é due:1 (B)", "\t(B) c t:1", nil),
      MergeExample("call due:1 bob", "phone due:1 Bobby", "call due:2 bob", "phone due:2 Bobby"),
    ])
  func propertiesTouch(_ example: MergeExample) { example.check() }

  @Test(
    "M2: no word that one side removed is among those that the other added, and no word is added twice",
    arguments: [
      MergeExample("a b c d e", "a b c d", "e a b c d e", nil),
      MergeExample("a b c d", "b c d a", "a b c d a", nil),
      MergeExample("a b c d", "b c d", "b a c d", nil),
      MergeExample("t\na\nb\nc", "t\nn\na\nb\nc", "t\na\nb\nc\nn", nil),
      // A line of the note is none of the words of the first line.
      MergeExample("t a b", "t b", "t a b\na", "t b\na"),
    ])
  func removedStaysRemoved(_ example: MergeExample) { example.check() }

  @Test(
    "M2: a word that both added alike counts against what one side added alone",
    arguments: [MergeExample("b c d", "w b c x w d", "w b y c d", nil), MergeExample("b c", "w b c w", "w b c", nil)])
  func addedByBoth(_ example: MergeExample) { example.check() }

  @Test(
    "M3: a word that stood twice is in the result at most as often as on the side that has it more often",
    arguments: [
      MergeExample("a b a c a", "b a c a", "a b a c", "b a c"),
      MergeExample("a b a", "b a", "a b a c", "b a c"),
      MergeExample("a b c", "a a b c", "a b c a", nil),
    ])
  func counted(_ example: MergeExample) { example.check() }

  @Test(
    "M4: one date, one threshold, one recurrence, one priority",
    arguments: [
      MergeExample("pay it", "t:1 pay it", "pay it t:2", nil),
      MergeExample("pay it", "rec:1w pay it", "pay it rec:2w", nil),
      MergeExample("pay it", "(A) pay it", "pay it (B)", nil),
      MergeExample("pay it", "due:1 pay it", "pay it t:2", "due:1 pay it t:2"),
      MergeExample("due:1 pay it due:1", "due:2 pay it due:1", "due:1 pay it due:1 x", "due:2 pay it due:1 x"),
      MergeExample("due:1 pay it", "pay it", "due:1 pay it now", "pay it now"),
      // A word that only looks like one.
      MergeExample("pay it", "(a) pay it", "pay it (AB)", "(a) pay it (AB)"),
    ])
  func properties(_ example: MergeExample) { example.check() }

  @Test(
    "M5: white space of a kept word is merged like a column, new words have one space",
    arguments: [
      MergeExample("a  b c", "a b c", "a  b c d", "a b c d"),
      MergeExample("a\tb c", "a b c", "a\t\tb c", nil),
      MergeExample("a b c", "a b\tnew  c", "x b c", "x b new  c"),
      MergeExample("  a b c", "  a b c d", "x  a b c", "x  a b c d"),
      MergeExample("a b c", "b c", "a b c d", "b c d"),
      MergeExample("a b", "a b ", "x a b", "x a b "),
      MergeExample("a b", "a b ", "a b\t", nil),
      MergeExample("", "  ", "a", "a  "),
    ])
  func whiteSpace(_ example: MergeExample) { example.check() }

  @Test(
    "M5: a blank line of a note is layout",
    arguments: [
      MergeExample("t\na\nb\nc", "t\nx\n\na\nb\nc", "t\na\nb\nc\n\ny", "t\nx\n\na\nb\nc\n\ny"),
      MergeExample("t\n\na\nb", "t\na\nb", "t\n\na\nb\n\nc", "t\na\nb\n\nc"),
      MergeExample("t", "t\n", "t\n\n", nil),
      MergeExample("t\n", "t", "t x\n", "t x"),
    ])
  func blankLines(_ example: MergeExample) { example.check() }

  @Test(
    "M7: the tags at the end of a line are a set, in the same order on every device",
    arguments: [
      MergeExample("call bob", "call bob +a", "call bob +b", "call bob +a +b"),
      MergeExample("call bob", "call bob @phone", "call bob +b", "call bob +b @phone"),
      MergeExample("call bob", "call bob +z +a", "call bob +m", "call bob +m +z +a"),
      MergeExample("call bob +a", "call bob +a +b", "call bob +a +c", "call bob +a +b +c"),
      // A tag that both add is there once.
      MergeExample("call bob", "call bob +a", "call bob +a +b", "call bob +a +b"),
      MergeExample("call bob", "call bob +b +a", "call bob +a +c", "call bob +a +c +b"),
      MergeExample("call bob +a", "call bob", "call bob +a +b", "call bob +b"),
      MergeExample("call bob +a +b", "call bob +b", "call bob +a", "call bob"),
      MergeExample("call bob +a +b", "call bob +b +c", "call bob +a +d", "call bob +c +d"),
      // Other words may change beside them, if no more than one side changed those, or if they fit by M1.
      MergeExample("call bob", "call bob now +a", "call bob +b", "call bob now +a +b"),
      MergeExample("call bob", "call bob now", "call bob +b", "call bob now +b"),
      MergeExample("call bob due:1", "call bob due:2 +a", "call bob due:1 +b", "call bob due:2 +a +b"),
      MergeExample("call bob", "(A) call bob +a", "phone bob +b", "(A) phone bob +a +b"),
      MergeExample("call  bob", "call  bob +a ", "call  bob +b", "call  bob +a +b "),
      MergeExample("call bob", "call bob +a\nnote", "call bob +b", "call bob +a +b\nnote"),
    ])
  func tags(_ example: MergeExample) { example.check() }

  @Test(
    "M7: other words are no set, and a tag that both replaced is a question",
    arguments: [
      MergeExample("call bob", "call bob + a", "call bob + b", nil),
      MergeExample("call bob", "call bob now +a", "call bob soon +b", nil),
      MergeExample("call bob", "call bob +a now", "call bob +b now", nil),
      MergeExample("call bob +a", "call bob +b", "call bob +c", nil),
      MergeExample("call bob", "+a call bob", "call bob +a", nil),
      MergeExample("call bob +a", "call bob", "call bob now +a", "call bob now"),
      MergeExample("call bob +a", "call bob", "call bob +a now", nil),
      // A line of tags alone does not say which item it is.
      MergeExample("+a", "+a +b", "+a +c", nil),
      MergeExample("call bob", "+a", "call bob +b", nil),
      // Lines of a note are merged as lines.
      MergeExample("t\nx", "t\nx +a", "t\nx +b", nil),
    ])
  func noTags(_ example: MergeExample) { example.check() }

  @Test("M6: longer texts clash, unless one side changed nothing of the long part")
  func longTexts() {
    let words = (0..<500).map(String.init)
    func text(_ words: [String]) -> String { words.joined(separator: " ") }
    let (mine, theirs) = (["x"] + words[1...], Array(words[..<499]) + ["y"])
    let both = ["x"] + words[1..<499] + ["y"]
    MergeExample(text(words), text(mine), text(theirs), text(both)).check()
    MergeExample(text(words + ["z"]), text(mine + ["z"]), text(theirs + ["z"]), nil).check()
    let note = "t\n" + (words + ["z"]).joined(separator: "\n")
    MergeExample(note, note + "\nmine", "new " + note, "new " + note + "\nmine").check()
  }

  @Test(
    "words are compared code point by code point",
    arguments: [
      // Composed and decomposed.
      MergeExample("caf\u{E9} a b", "cafe\u{301} a b", "caf\u{E9} a b c", "cafe\u{301} a b c"),
      MergeExample("caf\u{E9} a b", "cafe\u{301} a b", "cafe\u{301} a b", "cafe\u{301} a b"),
      MergeExample("a", "caf\u{E9}", "cafe\u{301}", nil),
      MergeExample("a b", "\u{E9} a b", "a b e\u{301}", "\u{E9} a b e\u{301}"),
      // A combining mark after a space or a line break belongs to its word.
      MergeExample("a b c", "a \u{301}b c", "x a b c", "x a \u{301}b c"),
      MergeExample("a\r\nb\r\nc", "a\r\nx\r\nc", "a\r\nb\r\nc\r\nd", nil),
      MergeExample("👩‍👩‍👧 a 👍🏽", "👩‍👩‍👧 a 👍", "🏳️‍🌈 a 👍🏽", "🏳️‍🌈 a 👍"),
    ])
  func codePoints(_ example: MergeExample) { example.check() }

  @Test(
    "a clash is offered with what both added, without what one of them removed, with one priority and one date",
    arguments: [
      MergeExample("wash the old car", "wash the car today", "wash the old red van", "wash the red van today"),
      MergeExample("a b c d", "x a b d y", "a b p d q", "x a b p d y q"),
      MergeExample("t\na\nb\nc", "t\nd", "t\na\ne\nc", "t\nd\ne"),
      MergeExample("call the bank now", "phone the bank now", "the bank today", "phone the bank today"),
      MergeExample("milk", "oat milk", "rice milk", "oat rice milk"),
      // Each removed what the other left: nothing of it is nothing to start from.
      MergeExample("a b", "b", "a", "b a"),
      // White space that one side has stays.
      MergeExample("\n \n", "t:1\nd  e\n", "(B)\n\n ", "(B) t:1\nd  e\n "),
      MergeExample("pay rent", "(A) pay rent", "(B) pay rent", "(A) pay rent"),
      MergeExample("pay rent", "big pay rent", "(B) pay rent", "(B) big pay rent"),
      MergeExample("pay it", "due:1 pay it", "pay it due:2", "due:1 pay it"),
      MergeExample("pay it", "pay it due:1", "due:2 pay it", "pay it due:1"),
      MergeExample("buy milk", "+shop buy milk", "buy milk +shop", "+shop buy milk"),
      MergeExample("buy milk", "buy the milk", "buy milk at the shop", "buy the milk at shop"),
      MergeExample("a secret b c d", "a b c d", "a b c secret d", "a b c secret d"),
      MergeExample("a b c", "a c", "a x c", "a x c"),
      MergeExample("milk\na", "oat  milk\nb", "milk\nc", "oat  milk\nb\nc"),
      MergeExample("t", "t\na\n\nb", "t\nc\n\nd", "t\na\n\nb\nc\n\nd"),
      // Changes that fit are offered merged.
      MergeExample("a b c", "x b c", "a b y", "x b y"),
      // What was changed by one side alone is not there twice.
      MergeExample("one two three", "ONE two three", "one TWO three", "ONE TWO three"),
      MergeExample("t\na\nb", "t\nx\nb", "t\na\ny", "t\nx\ny"),
      MergeExample("t\none two three four", "t\nONE two three four", "t\none two three FOUR", "t\nONE two three FOUR"),
      MergeExample("t\na\nb", "t\nx\nb", "t\ny\nb", "t\nx\ny\nb"),
    ])
  func suggestion(_ example: MergeExample) {
    #expect(
      TextMerge.suggestion(base: example.base, mine: example.mine, theirs: example.theirs) == example.merged)
  }

  @Test(
    "if both sides replaced the same word, my line is offered with the notes of both, and it is a choice",
    arguments: [
      MergeExample("buy sunscreen", "order sunscreen", "get sunscreen", "order sunscreen"),
      MergeExample("call Bob at ten today", "call Bob tomorrow", "call Bob at noon today", "call Bob tomorrow"),
      MergeExample("a b c d", "x d y", "a p d q", "x d y"),
      MergeExample("call the bank now", "phone the bank now", "write the bank today", "phone the bank now"),
      MergeExample("buy milk +shop", "buy milk +a", "buy milk +b", "buy milk +a"),
      MergeExample("milk\na", "bread\na\nb", "tea\nx\na", "bread\nx\na\nb"),
    ])
  func choice(_ example: MergeExample) {
    suggestion(example)
    #expect(TextMerge.needsChoice(base: example.base, mine: example.mine, theirs: example.theirs))
  }

  @Test(
    "words that one side added, two dates and lines of a note are no choice",
    arguments: [
      MergeExample("milk", "oat milk", "rice milk", nil), MergeExample("a b c", "a c", "a x c", nil),
      MergeExample("pay due:1", "pay due:2", "pay due:3", nil), MergeExample("(C) pay", "(A) pay", "(B) pay", nil),
      MergeExample("buy milk", "order milk", "order milk now", nil),
      MergeExample("t\na\nb", "t\nx\nb", "t\ny\nb", nil),
    ])
  func noChoice(_ example: MergeExample) {
    #expect(!TextMerge.needsChoice(base: example.base, mine: example.mine, theirs: example.theirs))
  }

  @Test("if a text is too long to be compared, mine is offered")
  func longSuggestion() {
    let long = (0..<501).map(String.init).joined(separator: " ")
    #expect(TextMerge.suggestion(base: long, mine: long + " a", theirs: long + " b") == long + " a")
  }
}
