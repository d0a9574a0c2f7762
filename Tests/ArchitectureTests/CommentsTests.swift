import Testing

@Suite("The words of comments and pages")
struct CommentsTests {
  @Test("a comment begins with the name of a thing or with a verb, and is in plain words")
  func comments() throws {
    for file in try Repository().swiftFiles() { #expect(Self.lines(ofSource: file.text) == [], "\(file.path)") }
  }

  @Test("so does each sentence of README.md and of the pages in Resources/docs")
  func pages() throws {
    let repository = Repository()
    var texts = try repository.pages().texts
    texts["README.md"] = try repository.readme()
    for (name, text) in texts { #expect(Self.lines(ofPage: text) == [], "\(name)") }
  }

  @Test("comments that do not are found with their lines, and no others")
  func findsComments() {
    let source = """
      /// What it is.
        // What is there
      /// Whatsoever. What
      let what = 1 // What
      let text = "/// What"
      /// Nobody asks.
      /// It is read anew.
      /// What
      """
    #expect(Self.lines(ofSource: source) == [1, 2, 6, 7])
  }

  @Test("sentences that do not are found with their lines; code, quotations and headings are passed over")
  func findsSentences() {
    let page = """
      What it is.
      ## What it does
      It is what it is. Whoever asks, waits.
      - <a id="q1"></a>**What is** bold, and so is Whatever.
      1. Nobody knows.
      | What waits | one that waits |
      `What` and "What is it? What" and what
      ```
      What is it anew
      ```
          What is code
      It must begin `anew`, and is to be read.
      """
    #expect(Self.lines(ofPage: page) == [1, 3, 4, 5, 12])
  }

  private static let openings = ["What", "Whoever", "Whatever", "Nobody", "One that"]
  /// There are plainer ones: "again", "if there is none", "must".
  private static let hardWords = [" anew", "where there is none", " is to be ", " are to be "]

  /// Counted from 1. Comments beside code are passed over.
  private static func lines(ofSource text: String) -> [Int] {
    numbers(of: text) { line in
      let comment = line.drop { $0 == " " }
      guard comment.hasPrefix("//") else { return false }
      let words = comment.drop { $0 == "/" }
      return openings.contains { words.hasPrefix(" \($0) ") } || hardWords.contains { words.contains($0) }
    }
  }

  /// Counted from 1. Passes over blocks of code, and words in quotes.
  private static func lines(ofPage text: String) -> [Int] {
    var isCode = false
    return numbers(of: text) { line in
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
        return false
      }
      guard !isCode, !line.hasPrefix("    ") else { return false }
      let words = String(line).replacing(/`[^`]*`|<[^>]*>|\x22[^\x22]*\x22/, with: "")
      return words.contains(/(^ *([-*] |[0-9]+\. )?|[.!?] |\*\*)(What|Whoever|Whatever|Nobody|One that)[ ]/)
        || hardWords.contains { words.contains($0) }
    }
  }

  private static func numbers(of text: String, where isWrong: (Substring) -> Bool) -> [Int] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
      isWrong(line) ? index + 1 : nil
    }
  }
}
