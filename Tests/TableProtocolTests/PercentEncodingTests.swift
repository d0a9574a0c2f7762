import TableProtocol
import Testing

@Suite("The encoding of URLs")
struct PercentEncodingTests {
  @Test(
    "a path falls into its parts, each decoded by itself",
    arguments: [
      ("/tables/TodoItem", ["", "tables", "TodoItem"]), ("/tables/TodoItem/", ["", "tables", "TodoItem", ""]),
      ("", [""]), ("//a", ["", "", "a"]), ("/t%61bles/a%2Fb", ["", "tables", "a/b"]),
      ("/50%/%GG/%4", ["", "50%", "%GG", "%4"]), ("/a+b", ["", "a+b"]), ("/%E4%B9%B0/买", ["", "买", "买"]),
      ("/%EF%BF%BD/\u{FFFD}", ["", "\u{FFFD}", "\u{FFFD}"]),
    ])
  func segments(path: String, parts: [String]) {
    #expect(PercentEncoding.segments(of: path[...]) == parts)
    #expect(PercentEncoding.segments(of: "x\(path)y".dropFirst().dropLast()) == parts)
  }

  @Test("a part whose bytes are no text makes the whole path none", arguments: ["/%FF", "/a/%E4%B9/b", "/%C0%AF"])
  func noText(path: String) {
    #expect(PercentEncoding.segments(of: path[...]) == nil)
  }
}
