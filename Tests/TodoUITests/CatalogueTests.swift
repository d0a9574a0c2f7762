import Testing

@testable import Terminal
@testable import TodoUI

@Suite("The texts of the interface")
struct CatalogueTests {
  @Test("English has every text the program asks for, and no other")
  func complete() {
    let shown = StringKey.allCases.map(\.rawValue) + UsageKey.allCases.map(\.rawValue)
    let plain = shown + SpokenKey.allCases.map(\.rawValue)
    let plural = PluralKey.allCases.flatMap { [$0.rawValue + ".one", $0.rawValue + ".other"] }
    let commands = Command.allCases.map { "help." + $0.rawValue }
    let places = Place.allCases.map { "place." + $0.rawValue }
    let doctor = DoctorKey.allCases.map(\.rawValue) + DoctorCheck.allCases.map { "check." + $0.rawValue }
    let hints = Catalogue.english.texts.keys.filter { $0.hasPrefix("hint.") }
    #expect(Set(Catalogue.english.texts.keys) == Set(plain + plural + commands + places + doctor + hints))
    let hinted = Set(Command.allCases.map { "hint." + $0.rawValue } + plain)
    #expect(hints.filter { !hinted.contains($0) } == [])
  }

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
    #expect(empty.help(.add) == "add an item")
    #expect(empty.hint(.help) == "help")
  }

  @Test("every obstacle to showing a list has a sentence that says what works instead")
  func problems() {
    let problems: [TerminalProblem] = [
      .inputIsNoTerminal, .outputIsNoTerminal, .termUnset, .termDumb, .termUnknown(name: "vt\u{1B}"),
    ]
    for problem in problems {
      let sentence = Catalogue.english.sentence(for: problem)
      #expect(sentence.contains("ebb list") && !sentence.contains("{") && !sentence.contains("\u{1B}"), "\(sentence)")
    }
  }
}
