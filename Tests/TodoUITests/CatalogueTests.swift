import Testing

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("The texts of the screen")
struct CatalogueTests {
  @Test("English has every text the program asks for, and no other")
  func complete() {
    let shown =
      StringKey.allCases.map(\.rawValue) + ServerKey.allCases.map(\.rawValue) + UsageKey.allCases.map(\.rawValue)
    let commanded =
      CommandKey.allCases.map(\.rawValue) + ExampleKey.allCases.map(\.rawValue)
      + SettingText.allCases.map(\.rawValue) + HelpKey.allCases.map(\.rawValue)
    let plain = shown + commanded + SpokenKey.allCases.map(\.rawValue) + NoticeKey.allCases.map(\.rawValue)
    let plural = PluralKey.allCases.flatMap { [$0.rawValue + ".one", $0.rawValue + ".other"] }
    let commands = Command.allCases.map { "help." + $0.name }
    let places = Place.allCases.map { "place." + $0.rawValue }
    let exchange =
      ExchangeKey.allCases.map(\.rawValue) + SystemKey.allCases.map(\.rawValue) + HistoryKey.allCases.map(\.rawValue)
    let doctor = DoctorKey.allCases.map(\.rawValue) + DoctorCheck.allCases.map { "check." + $0.rawValue }
    let hints = Catalogue.english.texts.keys.filter { $0.hasPrefix("hint.") }
    let known = Catalogue.english.texts.keys.filter { $0.hasPrefix("alias.") || $0.hasPrefix("shell.") }
    let all = plain + plural + commands + places + doctor + exchange + hints + known
    #expect(Set(Catalogue.english.texts.keys) == Set(all))
    let hinted = Set(Command.allCases.map { "hint." + $0.name } + plain)
    #expect(hints.filter { !hinted.contains($0) } == [])
    let called = Set(Command.allCases.map { "alias." + $0.name } + CommandTable.shell.map { "shell." + $0 })
    #expect(known.filter { !called.contains($0) } == [])
  }

  @Test("the words for a command that a language lacks are said in English")
  func missing() throws {
    let empty = try Catalogue(parsing: "")
    #expect(empty.help(.list(.add)) == "add an item")
    #expect(empty.hint(.common(.help)) == "help")
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
