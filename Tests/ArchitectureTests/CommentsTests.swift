import Testing

@Suite("Comments")
struct CommentsTests {
  @Test("begin with the name of a thing or with a verb, and not with \"What\"")
  func beginWithANoun() throws {
    let sources = try Repository().swiftFiles()
    for file in sources { #expect(Self.lines(in: file.text) == [], "\(file.path)") }
  }

  @Test("that begin so are found with their lines, and no others")
  func findsLines() {
    let source = """
      /// What it is.
        // What is there
      /// Whatever. What
      let what = 1 // What
      let text = "/// What"
      """
    #expect(Self.lines(in: source) == [1, 2])
  }

  /// Counted from 1.
  private static func lines(in text: String) -> [Int] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
      let comment = line.drop { $0 == " " }
      return comment.hasPrefix("//") && comment.drop { $0 == "/" }.hasPrefix(" What ") ? index + 1 : nil
    }
  }
}
