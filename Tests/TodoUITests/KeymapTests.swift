import Testing

@testable import Terminal
@testable import TodoUI

@Suite("The table of commands")
struct KeymapTests {
  @Test("every command is in the table exactly once, with a key and a place", arguments: Command.allCases)
  func complete(command: Command) {
    let entries = CommandTable.entries.filter { $0.command == command }
    #expect(entries.count == 1)
    #expect(entries.allSatisfy { !$0.keys.isEmpty && !$0.places.isEmpty })
  }

  @Test("no key means two things in one place", arguments: Place.allCases)
  func unique(place: Place) {
    let keys = CommandTable.entries.filter { $0.places.contains(place) }.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
  }

  @Test("no key that writes text is a command where text is typed")
  func typing() {
    let keys = CommandTable.entries.filter { $0.places.contains(.typing) }.flatMap(\.keys)
    #expect(!keys.contains { if case .character = $0 { true } else { false } })
  }

  @Test("the help names every key of every command")
  func help() {
    var desk = Desk([], columns: 80, rows: 200)
    desk.press(.character("?"))
    for entry in CommandTable.entries {
      let keys = entry.keys.map(KeyName.text)
      #expect(!keys.contains(""))
      let line = "  " + keys.joined(separator: " ") + " "
      let words = Catalogue.english.text(entry.help)
      #expect(
        desk.screen.split(separator: "\n").contains { $0.hasPrefix(line) && $0.hasSuffix(" " + words) }, "\(line)")
    }
  }

  @Test("at 40 columns no line of the help is cut")
  func narrowHelp() {
    var desk = Desk([], columns: 40, rows: 200)
    desk.press(.character("?"))
    #expect(!desk.screen.contains("…"), "\(desk.screen)")
  }

  @Test("the help is as long as it says")
  func helpLength() {
    var desk = Desk([], columns: 80, rows: 200)
    desk.press(.character("?"))
    let used = desk.screen.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast(2)
    #expect(used.lastIndex { !$0.isEmpty } == HelpView.lineCount)
  }

  @Test("an earlier entry wins a key from a later one")
  func precedence() {
    let keymap = Keymap([
      CommandEntry(.add, .helpAdd, [.character("a")], in: [.list]),
      CommandEntry(.quit, .helpQuit, [.character("a")], in: [.list]),
    ])
    #expect(keymap.command(for: .character("a"), in: .list) == .add)
    #expect(keymap.command(for: .character("a"), in: .help) == nil)
  }
}
