import Words

/// The help and the palette: commands to choose one from and run it.
struct CommandMenu: Equatable, Sendable {
  /// Where one was, and where the command is to act.
  let origin: Mode
  /// What narrows the entries down.
  var filter = LineEditor()
  /// Letters go into the filter.
  private(set) var isTyping: Bool
  /// Opened as the palette: letters are text from the beginning, and it shows only what can be run.
  let isPalette: Bool
  /// The chosen one of the entries that are shown.
  var index = 0

  init(from origin: Mode, isPalette: Bool) {
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
    let places = [origin.place] + (isPalette ? [] : Place.allCases.filter { $0 != origin.place })
    return places.flatMap { place in
      CommandTable.commands(in: place).filter { !isPalette || $0.isWorthChoosing }.map {
        Entry(command: $0, place: place)
      }
    }
  }

  /// The entries that have every word of the filter in their words, their keys or their name.
  func entries(_ keymap: Keymap, _ text: Catalogue) -> [Entry] {
    let words = filter.text.lowercased().split(separator: " ")
    guard !words.isEmpty else { return all }
    return all.filter { entry in
      let keys = keymap.names(of: entry.command, in: entry.place).joined(separator: " ")
      let said = [text.help(entry.command), entry.command.rawValue, keys].joined(separator: " ").lowercased()
      return words.allSatisfy { said.contains($0) }
    }
  }

  mutating func move(_ step: Step, count: Int) {
    index = step.applied(to: index, last: count - 1)
  }

  mutating func type(_ edit: (inout LineEditor) -> Void) {
    edit(&filter)
    index = 0
  }

  mutating func beginTyping() { isTyping = true }
  mutating func endTyping() { isTyping = false }
}

extension Command {
  /// Moving and opening the palette itself are no use to choose by name.
  fileprivate var isWorthChoosing: Bool {
    step(page: 1) == nil && ![.first, .last, .palette, .run, .savedFilter].contains(self)
  }
}
