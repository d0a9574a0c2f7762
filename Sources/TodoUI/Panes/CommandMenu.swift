import Terminal
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

  /// Every command of the place one was in, then, to be read, those of the others.
  private var all: [Entry] {
    // A theme or an order can be named behind its command, as in `theme dark`.
    let named: [Place] = origin == .list ? [.themePrompt, .sortPrompt] : []
    let places = [origin] + (isPalette ? named : Place.allCases.filter { $0 != origin })
    return places.flatMap { place in
      CommandTable.commands(in: place).filter { !isPalette || $0.isWorthChoosing }.map {
        Entry(command: $0, place: place)
      }
    }
  }

  /// The entries that have every word of the filter in their words, their keys or their name; in the palette the ones
  /// that fit best come first.
  func entries(_ keymap: Keymap, _ text: Catalogue) -> [Entry] {
    let typed = filter.text.lowercased().split(separator: " ").map(String.init)
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
  /// a name, then a label, then what people call it elsewhere, then a key. Next are those that begin so.
  private func rank(
    of entry: Entry, _ typed: [String], _ help: String, _ keys: [String], _ known: CommandWords
  ) -> Int? {
    let (whole, name) = (typed.joined(separator: " "), entry.command.name.lowercased())
    let (labels, aliases) = (known.labels(of: entry.command), known.aliases(of: entry.command))
    let asking = Self.command(asking: entry.place).map { known.labels(of: $0) + known.aliases(of: $0) } ?? []
    // `by text` says nothing without `sort` before it.
    if entry.place == .sortPrompt, !name.hasPrefix(typed[0]), !asking.contains(typed[0]) { return nil }
    if name == whole { return 0 }
    if labels.contains(whole) { return 1 }
    if aliases.contains(whole) { return 2 }
    if typed.count == 1, keys.contains(filter.text.filter { $0 != " " }) { return 3 }
    if labels.contains(where: { $0.hasPrefix(whole) }) { return 4 }
    if aliases.contains(where: { $0.hasPrefix(whole) }) { return 5 }
    guard Self.has(typed, in: [help] + labels + asking + keys) else { return nil }
    return name.hasPrefix(typed[0]) ? 4 : 6
  }

  private static func has(_ typed: [String], in words: [String]) -> Bool {
    let said = words.joined(separator: " ").lowercased()
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

  /// Moving and opening the palette itself are no use to choose by name.
  fileprivate var isWorthChoosing: Bool {
    switch self {
    case .move, .common(.palette), .pane(.run), .list(.savedFilter), .answer(.decline): false
    case .list, .item, .open, .pane, .conflict, .answer, .typing, .edit, .common: true
    }
  }
}

/// The help or the palette on the screen.
struct MenuView: View {
  let menu: CommandMenu
  /// The key of the next view leads into the panel where that shows.
  let hasPanel: Bool
  /// The screen is wide enough for the panel.
  let panelFits: Bool
  let brush: Brush

  /// The commands with their keys, those of the place one was in first.
  func draw(on frame: inout Frame, height: Int) {
    let entries = menu.entries(brush.keymap, text)
    let width = columns >= 60 ? 24 : 16
    let lines = entries.enumerated().flatMap { index, entry in
      heading(before: index, in: entries) + [(index, line(entry, width: width))]
    }
    let chosen = lines.firstIndex { $0.0 == menu.index } ?? 0
    let top = max(0, min(chosen - height / 2, lines.count - height))
    for (index, line) in lines.dropFirst(top).prefix(height) {
      let isChosen = index == menu.index
      if isChosen { frame.cursor = Frame.Cursor(row: frame.lines.count, column: 0, isVisible: false) }
      frame.lines.append(index == nil ? cut(line) : entry(line, isChosen: isChosen))
    }
    if entries.isEmpty { frame.lines += wrapped(emptyWords, after: Line(" ")).prefix(height) }
  }

  /// The command that is most like what was typed is named, and not run: nobody has chosen it.
  private var emptyWords: String {
    let typed = menu.filter.text.lowercased().filter { $0 != " " }
    let words = [StringKey.lineLive, .lineNotLive].map { text.text($0).lowercased().filter { $0 != " " } }
    if (words + ["live", "notlive"]).contains(typed) { return text.text(.menuLive) }
    guard menu.isPalette, let word = menu.filter.text.split(separator: " ").first.map({ $0.lowercased() }) else {
      return text.text(.menuEmpty)
    }
    let known = CommandWords(text)
    if let command = known.shellCommand(word) { return text.text(.menuShell, ["word": command]) }
    if (known.labels(of: .list(.theme)) + known.aliases(of: .list(.theme))).contains(word) {
      return text.text(.menuThemes, ["themes": themes])
    }
    if CommandTable.settings.contains(word) { return text.sentences(text.text(.menuEmpty), text.text(.menuSettings)) }
    guard let command = known.nearest(to: word) else { return text.text(.menuEmpty) }
    let values: KeyValuePairs = ["name": command.name, "help": text.help(command)]
    return text.sentences(text.text(.menuEmpty), text.text(.menuNearest, values))
  }

  private var themes: String { ThemeChoice.allCases.map(\.rawValue).joined(separator: text.text(.listSeparator)) }

  private func heading(
    before index: Int, in entries: [CommandMenu.Entry]
  ) -> [(Int?, Line)] {
    let place = entries[index].place
    guard !menu.isPalette, index == 0 || entries[index - 1].place != place else { return [] }
    var style = theme.title
    style.underline = true
    let title = [Line(text.name(of: place), style)] + (place == .list && menu.filter.text.isEmpty ? marksWords : [])
    return (index == 0 ? title : [Line()] + title).map { (nil, $0) }
  }

  /// Which keys act on all that is marked.
  private var marksWords: [Line] {
    let keys = ItemCommand.allCases.map { brush.keymap.name(of: .item($0), in: .list) }.filter { !$0.isEmpty }
    let values: KeyValuePairs = [
      "keys": keys.joined(separator: " "), "mark": brush.keymap.name(of: .list(.mark), in: .list),
    ]
    return wrapped(text.text(.helpMarks, values), after: Line(" "), theme.quiet)
  }

  private func line(_ entry: CommandMenu.Entry, width: Int) -> Line {
    let keys = menu.keys(of: entry, brush.keymap).joined(separator: " ")
    let lacksRoom = !panelFits && entry.command.showsPanel
    var line = Line(keys, lacksRoom ? theme.quiet : theme.key)
    line.pad(to: width - 2)
    let entersPanel = hasPanel && entry.command == .list(.nextView) && entry.place == .list
    let help = text.help(entersPanel ? .list(.panel) : entry.command)
    guard lacksRoom else {
      line.append(" " + help)
      return line
    }
    let values: KeyValuePairs = ["help": help, "columns": String(Panel.fewestColumns)]
    let reason = text.text(.panelNeeds, values)
    // Two columns are for the sign of the chosen entry.
    let hasRoom = line.columns + 1 + TextWidth.columns(of: reason) + 2 <= columns
    line.append(" " + (hasRoom ? reason : help), theme.quiet)
    return line
  }
}
