import Testing

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("The table of commands")
struct KeymapTests {
  private let bindings = KeyBindings.standard

  @Test("every command is in the table exactly once, with a key and a place", arguments: Command.allCases)
  func complete(command: Command) {
    let entries = CommandTable.entries.filter { $0.command == command }
    #expect(entries.count == 1)
    #expect(entries.allSatisfy { !$0.places.isEmpty })
    #expect(!bindings.keys(of: command).isEmpty)
  }

  @Test("no key means two things in one place", arguments: Place.allCases)
  func unique(place: Place) {
    var owners: [Key: Command] = [:]
    for command in CommandTable.commands(in: place) {
      for key in bindings.keys(of: command) where !(place.isText && key.isText) {
        let owner = owners.updateValue(command, forKey: key)
        #expect(owner == nil, "\(KeyName.text(key)) is \(owner.map { $0.name } ?? "") and \(command.name)")
      }
    }
  }

  @Test("no key that writes text is a command where text is typed", arguments: Place.textual)
  func typing(place: Place) {
    for scalar in UInt8(0x20)..<0x7F {
      #expect(Keymap.standard.command(for: .character(Character(Unicode.Scalar(scalar))), in: place) == nil)
    }
  }

  @Test("every command can be reached wherever it means something", arguments: CommandTable.entries.map(\.command))
  func reachable(command: Command) {
    for place in CommandTable.entries.first(where: { $0.command == command })?.places ?? [] {
      #expect(!Keymap.standard.name(of: command, in: place).isEmpty, "\(command.name) in \(place.rawValue)")
    }
  }

  @Test("the name of a key says which it is")
  func names() {
    for key in Command.allCases.flatMap({ bindings.keys(of: $0) }) {
      #expect(KeyName.key(KeyName.text(key)) == key, "\(KeyName.text(key))")
    }
    #expect(KeyName.key("ctrl-x") == .control("x"))
    #expect(KeyName.key("PGUP") == .pageUp)
    #expect(KeyName.key("F25") == nil)
    #expect(KeyName.key("Hyper") == nil)
  }

  @Test("the help names every key of every command, place by place")
  func help() {
    var desk = Desk([], columns: 80, rows: 600)
    desk.press(.character("?"))
    let lines = desk.screen.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    for entry in CommandTable.entries {
      for place in entry.places {
        let keys = Keymap.standard.names(of: entry.command, in: place)
        let line = keys.joined(separator: " ") + " " + Catalogue.english.help(entry.command)
        // 80 columns are too few for the panel.
        let said = [line, "▌ " + line, line + " (from 110 columns)"]
        #expect(lines.contains { said.contains($0) }, "\(line)")
      }
    }
  }

  @Test("at 40 columns no line of the help is cut")
  func narrowHelp() {
    var desk = Desk([], columns: 40, rows: 400)
    desk.press(.character("?"))
    #expect(!desk.screen.contains("…"), "\(desk.screen)")
  }

  @Test("a user's keys take the place of a command's own")
  func rebinding() throws {
    var bindings = KeyBindings.standard
    try bindings.bind("add", to: "+, Ctrl-X")
    try bindings.bind("raisePriority", to: "")
    let keymap = Keymap(bindings)
    #expect(keymap.command(for: .character("+"), in: .list) == .list(.add))
    #expect(keymap.command(for: .control("x"), in: .list) == .list(.add))
    #expect(keymap.command(for: .character("a"), in: .list) == nil)
    #expect(keymap.name(of: .item(.raisePriority), in: .list) == "")
  }

  @Test("where two commands claim one key, the one earlier in the table has it")
  func precedence() throws {
    var bindings = KeyBindings.standard
    try bindings.bind("quit", to: "a")
    #expect(Keymap(bindings).command(for: .character("a"), in: .list) == .list(.add))
  }

  @Test("a key that is given to one more command stays what it is in the list, and the rival there is named")
  func clash() throws {
    var bindings = KeyBindings.standard
    try bindings.bind("refresh", to: "d")
    let keymap = Keymap(bindings)
    #expect(keymap.command(for: .character("d"), in: .list) == .item(.delete))
    #expect(keymap.command(for: .character("d"), in: .outbox) == .pane(.dropChange))
    #expect(
      keymap.collisions == [
        KeyCollision(
          key: "d", place: .list, first: .item(.delete), second: .common(.refresh), kept: ["r", "F5"])
      ])
    #expect(keymap.collisions.first?.isInFirstPlace == true)
    #expect(keymap.names(of: .common(.refresh), in: .list) == ["r", "F5"])
    #expect(keymap.command(for: .character("r"), in: .list) == .common(.refresh))
    #expect(keymap.names(of: .common(.refresh), in: .digest) == ["d"])
  }

  @Test("keys of different places do not clash; where two commands of one place do, it is named")
  func places() throws {
    var bindings = KeyBindings.standard
    try bindings.bind("add", to: "a")
    try bindings.bind("edit", to: "Enter")
    try bindings.bind("down", to: "n")
    try bindings.bind("up", to: "e")
    let keymap = Keymap(bindings)
    #expect(keymap.command(for: .character("n"), in: .list) == .move(.down))
    #expect(keymap.command(for: .character("e"), in: .list) == .move(.up))
    #expect(keymap.command(for: .character("n"), in: .sortPrompt) == .answer(.decline))
    #expect(
      Set(keymap.collisions.map { "\($0.key) \($0.place.rawValue) \($0.first.name) \($0.second.name)" })
        == ["n linkPrompt decline down", "e outbox editChange up"])
    #expect(keymap.collisions.allSatisfy { !$0.isInFirstPlace && !$0.kept.isEmpty })
  }

  @Test("two commands that change keys both have them, without a word")
  func exchange() throws {
    var bindings = KeyBindings.standard
    try bindings.bind("add", to: "e")
    try bindings.bind("edit", to: "a")
    let keymap = Keymap(bindings)
    #expect(keymap.command(for: .character("e"), in: .list) == .list(.add))
    #expect(keymap.command(for: .character("a"), in: .list) == .list(.edit))
    #expect(keymap.collisions == [])
  }

  @Test("a command or a key there is not is named", arguments: [("fly", "a"), ("add", "Hyper-A"), ("add", "Ctrl-1")])
  func unknown(name: String, key: String) {
    var bindings = KeyBindings.standard
    let word = name == "fly" ? name : key
    #expect(throws: KeyBindings.Problem(word: word)) { try bindings.bind(name, to: key) }
    #expect(bindings == .standard)
  }
}
