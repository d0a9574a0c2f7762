import Words

/// The help and the palette: commands to choose one from and run it.
struct CommandMenu: Equatable, Sendable {
  /// Where one was, and where the command is to act.
  let origin: Place
  /// The text that narrows the entries down.
  private(set) var filter = LineEditor()
  /// Letters go into the filter.
  private(set) var isTyping: Bool
  /// Opened as the palette: letters are text from the beginning, and it shows only what can be run.
  let isPalette: Bool
  /// The chosen one of the entries that are shown.
  private(set) var index = 0
  /// The command run before whose name stands in the filter; nil if none does.
  private var shown: LineHistory.Shown?

  init(from origin: Place, isPalette: Bool) {
    self.origin = origin
    self.isPalette = isPalette
    isTyping = isPalette
  }

  /// A command in a place.
  struct Entry: Hashable, Sendable {
    let command: Command
    let place: Place
  }

  /// Every command of the place one was in; then, to be read, those of the others. In the palette of the list the
  /// themes and the orders come after them: they can be named behind their command, as in `theme dark`.
  private var all: [Entry] {
    let others: [Place] =
      isPalette ? (origin == .list ? [.themePrompt, .sortPrompt] : []) : Place.allCases.filter { $0 != origin }
    return ([origin] + others).flatMap { place in
      commands(in: place).map { Entry(command: $0, place: place) }
    }
  }

  /// The commands among which the palette looks.
  var commands: [Command] { all.map(\.command) }

  private func commands(in place: Place) -> [Command] {
    let commands = CommandTable.commands(in: place)
    // Of a question only the answers: its other commands are those of the list, which stand there with their keys.
    if isPalette { return commands.filter { place == origin ? $0.isWorthChoosing : $0.isSetting } }
    return place == .list ? HelpGroup.allCases.flatMap { group in commands.filter { $0.helpGroup == group } } : commands
  }

  /// The group under whose heading the help has this entry; nil if it has no such heading. What is looked for stands
  /// without them.
  func group(of entry: Entry) -> HelpGroup? {
    !isPalette && entry.place == .list && filter.text.isEmpty ? entry.command.helpGroup : nil
  }

  /// The entries that have every word of the filter in their words, their keys or their name; in the palette the ones
  /// that fit best come first.
  func entries(_ keymap: Keymap, _ text: Catalogue) -> [Entry] {
    let typed = CommandWords.folded(filter.text).split(separator: " ").map(String.init)
    guard let first = typed.first else { return all.filter { !isPalette || $0.place == origin } }
    let known = CommandWords(text)
    if isPalette, known.isForeign(first) { return [] }
    let ranked = all.enumerated().compactMap { place, entry -> (rank: Int, place: Int, entry: Entry)? in
      let (help, keys) = (text.help(entry.command), keys(of: entry, keymap))
      let rank: Int? =
        isPalette
        ? rank(of: entry, typed, help, keys, known)
        : Self.has(typed, in: [help, entry.command.name] + keys) ? 0 : nil
      return rank.map { ($0, place, entry) }
    }
    return ranked.sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }.map(\.entry)
  }

  /// How well an entry of the palette fits what was typed: 0 is best, nil not at all. What was typed whole comes first:
  /// a name, then a label, then what people call it elsewhere, then a key, then the words in its row. Next are those
  /// that begin so.
  private func rank(
    of entry: Entry, _ typed: [String], _ help: String, _ keys: [String], _ known: CommandWords
  ) -> Int? {
    let (whole, name) = (typed.joined(separator: " "), CommandWords.folded(entry.command.name))
    let (labels, aliases) = (known.labels(of: entry.command), known.aliases(of: entry.command))
    let asking = Self.command(asking: entry.place).map { known.labels(of: $0) + known.aliases(of: $0) } ?? []
    // An order is found by the command that asks for it, or by its own words: a part of them would be in too many.
    let isNamed = whole.count > 1 && (labels + [CommandWords.folded(help)]).contains { $0.hasPrefix(whole) }
    if entry.place == .sortPrompt, !isNamed, !name.hasPrefix(typed[0]), !asking.contains(typed[0]) { return nil }
    if name == whole { return 0 }
    if labels.contains(whole) { return 1 }
    if aliases.contains(whole) { return 2 }
    if typed.count == 1, keys.contains(filter.text.filter { $0 != " " }) { return 3 }
    if CommandWords.folded(help) == whole { return 4 }
    if labels.contains(where: { $0.hasPrefix(whole) }) { return 5 }
    if aliases.contains(where: { $0.hasPrefix(whole) }) { return 6 }
    guard Self.has(typed, in: [help] + labels + asking + keys) else { return nil }
    return name.hasPrefix(typed[0]) ? 5 : 7
  }

  /// The words by which the palette finds this entry first, to run it again: those that were typed, if they do.
  func wordsToRepeat(_ entry: Entry, _ screen: Screen) -> String {
    let text = screen.preferences.catalogue
    let typed = filter.text.split(separator: " ").joined(separator: " ")
    let words = [typed, text.hint(entry.command), text.help(entry.command)].first { words in
      var menu = self
      menu.filter = LineEditor(words)
      return !words.isEmpty && menu.entries(screen.keymap, text).first == entry
    }
    return words ?? entry.command.name
  }

  private static func has(_ typed: [String], in words: [String]) -> Bool {
    let said = CommandWords.folded(words.joined(separator: " "))
    return typed.allSatisfy { said.contains($0) }
  }

  /// The command whose question is answered there, if the answer can be typed behind it.
  private static func command(asking place: Place) -> Command? {
    if place == .themePrompt { return .list(.theme) }
    return place == .sortPrompt ? .list(.sort) : nil
  }

  /// The palette runs an answer to a question without asking it: its key there is none of the list.
  func keys(of entry: Entry, _ keymap: Keymap) -> [String] {
    isPalette && entry.place != origin ? [] : keymap.names(of: entry.command, in: entry.place)
  }

  /// The entry that Enter runs.
  func chosen(_ screen: Screen) -> Entry? {
    let entries = entries(screen.keymap, screen.preferences.catalogue)
    return entries.indices.contains(index) ? entries[index] : nil
  }

  mutating func move(_ step: Step, _ screen: Screen) {
    index = step.applied(to: index, last: entries(screen.keymap, screen.preferences.catalogue).count - 1)
  }

  mutating func type(_ edit: (inout LineEditor) -> Void) {
    guard isTyping else { return }
    edit(&filter)
    shown = nil
    index = 0
  }

  /// Above the first entry of a palette in which nothing was typed stand the commands that were run before. Returns
  /// false if none is there.
  mutating func browse(older: Bool, in commands: LineHistory) -> Bool {
    guard isPalette, index == 0, shown != nil || (older && filter.text.isEmpty),
      let step = commands.step(older: older, from: shown, in: filter)
    else { return false }
    (filter, shown) = step
    return true
  }

  mutating func beginTyping() { isTyping = true }
  mutating func endTyping() { isTyping = false }
}

extension Command {
  /// It shows the panel or leads into it.
  var showsPanel: Bool {
    switch self {
    case .list(let command): command == .panel || command == .togglePanel
    case .item, .open, .move, .pane, .conflict, .answer, .typing, .edit, .common: false
    }
  }

  /// It answers a question that need not be asked before it.
  fileprivate var isSetting: Bool {
    if case .answer(let answer) = self { answer.isSetting } else { false }
  }

  /// Moving and opening the palette itself are no use to choose by name.
  fileprivate var isWorthChoosing: Bool {
    switch self {
    case .move, .common(.palette), .pane(.run), .list(.savedFilter), .answer(.decline): false
    case .list, .item, .open, .pane, .conflict, .answer, .typing, .edit, .common: true
    }
  }
}
