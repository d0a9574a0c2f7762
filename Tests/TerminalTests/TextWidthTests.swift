import Testing

@testable import Terminal

@Suite("How many columns text takes")
struct TextWidthTests {
  @Test(
    "every script counts as terminals draw it",
    arguments: [
      ("", 0), ("milk", 4), ("café", 4), ("cafe\u{301}", 4), ("買牛奶", 6), ("カタカナ", 8), ("ｶﾀｶﾅ", 4), ("한글", 4),
      ("ﾊﾞ", 2), ("Привет", 6), ("नमस्ते", 4), ("\u{200B}", 0), ("e\u{301}\u{323}", 1),
    ])
  func scripts(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns, "\(text.unicodeScalars.map(\.value))")
  }

  @Test(
    "an emoji is two columns, however many scalars it is made of",
    arguments: ["👍", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "❤️", "1️⃣", "🏳️‍🌈", "🧑🏿‍🚀"])
  func emoji(text: String) {
    #expect(TextWidth.columns(of: text) == 2)
  }

  @Test("ncurses is trusted with plain wide text, and not with emoji it adds up wrongly")
  func trust() {
    #expect("買é👍🇩🇪".allSatisfy(TextWidth.isCountedByCurses))
    #expect(!"👍🏽👨‍👩‍👧❤️".contains(where: TextWidth.isCountedByCurses))
  }

  @Test("text that fits is not cut, and text that does not keeps room for the ellipsis")
  func cut() {
    #expect(TextWidth.cut("milk", to: 4, ellipsis: "…") == "milk")
    #expect(TextWidth.cut("milky", to: 4, ellipsis: "…") == "mil…")
    #expect(TextWidth.cut("買牛奶", to: 4, ellipsis: "…") == "買…")
    #expect(TextWidth.cut("milky", to: 2, ellipsis: "...") == "mi")
  }

  @Test("a family is never cut in two")
  func cutCluster() {
    #expect(TextWidth.prefix("a👨‍👩‍👧b", columns: 2) == "a")
    #expect(TextWidth.prefix("a👨‍👩‍👧b", columns: 3) == "a👨‍👩‍👧")
  }

  @Test("a window whose edge halves a wide character shows a space there")
  func slice() {
    #expect(TextWidth.slice("買牛奶", from: 2, columns: 4) == "牛奶")
    #expect(TextWidth.slice("買牛奶", from: 1, columns: 4) == " 牛")
    #expect(TextWidth.slice("milk", from: 9, columns: 4) == "")
  }

  @Test("a line that is folded breaks between words, below its text, keeps its spaces, and never breaks a word")
  func folded() {
    #expect(TextWidth.folded("one  two", columns: 8) == "one  two")
    #expect(TextWidth.folded("one two three\n\nfour five", columns: 8) == "one two\nthree\n\nfour\nfive")
    #expect(TextWidth.folded("  one two three: ", columns: 10) == "  one two\n  three: ")
    #expect(TextWidth.folded("a1b2 one two", columns: 10, hanging: 5) == "a1b2 one\n     two")
    #expect(TextWidth.folded("at http://h/abcdefgh now", columns: 8) == "at\nhttp://h/abcdefgh\nnow")
    #expect(TextWidth.folded("買牛奶。買茶", columns: 7) == "買牛\n奶。買\n茶")
    #expect(TextWidth.folded("\u{1B}[2mone\u{1B}[0m two", columns: 7) == "\u{1B}[2mone\u{1B}[0m two")
    #expect(TextWidth.folded("\u{1B}[2mone\u{1B}[0m two", columns: 6) == "\u{1B}[2mone\u{1B}[0m\ntwo")
  }

  @Test("a command in a line that is folded stays on one line up to the end of its clause, if it fits on one")
  func foldedCommand() {
    let account = "run ebb sync --account same. To end"
    #expect(TextWidth.folded(account, columns: 26) == "run\nebb sync --account same.\nTo end")
    #expect(TextWidth.folded("first (ebb serve invite) now", columns: 20) == "first\n(ebb serve invite)\nnow")
    #expect(TextWidth.folded("use --account new now", columns: 14) == "use\n--account new\nnow")
    #expect(TextWidth.folded("ebb sync, then wait", columns: 12) == "ebb sync,\nthen wait")
    #expect(TextWidth.folded("the ebb of milk - oat", columns: 17) == "the ebb of milk -\noat")
    #expect(TextWidth.folded("先に ebb sync を実行", columns: 12) == "先に\nebb sync を\n実行")
    #expect(TextWidth.folded("実行：ebb join 'リンク'。", columns: 20) == "実行：\nebb join 'リンク'。")
  }

  @Test("a command that is wider than a line breaks at its spaces with a backslash, never within a quoted argument")
  func foldedWideCommand() {
    #expect(
      TextWidth.folded("run ebb purge --force, now", columns: 10) == "run\nebb \\\npurge \\\n--force,\nnow")
    #expect(
      TextWidth.folded("so: ebb add \"$(cat /a b)\" now", columns: 14) == "so:\nebb add \\\n\"$(cat /a b)\"\nnow")
    #expect(
      TextWidth.folded("  ebb import /tmp/list.txt --format todotxt", columns: 26)
        == "  ebb import \\\n  /tmp/list.txt --format \\\n  todotxt")
    #expect(
      TextWidth.folded("ebb add 'a quoted text of its own'", columns: 12)
        == "ebb add \\\n'a quoted text of its own'")
  }

  @Test("sentences break between words, and words too long anywhere")
  func wrap() {
    #expect(TextWidth.wrap("one two three", columns: 8) == ["one two", "three"])
    #expect(TextWidth.wrap("abcdefgh ij", columns: 3) == ["abc", "def", "gh", "ij"])
    #expect(TextWidth.wrap("a bcdefg é買x", columns: 3) == ["a", "bcd", "efg", "é買", "x"])
    let word = String(repeating: "abcdefghij", count: 100_000)
    #expect(TextWidth.wrap(word, columns: 80).count == 12_500)
    #expect(TextWidth.wrap("買牛奶", columns: 4) == ["買牛", "奶"])
    #expect(TextWidth.wrap("買", columns: 1) == ["買"])
    #expect(TextWidth.wrap("", columns: 4) == [])
  }

  @Test("Chinese and Japanese are wrapped between characters, and no line begins with what closes a sentence")
  func wrapCJK() {
    #expect(TextWidth.wrap("按 r 同步，再看", columns: 6) == ["按 r", "同步，", "再看"])
    #expect(TextWidth.wrap("「牛乳」を買う", columns: 8) == ["「牛乳」", "を買う"])
    #expect(TextWidth.wrap("中止しました。ebb syncを", columns: 14) == ["中止しました。", "ebb syncを"])
    #expect(TextWidth.wrap("。。。", columns: 2) == ["。", "。", "。"])
  }

  @Test("in ASCII, quotes and dashes are those of a typewriter, each as wide as before")
  func typewriter() {
    #expect(Charset.ascii.encode("“Ebb’s” · 3×4 → «12» – é牛") == "\"Ebb's\" - 3x4 > \"12\" - ???")
  }
}
