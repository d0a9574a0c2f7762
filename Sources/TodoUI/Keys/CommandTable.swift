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
/// A new command is a case of `Command`, a row here, its keys in `Resources/keys/default.keys`, and what it does in
/// words in `Resources/strings`, as `help.` and its name.
enum CommandTable {
  private static let lists = [.list, .help] + Place.panes
  private static let scrolled = lists + [.conflicts]
  private static let typed = Place.textual

  static let entries: [CommandEntry] = [
    .init(.add, in: [.list]),
    .init(.edit, in: [.list]),
    .init(.toggle, in: [.list]),
    .init(.delete, in: [.list]),
    .init(.undo, in: [.list]),
    .init(.redo, in: [.list]),
    .init(.refresh, in: [.list, .conflicts] + Place.panes),
    .init(.filter, in: [.list, .help]),
    .init(.savedFilter, in: [.list, .slotPrompt]),
    .init(.saveFilter, in: [.list]),
    .init(.nextView, in: [.list]),
    .init(.previousView, in: [.list]),
    .init(.sort, in: [.list]),
    .init(.mark, in: [.list]),
    .init(.markRange, in: [.list]),
    .init(.markAll, in: [.list]),
    .init(.raisePriority, in: [.list]),
    .init(.lowerPriority, in: [.list]),
    .init(.setDue, in: [.list]),
    .init(.detail, in: [.list, .detail]),
    .init(.story, in: [.list, .detail, .story]),
    .init(.digest, in: [.list, .digest]),
    .init(.nextArrival, in: [.list]),
    .init(.previousArrival, in: [.list]),
    .init(.conflicts, in: [.list, .conflicts]),
    .init(.outbox, in: [.list, .outbox]),
    .init(.log, in: [.list, .log]),
    .init(.verify, in: [.list]),
    .init(.dismiss, in: [.list]),
    .init(.editChange, in: [.outbox]),
    .init(.dropChange, in: [.outbox]),
    .init(.goTo, in: [.digest]),
    .init(.restoreVersion, in: [.story]),
    .init(.keepMine, in: [.conflicts]),
    .init(.keepTheirs, in: [.conflicts]),
    .init(.keepBoth, in: [.conflicts]),
    .init(.editMerge, in: [.conflicts]),
    .init(.keepAllMine, in: [.conflicts]),
    .init(.keepAllTheirs, in: [.conflicts]),
    .init(.keepAllBoth, in: [.conflicts]),
    .init(.nextConflict, in: [.conflicts]),
    .init(.previousConflict, in: [.conflicts]),
    .init(.sortCreated, in: [.sortPrompt]),
    .init(.sortText, in: [.sortPrompt]),
    .init(.sortDue, in: [.sortPrompt]),
    .init(.sortPriority, in: [.sortPrompt]),
    .init(.sortUpdated, in: [.sortPrompt]),
    .init(.pasteItems, in: [.pastePrompt]),
    .init(.pasteOne, in: [.pastePrompt]),
    .init(.leave, in: [.quitPrompt]),
    .init(.stay, in: [.quitPrompt]),
    .init(.sameList, in: [.accountPrompt]),
    .init(.takeAlong, in: [.accountPrompt]),
    .init(.agree, in: [.removalPrompt]),
    .init(.decline, in: [.sortPrompt, .slotPrompt, .pastePrompt, .accountPrompt, .removalPrompt]),
    .init(.run, in: [.help, .palette]),
    .init(.accept, in: [.editor, .filter, .due]),
    .init(.cancel, in: typed),
    .init(.complete, in: [.editor, .filter]),
    .init(.older, in: [.editor]),
    .init(.newer, in: [.editor]),
    .init(.cursorLeft, in: typed),
    .init(.cursorRight, in: typed),
    .init(.wordLeft, in: typed),
    .init(.wordRight, in: typed),
    .init(.lineStart, in: typed),
    .init(.lineEnd, in: typed),
    .init(.deleteBack, in: typed),
    .init(.deleteForward, in: typed),
    .init(.cutWordBack, in: typed),
    .init(.cutWordForward, in: typed),
    .init(.cutToStart, in: typed),
    .init(.cutToEnd, in: typed),
    .init(.yank, in: typed),
    .init(.transpose, in: typed),
    .init(.down, in: lists + [.filter, .palette]),
    .init(.up, in: lists + [.filter, .palette]),
    .init(.pageDown, in: scrolled + [.filter, .palette]),
    .init(.pageUp, in: scrolled + [.filter, .palette]),
    .init(.halfPageDown, in: scrolled),
    .init(.halfPageUp, in: scrolled),
    .init(.first, in: lists),
    .init(.last, in: lists),
    .init(.close, in: [.help, .conflicts] + Place.panes),
    .init(.palette, in: [.list, .conflicts] + Place.panes),
    .init(.help, in: [.list, .conflicts, .help] + Place.panes),
    .init(.toggleMouse, in: [.list]),
    .init(.redraw, in: Place.allCases),
    .init(.suspend, in: Place.allCases),
    .init(.quit, in: [.list]),
  ]

  /// What can be done in a place, in the order of the table.
  static func commands(in place: Place) -> [Command] {
    entries.filter { $0.places.contains(place) }.map(\.command)
  }
}
