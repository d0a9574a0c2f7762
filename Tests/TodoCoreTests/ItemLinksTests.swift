import Testing
import TodoCore

@Suite("The links of an item")
struct ItemLinksTests {
  @Test(
    "are addresses without what stands round them in a sentence",
    arguments: [
      ("read https://a.example/x.", ["https://a.example/x"]),
      ("(see HTTP://a.example/b(c)).", ["HTTP://a.example/b(c)"]),
      (
        "“https://a.example/?q=1&r=2#s”, mailto:me@a.example!", ["https://a.example/?q=1&r=2#s", "mailto:me@a.example"]
      ),
      ("<https://a.example> https://a.example", ["https://a.example"]),
      ("一\nhttps://a.example/買。", ["https://a.example/買"]),
      ("https:// http ftp://a.example javascript:alert(1) file:///etc/passwd", []), ("no link +shop due:fri", []),
    ])
  func found(text: String, links: [String]) {
    #expect(ItemLinks.found(in: text) == links)
  }

  @Test(
    "are none with characters that are not seen or turn the direction of writing round",
    arguments: ["\u{1B}", "\u{7}", "\u{202E}", "\u{200B}", "\u{2066}", "\u{0}"])
  func unseen(character: String) {
    #expect(ItemLinks.found(in: "see https://a.example/\(character)moc.live").isEmpty)
  }

  @Test("are found once each, however many there are")
  func many() {
    let links = (1...20).map { "https://a.example/\($0)" }
    #expect(ItemLinks.found(in: (links + links).joined(separator: " ")) == links)
  }
}
