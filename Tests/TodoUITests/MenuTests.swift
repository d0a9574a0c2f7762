import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

@Suite("The help and the palette")
struct MenuTests {
  @Test(
    "the palette narrows down as one types and runs what is chosen", arguments: [Key.character(":"), .control("p")])
  func palette(key: Key) {
    var desk = Desk(["a"])
    desk.press(key)
    #expect(desk.tab == "Commands")
    desk.type("done or")
    #expect(desk.row(1).hasPrefix("▌ Space x"))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.setComplete(ids: ["a"], true))))
    #expect(desk.model.mode == .list)
  }

  @Test("the help is filtered after /, and Enter runs the line where the help was opened")
  func help() {
    var desk = Desk(["a"])
    desk.press(.character("?"), .character("/"))
    desk.type("delete the item")
    #expect(desk.row(2).hasPrefix("▌ d Delete"))
    desk.press(.enter)
    #expect(desk.effects.contains(.change(.delete(ids: ["a"]))))
  }

  @Test("a line of another place only says so")
  func otherPlace() {
    var desk = Desk(["a"])
    desk.press(.character("?"), .character("/"))
    desk.type("keepMine")
    desk.press(.enter)
    #expect(desk.screen.contains("That is for another place: keep what is here."))
  }

  @Test("the help shows first what is valid where it was opened")
  func place() {
    var desk = Desk(["a"])
    desk.outbox = [WaitingChange(id: "a", before: nil, after: TodoCopy(text: "a"))]
    desk.press(.character("o"), .character("?"))
    #expect(desk.row(1) == "In the unsent changes")
    desk.press(.escape)
    #expect(desk.tab == "Unsent changes")
  }

  @Test("Escape closes the palette and nothing was done")
  func escape() {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type("quit")
    desk.press(.escape)
    #expect(desk.model.mode == .list)
    #expect(desk.effects.isEmpty)
  }

  @Test(
    "in the palette a name, a key, or what other programs call it comes first",
    arguments: [
      ("q", "quit"), ("w", "send, then fetch"), ("sync", "send, then fetch"), ("wq", "quit"), ("done", "done, or open"),
      ("x", "quit"), ("S", "save the filter"), ("sort", "order"), ("u", "undo"), ("h", "keys"),
    ])
  func wholeWord(typed: String, words: String) {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type(typed)
    #expect(desk.row(1).contains(words), "\(desk.row(1))")
  }

  private func desk(_ language: Language) -> Desk {
    Desk(["a"], columns: 100, preferences: Preferences(catalogue: Catalogue.of(language)))
  }

  /// The commands that the palette of the list shows for what is typed.
  private func found(_ typed: String, _ language: Language) -> [Command] {
    var desk = desk(language)
    desk.press(.character(":"))
    desk.type(typed)
    return desk.model.panes.menu?.entries(desk.model.screen.keymap, Catalogue.of(language)).map(\.command) ?? []
  }

  @Test("in every language the palette finds a command of the list by its label", arguments: Language.allCases)
  func labels(language: Language) {
    let text = Catalogue.of(language)
    // The palette does not open itself, and a saved filter is chosen by its number.
    let unnamed: [Command] = [.common(.palette), .list(.savedFilter)]
    for command in CommandTable.commands(in: .list) where !unnamed.contains(command) {
      guard let label = text.optionalText(named: "hint." + command.name) else { continue }
      if case .move = command { continue }
      let first = found(label, language).first
      #expect(first.map { text.hint($0) } == label, "\(label) finds \(first?.name ?? "nothing")")
    }
  }

  @Test("the palette finds each word of the hints under the list, in every language", arguments: Language.allCases)
  func hints(language: Language) {
    let desk = desk(language)
    let hints = HintsView(model: desk.model, brush: Brush(desk.model.screen)).hinted
    #expect(hints.count > 5)
    for hint in hints where hint.key != ":" {
      let keys = found(hint.words, language).first.map { desk.model.screen.keymap.names(of: $0, in: .list) } ?? []
      #expect(keys.contains(hint.key), "\(hint.words)")
    }
  }

  @Test(
    "what people call a command in their language finds it first",
    arguments: [
      (Language.spanish, "ayuda", "help"), (.spanish, "sincronizar", "refresh"), (.spanish, "sinc", "refresh"),
      (.spanish, "actualizar", "refresh"), (.spanish, "buscar", "filter"), (.spanish, "tema", "theme"),
      (.spanish, "nota", "editNote"), (.spanish, "ordenar", "sort"), (.spanish, "sincro", "refresh"),
      (.spanish, "tema dark", "themeDark"), (.spanish, "ordenar fecha", "sortDue"), (.spanish, "sync", "refresh"),
      (.japanese, "同期", "refresh"), (.japanese, "ヘルプ", "help"), (.japanese, "テーマ", "theme"),
      (.japanese, "メモ", "editNote"), (.japanese, "検索", "filter"),
      (.traditionalChinese, "同步", "refresh"), (.traditionalChinese, "說明", "help"),
      (.traditionalChinese, "主題", "theme"), (.traditionalChinese, "備註", "editNote"),
      (.traditionalChinese, "搜尋", "filter"), (.english, "order date", "sortDue"), (.english, "syn", "refresh"),
      (.english, "reload", "refresh"), (.english, "postpone", "setDue"), (.english, "defer", "setDue"),
      (.english, "snooze", "setDue"), (.english, "tomorrow", "setDue"), (.english, "overdue", "agenda"),
      (.english, "late", "agenda"), (.spanish, "posponer", "setDue"), (.spanish, "mañana", "setDue"),
      (.spanish, "manana", "setDue"),
      (.spanish, "vencidas", "agenda"), (.spanish, "recargar", "refresh"), (.japanese, "延期", "setDue"),
      (.japanese, "明日", "setDue"), (.japanese, "期限切れ", "agenda"), (.traditionalChinese, "延後", "setDue"),
      (.traditionalChinese, "明天", "setDue"), (.traditionalChinese, "逾期", "agenda"), (.japanese, "リロード", "refresh"),
      (.traditionalChinese, "重新載入", "refresh"),
    ])
  func ownWords(language: Language, typed: String, name: String) {
    #expect(found(typed, language).first?.name == name)
  }

  @Test("no word stands for two commands of a language", arguments: Language.allCases)
  func uniqueAliases(language: Language) {
    let text = Catalogue.of(language)
    let names = Command.allCases.map { "alias." + $0.name } + CommandTable.shell.map { "shell." + $0 }
    let words = names.flatMap { (text.optionalText(named: $0) ?? "").split(separator: " ").map(String.init) }
    #expect(Set(words).count == words.count, "\(words)")
    #expect(words.allSatisfy { $0 == $0.lowercased() })
  }

  @Test(
    "what is done in a shell is said so by its words in each language too",
    arguments: [
      (Language.spanish, "exportar", "ebb export"), (.spanish, "ajustes", "ebb config"),
      (.japanese, "書き出し", "ebb export"), (.japanese, "取り込み", "ebb import"),
      (.traditionalChinese, "匯出", "ebb export"), (.english, "settings", "ebb config"),
    ])
  func shellWords(language: Language, typed: String, command: String) {
    var desk = desk(language)
    desk.press(.character(":"))
    desk.type(typed)
    #expect(desk.row(1).contains(command), "\(desk.row(1))")
    desk.press(.enter)
    #expect(desk.effects.isEmpty)
  }

  @Test("Up in an empty palette brings the commands run before, Down goes back, and Enter runs what stands there")
  func history() {
    var desk = Desk(["a"])
    for words in ["theme dark", "sort text"] {
      desk.press(.character(":"))
      desk.type(words)
      desk.press(.enter)
    }
    desk.press(.character(":"), .up)
    #expect(desk.model.panes.menu?.filter.text == "sort text")
    desk.press(.up)
    #expect(desk.model.panes.menu?.filter.text == "theme dark")
    desk.press(.up, .down)
    #expect(desk.model.panes.menu?.filter.text == "sort text")
    desk.press(.up)
    desk.effects = []
    desk.press(.enter)
    #expect(desk.effects.contains(.note(.memory(.theme, "dark"))))
    desk.press(.character(":"), .up, .down)
    #expect(desk.model.panes.menu?.filter.text == "", "after the newest comes what was typed")
    desk.type("so")
    desk.press(.up)
    #expect(desk.model.panes.menu?.filter.text == "so", "among what was typed Up moves")
  }

  @Test("a command that was chosen below the first comes back by words that find it", arguments: Language.allCases)
  func historyOfChosen(language: Language) {
    for (typed, steps) in [("sort", 3), ("theme", 2), ("", 2)] {
      var desk = desk(language)
      desk.press(.character(":"))
      desk.type(typed)
      for _ in 0..<steps { desk.press(.down) }
      let chosen = desk.model.panes.menu?.chosen(desk.model.screen)
      desk.press(.enter, .escape, .escape, .character(":"), .up)
      #expect(desk.model.panes.menu?.chosen(desk.model.screen) == chosen, "\(desk.screen)")
      let words = desk.model.panes.menu?.filter.text
      #expect(words != chosen?.command.name || words == words?.lowercased(), "\(words ?? "")")
    }
  }

  @Test(
    "the palette shows each command once, and only what can be run here",
    arguments: ["redraw", "suspend", "shell", "w", "sort", "theme", "o"])
  func once(typed: String) {
    let commands = found(typed, .english)
    #expect(!commands.isEmpty && Set(commands).count == commands.count, "\(commands)")
    for index in commands.indices {
      var desk = desk(.english)
      desk.press(.character(":"))
      desk.type(typed)
      for _ in 0..<index { desk.press(.down) }
      desk.press(.enter)
      #expect(!desk.screen.contains("That is for another place"), "\(commands[index])")
    }
  }

  @Test("the palette finds what it shows by the words in its row, in every language", arguments: Language.allCases)
  func rows(language: Language) {
    let text = Catalogue.of(language)
    for command in found("sort", .english) + found("theme", .english) {
      #expect(found(text.help(command), language).contains(command), "\(text.help(command))")
    }
    for (typed, order) in [("by text", PromptAnswer.sortText), ("text", .sortText), ("by date", .sortDue)] {
      #expect(found(typed, .english).first == .answer(order), "\(typed)")
    }
  }

  @Test("Up brings nothing before the palette has run a command, also if the help ran one")
  func noHistory() {
    var desk = Desk(["a"])
    desk.press(.character("?"), .enter)
    desk.press(.escape, .escape, .character(":"), .up)
    #expect(desk.model.panes.menu?.filter.text == "")
  }

  @Test(":q Enter leaves")
  func vim() {
    var desk = Desk(["a"])
    desk.press(.character(":"), .character("q"), .enter)
    #expect(desk.effects == [.screen(.quit)])
  }

  @Test("where nothing fits that is said, and Enter does nothing")
  func nothing() {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type("xyzzy")
    #expect(desk.row(1) == "  No such command.")
    desk.press(.enter)
    #expect(desk.effects.isEmpty)
  }

  @Test(
    "a word that is near a command names it and runs nothing",
    arguments: [
      ("snyc", "refresh: "), ("dlete", "delete: "), ("quitt", "“quit”."), ("redrww", "“redraw the screen”."),
    ])
  func nearest(typed: String, words: String) {
    var desk = Desk(["a"], columns: 100)
    desk.press(.character(":"))
    desk.type(typed)
    #expect(desk.row(1).hasPrefix("  No such command. The nearest is \(words)"), "\(desk.row(1))")
    desk.press(.enter)
    #expect(desk.effects.isEmpty)
  }

  @Test(
    "what is done in a shell, or in a file, is said so",
    arguments: [
      ("export", "That is done in a shell: ebb export."), ("import x.txt", "That is done in a shell: ebb import."),
      ("set number", "No such command. Settings and keys are in a file; ebb config show prints it."),
    ])
  func elsewhere(typed: String, said: String) {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type(typed)
    #expect(desk.row(1).hasPrefix("  " + said), "\(desk.row(1))")
    desk.press(.enter)
    #expect(desk.effects.isEmpty)
  }

  @Test("the commands that are said to be for a shell are commands there")
  func shellCommands() {
    let names = Set(Catalogue.english.texts.keys.filter { $0.hasPrefix("usage.") })
    for word in CommandTable.shell {
      #expect(names.contains { $0 == "usage." + word || $0.hasPrefix("usage." + word + ".") }, "\(word)")
    }
  }

  @Test("the palette shows no key of a question as one of the list")
  func keysOfQuestions() {
    var desk = Desk(["a"], columns: 100)
    desk.press(.character(":"))
    desk.type("theme")
    #expect(desk.row(1).hasPrefix("▌ C "))
    #expect(desk.row(2).hasPrefix("    "), "\(desk.screen)")
  }

  @Test(":theme dark changes the colours now and remembers them")
  func theme() {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type("theme dark")
    desk.press(.enter)
    #expect(desk.model.screen.preferences.theme == .dark)
    #expect(desk.effects == [.note(.memory(.theme, "dark"))])
    #expect(desk.said == "The colours are dark from now on.")
    let again = Desk(items: [], memory: Memory(values: [.theme: "dark"]))
    #expect(again.model.screen.preferences.theme == .dark)
  }

  @Test(":sort pri sorts, and a theme that is none is answered with those that are")
  func words() {
    var desk = Desk(["a"], columns: 100)
    desk.press(.character(":"))
    desk.type("sort pri")
    desk.press(.enter)
    #expect(desk.model.list.query.order == .priority)
    desk.press(.character(":"))
    desk.type("theme purple")
    #expect(desk.row(1) == "  Themes: auto, terminal, light, dark, plain.")
  }

  @Test(":theme alone says which it is and asks which it shall be")
  func themeQuestion() {
    var desk = Desk(["a"])
    desk.press(.character(":"))
    desk.type("theme")
    desk.press(.enter)
    #expect(desk.said == "Which colours? Now: terminal.")
    #expect(desk.bottom == "(a)uto  (t)erminal  (l)ight  (d)ark  (p)lain  Esc leave it")
    desk.press(.character("l"))
    #expect(desk.model.screen.preferences.theme == .light)
    desk.press(.character("C"), .character("a"))
    #expect(desk.effects.last == .note(.memory(.theme, "auto")) && desk.effects.contains(.screen(.askBackground)))
    desk.tell(.background(.rgb(0, 0, 0)))
    #expect(desk.model.screen.preferences.theme == .dark)
  }

  @Test("auto takes what the environment says of the background while the terminal does not tell it")
  func environment() {
    var preferences = Preferences()
    (preferences.themeChoice, preferences.theme, preferences.background) = (.auto, .light, .rgb(255, 255, 255))
    var desk = Desk(items: [], preferences: preferences, memory: Memory(values: [.theme: "auto"]))
    desk.tell(.background(nil))
    #expect(desk.model.screen.preferences.theme == .light)
    desk.press(.character("C"), .character("d"), .character("C"), .character("a"))
    desk.tell(.background(nil))
    #expect(desk.model.screen.preferences.theme == .light)
  }

  @Test("a theme of the configuration comes back with the next start, and that is said")
  func configuredTheme() {
    var preferences = Preferences()
    (preferences.configuresTheme, preferences.themeChoice, preferences.theme) = (true, .light, .light)
    var desk = Desk(items: [], preferences: preferences, memory: Memory(values: [.theme: "plain"]))
    #expect(desk.model.screen.preferences.theme == .light)
    desk.press(.character("C"), .character("d"))
    #expect(desk.model.screen.preferences.theme == .dark && desk.effects.isEmpty)
    #expect(desk.screen.contains("until Ebb ends"))
  }

  @Test("on a wide screen the help stands in columns, under headings, and has all keys of the list on its first page")
  func columns() throws {
    var desk = Desk(["a"], columns: 200, rows: 50)
    desk.press(.character("?"))
    for title in ["Changing items", "Several at once", "Views, filters, order", "Moving", "The program"] {
      #expect(desk.screen.contains("  " + title), "\(desk.screen)")
    }
    let commands = CommandTable.commands(in: .list).filter { $0 != .list(.nextView) }
    #expect(commands.filter { !desk.screen.contains(" " + Catalogue.english.help($0)) } == [])
    var columns: Set<Int> = []
    for _ in commands {
      let cursor = try #require(desk.frame.cursor)
      columns.insert(cursor.column)
      #expect(String(desk.frame.lines[cursor.row].text.dropFirst(cursor.column)).hasPrefix("▌ "), "\(desk.screen)")
      desk.press(.down)
    }
    #expect(columns.count > 1)
    desk.press(.character("G"))
    let last = try #require(desk.frame.cursor)
    #expect(desk.frame.lines[last.row].text.contains("▌ "), "\(desk.screen)")
  }

  @Test("the help says which keys act on all that is marked")
  func marks() {
    var desk = Desk(["a"], columns: 80)
    desk.press(.character("?"))
    #expect(desk.row(2) == "  Space d + - t y O act on all that is marked with m.")
  }
}
