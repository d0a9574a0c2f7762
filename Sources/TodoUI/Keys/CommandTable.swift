package import Words

/// Where keys mean something of their own.
package enum Place: String, CaseIterable, Sendable {
  case list, panel, conflicts, outbox, digest, story, detail, log, help
  /// Where text is typed: an item, the filter, a date, the name of a command.
  case editor, filter, due, palette
  /// Where one key answers.
  case sortPrompt, slotPrompt, linkPrompt, themePrompt, pastePrompt, quitPrompt, accountPrompt, removalPrompt

  /// Where letters are text and never commands.
  var isText: Bool { Place.textual.contains(self) }

  static let textual: [Place] = [.editor, .filter, .due, .palette]
  /// Places that stand instead of the list until they are closed.
  static let panes: [Place] = [.outbox, .digest, .story, .detail, .log]
}

/// One command as users meet it: where it means something.
struct CommandEntry: Sendable {
  let command: Command
  let places: [Place]

  init(_ command: Command, in places: [Place]) {
    self.command = command
    self.places = places
  }
}

/// The table that the keymap, the help, the hints, the palette and the manual are made from, in the order they show it.
///
/// A new command is a case of its kind in `Command`, a row here, its keys in `Resources/keys/default.keys`, and what it
/// does in words in `Resources/strings`, as `help.` and its name. There `hint.` is its label, and `alias.` its names in
/// other programs.
enum CommandTable {
  private static let lists = [.list, .panel, .help] + Place.panes
  private static let scrolled = lists + [.conflicts] + previews
  /// The questions about items and links.
  private static let previews: [Place] = [.linkPrompt, .pastePrompt, .removalPrompt]
  private static let typed = Place.textual

  static let entries: [CommandEntry] = [
    .init(.list(.add), in: [.list, .panel]),
    .init(.list(.addInGroup), in: [.list]),
    .init(.list(.edit), in: [.list]),
    .init(.list(.editNote), in: [.list, .conflicts]),
    .init(.item(.toggle), in: [.list]),
    .init(.item(.delete), in: [.list]),
    .init(.list(.resume), in: [.list, .outbox]),
    .init(.item(.copy), in: [.list]),
    .init(.item(.openLink), in: [.list]),
    .init(.list(.undo), in: [.list, .panel, .conflicts, .outbox, .story]),
    .init(.list(.redo), in: [.list, .panel, .conflicts, .outbox, .story]),
    .init(.common(.refresh), in: [.list, .panel, .conflicts] + Place.panes),
    .init(.list(.filter), in: [.list, .panel, .help]),
    .init(.list(.savedFilter), in: [.list, .panel, .slotPrompt, .linkPrompt]),
    .init(.list(.saveFilter), in: [.list]),
    .init(.list(.agenda), in: [.list]),
    .init(.list(.panel), in: [.list]),
    .init(.list(.nextView), in: [.list, .panel]),
    .init(.list(.previousView), in: [.list]),
    .init(.list(.togglePanel), in: [.list, .panel]),
    .init(.list(.sort), in: [.list]),
    .init(.list(.nextGroup), in: [.list]),
    .init(.list(.previousGroup), in: [.list]),
    .init(.list(.mark), in: [.list]),
    .init(.list(.markRange), in: [.list]),
    .init(.list(.markAll), in: [.list]),
    .init(.item(.raisePriority), in: [.list]),
    .init(.item(.lowerPriority), in: [.list]),
    .init(.item(.setDue), in: [.list]),
    .init(.open(.detail), in: [.list, .detail]),
    .init(.open(.story), in: [.list, .detail, .story]),
    .init(.open(.digest), in: [.list, .digest]),
    .init(.list(.nextArrival), in: [.list]),
    .init(.list(.previousArrival), in: [.list]),
    .init(.open(.conflicts), in: [.list]),
    .init(.open(.outbox), in: [.list, .outbox]),
    .init(.open(.log), in: [.list, .log]),
    .init(.list(.verify), in: [.list]),
    .init(.list(.dismiss), in: [.list]),
    .init(.pane(.editChange), in: [.outbox]),
    .init(.pane(.dropChange), in: [.outbox]),
    .init(.pane(.goTo), in: [.digest]),
    .init(.pane(.restoreVersion), in: [.story]),
    .init(.conflict(.takeMerge), in: [.conflicts]),
    .init(.conflict(.keepMine), in: [.conflicts]),
    .init(.conflict(.keepTheirs), in: [.conflicts]),
    .init(.conflict(.keepBoth), in: [.conflicts]),
    .init(.conflict(.editMerge), in: [.conflicts]),
    .init(.conflict(.keepAllMine), in: [.conflicts]),
    .init(.conflict(.keepAllTheirs), in: [.conflicts]),
    .init(.conflict(.keepAllBoth), in: [.conflicts]),
    .init(.conflict(.nextConflict), in: [.conflicts]),
    .init(.conflict(.previousConflict), in: [.conflicts]),
    .init(.answer(.sortCreated), in: [.sortPrompt]),
    .init(.answer(.sortText), in: [.sortPrompt]),
    .init(.answer(.sortDue), in: [.sortPrompt]),
    .init(.answer(.sortPriority), in: [.sortPrompt]),
    .init(.answer(.sortProject), in: [.sortPrompt]),
    .init(.answer(.sortUpdated), in: [.sortPrompt]),
    .init(.answer(.themeAuto), in: [.themePrompt]),
    .init(.answer(.themeTerminal), in: [.themePrompt]),
    .init(.answer(.themeLight), in: [.themePrompt]),
    .init(.answer(.themeDark), in: [.themePrompt]),
    .init(.answer(.themePlain), in: [.themePrompt]),
    .init(.answer(.pasteItems), in: [.pastePrompt]),
    .init(.answer(.pasteOne), in: [.pastePrompt]),
    .init(.answer(.leave), in: [.quitPrompt]),
    .init(.answer(.stay), in: [.quitPrompt]),
    .init(.answer(.sameList), in: [.accountPrompt]),
    .init(.answer(.takeAlong), in: [.accountPrompt]),
    .init(.answer(.agree), in: [.removalPrompt]),
    .init(.answer(.sendBack), in: [.removalPrompt]),
    .init(
      .answer(.decline),
      in: [.sortPrompt, .slotPrompt, .linkPrompt, .themePrompt, .pastePrompt, .accountPrompt, .removalPrompt]),
    .init(.pane(.run), in: [.panel, .help, .palette]),
    .init(.typing(.accept), in: [.editor, .filter, .due]),
    .init(.typing(.cancel), in: typed),
    .init(.typing(.complete), in: [.editor, .filter]),
    .init(.typing(.older), in: [.editor]),
    .init(.typing(.newer), in: [.editor]),
    .init(.typing(.olderFilter), in: [.filter]),
    .init(.typing(.newerFilter), in: [.filter]),
    .init(.typing(.lastWord), in: [.editor]),
    .init(.edit(.cursorLeft), in: typed),
    .init(.edit(.cursorRight), in: typed),
    .init(.edit(.wordLeft), in: typed),
    .init(.edit(.wordRight), in: typed),
    .init(.edit(.lineStart), in: typed),
    .init(.edit(.lineEnd), in: typed),
    .init(.edit(.deleteBack), in: typed),
    .init(.edit(.deleteForward), in: typed),
    .init(.edit(.cutWordBack), in: typed),
    .init(.edit(.cutWordForward), in: typed),
    .init(.edit(.cutToStart), in: typed),
    .init(.edit(.cutToEnd), in: typed),
    .init(.edit(.yank), in: typed),
    .init(.edit(.yankOlder), in: typed),
    .init(.edit(.transpose), in: typed),
    .init(.edit(.transposeWords), in: typed),
    .init(.edit(.upcaseWord), in: typed),
    .init(.edit(.downcaseWord), in: typed),
    .init(.edit(.capitalizeWord), in: typed),
    .init(.move(.down), in: lists + [.filter, .palette] + previews),
    .init(.move(.up), in: lists + [.filter, .palette] + previews),
    .init(.move(.pageDown), in: scrolled + [.filter, .palette]),
    .init(.move(.pageUp), in: scrolled + [.filter, .palette]),
    .init(.move(.halfPageDown), in: scrolled),
    .init(.move(.halfPageUp), in: scrolled),
    .init(.move(.first), in: lists + previews),
    .init(.move(.last), in: lists + previews),
    .init(.pane(.close), in: [.panel, .help, .conflicts] + Place.panes),
    .init(.common(.palette), in: [.list, .conflicts] + Place.panes),
    .init(.common(.help), in: [.list, .panel, .conflicts, .help] + Place.panes),
    .init(.list(.toggleMouse), in: [.list]),
    .init(.list(.theme), in: [.list]),
    .init(.common(.redraw), in: Place.allCases),
    .init(.common(.suspend), in: Place.allCases),
    .init(.list(.quit), in: [.list]),
  ]

  private static let names = entries.map(\.command.name)

  /// The place in the table of the command of this name, in UTF-8; nil if there is none. The search begins at `start`:
  /// a text that names the commands in the order of the table takes one look for each.
  static func index(named name: ArraySlice<UInt8>, from start: Int = 0) -> Int? {
    func search(_ places: Range<Int>) -> Int? { places.first { names[$0].utf8.elementsEqual(name) } }
    return search(start..<names.count) ?? search(0..<start)
  }

  /// Commands of `ebb` in a shell that the list has no command for.
  static let shell = [
    "export", "import", "config", "serve", "token", "join", "doctor", "purge", "remind", "completions", "append",
    "prepend",
  ]

  /// Words by which other programs change their settings.
  static let settings: Set<String> = ["set", "se", "setlocal", "map", "source"]

  /// Words of editors that must not be taken for a part of another name.
  static let editors: Set<String> = ["edit!", "e!", "split", "tabnew", "!"]

  /// The commands of a place, in the order of the table.
  static func commands(in place: Place) -> [Command] {
    entries.filter { $0.places.contains(place) }.map(\.command)
  }
}

extension Catalogue {
  /// The effect of a command, in a few words.
  package func help(_ command: Command) -> String {
    text(named: "help." + command.name)
  }

  /// The same in one word for the hint row.
  func hint(_ command: Command) -> String {
    optionalText(named: "hint." + command.name) ?? help(command)
  }

  /// Where one is, as a heading over its keys.
  package func name(of place: Place) -> String {
    text(named: "place." + place.rawValue)
  }
}
