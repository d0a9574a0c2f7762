import Testing

@testable import Words

@Suite("The catalogue of texts")
struct CatalogueTests {
  @Test("comments and empty lines are passed over, quotes and backslashes can be written")
  func parsing() throws {
    let source = """
      /* a comment
         "view.open" = "no"; */
      // another

        "view.open" = "say \\"a\\\\b\\" = x";
      """
    let catalogue = try Catalogue(parsing: source)
    #expect(catalogue.text(.viewOpen) == "say \"a\\b\" = x")
    #expect(catalogue.texts.count == 1)
  }

  @Test("a line that is no text is reported by its number", arguments: ["\"a\" = \"b\"", "a = b;", "\"a\" \"b\";"])
  func badLine(line: String) {
    #expect(throws: CatalogueError(line: 2)) { try Catalogue(parsing: "\n" + line) }
  }

  @Test("of several texts with one name the last counts, and a file may be longer than any of ours")
  func manyTexts() throws {
    let lines = (0..<3_000).map { "\"name.\($0 % 2_500)\" = \"text \($0)\";" }
    let catalogue = try Catalogue(parsing: lines.joined(separator: "\r\n"))
    #expect(catalogue.texts.count == 2_500)
    #expect(catalogue.text(named: "name.7") == "text 2507")
    #expect(catalogue.text(named: "name.2499") == "text 2499")
    #expect(catalogue.optionalText(named: "name.2500") == nil)
  }

  @Test("an empty text is a text, and so is one of signs that could end it")
  func oddTexts() throws {
    let catalogue = try Catalogue(parsing: "\"a\" = \"\";\n\"b\" = \"\";\";\n\"c\" = \"\\n\\\\n\\\";")
    #expect(catalogue.texts == ["a": "", "b": "\";", "c": "\n\\n\\"])
    #expect(throws: CatalogueError(line: 1)) { try Catalogue(parsing: "\";") }
  }

  @Test("placeholders are filled in once, and braces that come with a value stay")
  func filling() throws {
    let catalogue = try Catalogue(parsing: "\"failure.unreachable\" = \"{reason} {other}{\";")
    #expect(catalogue.text(.failureUnreachable, ["reason": "{other}", "other": "x"]) == "{other} x{")
    #expect(catalogue.text(.failureUnreachable, ["reason": "r"]) == "r {other}{")
  }

  @Test("one is one, all else is other; a language without the first uses the second")
  func plural() throws {
    #expect(Catalogue.english.text(.statusConflicts, count: 1) == "1 conflict")
    #expect(Catalogue.english.text(.statusConflicts, count: 0) == "0 conflicts")
    #expect(Catalogue.english.text(.statusConflicts, count: 21) == "21 conflicts")
    let japanese = try Catalogue(parsing: "\"status.conflicts.other\" = \"競合 {count} 件\";")
    #expect(japanese.text(.statusConflicts, count: 1) == "競合 1 件")
  }

  @Test("a text that a language lacks is said in English")
  func missing() throws {
    let empty = try Catalogue(parsing: "")
    #expect(empty.text(.viewOpen) == "Open")
    #expect(empty.text(.statusConflicts, count: 2) == "2 conflicts")
  }
}
