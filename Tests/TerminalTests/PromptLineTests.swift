import Testing

@testable import Terminal

@Suite("The line being edited on a plain terminal")
struct PromptLineTests {
  private func rewrite(_ line: inout PromptLine, _ text: String, _ column: Int? = nil, columns: Int = 80) -> String {
    line.rewrite(text, cursorColumn: column ?? TextWidth.columns(of: text), columns: columns)
  }

  @Test("letters added at the end are sent alone")
  func adding() {
    var line = PromptLine()
    #expect(rewrite(&line, "Add: ") == "Add: ")
    #expect(rewrite(&line, "Add: m") == "m")
    #expect(rewrite(&line, "Add: m買") == "買")
    #expect(rewrite(&line, "Add: m買") == "")
  }

  @Test("what became shorter is covered with spaces")
  func shortening() {
    var line = PromptLine()
    _ = rewrite(&line, "abc")
    #expect(rewrite(&line, "ab") == "\r   \rab")
    #expect(line.clear() == "\r  \r")
    #expect(line.clear() == "")
    #expect(rewrite(&line, "") == "")
  }

  @Test("the cursor gets back to its place by the beginning of the line")
  func cursor() {
    var line = PromptLine()
    _ = rewrite(&line, "abc")
    #expect(rewrite(&line, "abc", 1) == "\ra")
    #expect(rewrite(&line, "abc", 0) == "\r")
    #expect(rewrite(&line, "axbc", 2) == "\r   \raxbc\rax")
    #expect(rewrite(&line, "axbc") == "\raxbc")
  }

  @Test("a line that does not fit shows what is around the cursor, and never reaches the last column")
  func tooLong() {
    var line = PromptLine()
    #expect(rewrite(&line, "abcdefgh", columns: 6) == "defgh")
    #expect(rewrite(&line, "abcdefgh", 0, columns: 6) == "\r     \rabcde\r")
    #expect(rewrite(&line, "買牛奶", 6, columns: 5).hasSuffix("牛奶"))
    #expect(rewrite(&line, "abc", columns: 1) == "\r    \rc")
  }
}
