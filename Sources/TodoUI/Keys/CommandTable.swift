import Terminal

/// One command as users meet it: what it does in words, on which keys, in which places.
struct CommandEntry: Sendable {
  let command: Command
  let help: StringKey
  let keys: [Key]
  let places: [Place]

  init(_ command: Command, _ help: StringKey, _ keys: [Key], in places: [Place]) {
    self.command = command
    self.help = help
    self.keys = keys
    self.places = places
  }
}

/// The table that the keymap, the help and the hints are made from. A new command is a case of `Command`,
/// a row here, and its text in `StringKey`.
enum CommandTable {
  static let entries: [CommandEntry] = [
    .init(.add, .helpAdd, [.character("a"), .character("n")], in: [.list]),
    .init(.edit, .helpEdit, [.enter, .character("e")], in: [.list]),
    .init(.toggle, .helpToggle, [.character(" "), .character("x")], in: [.list]),
    .init(.delete, .helpDelete, [.character("d")], in: [.list]),
    .init(.undo, .helpUndo, [.character("u")], in: [.list]),
    .init(.redo, .helpRedo, [.control("r")], in: [.list]),
    .init(.conflicts, .helpConflicts, [.character("c")], in: [.list]),
    .init(.keepMine, .helpKeepMine, [.character("m")], in: [.conflicts]),
    .init(.keepTheirs, .helpKeepTheirs, [.character("t")], in: [.conflicts]),
    .init(.keepBoth, .helpKeepBoth, [.character("b")], in: [.conflicts]),
    .init(.editMerge, .helpEditMerge, [.character("e"), .enter], in: [.conflicts]),
    .init(.nextConflict, .helpNextConflict, [.character("j"), .down], in: [.conflicts]),
    .init(.previousConflict, .helpPreviousConflict, [.character("k"), .up], in: [.conflicts]),
    .init(
      .closeConflicts, .helpCloseConflicts, [.escape, .character("q"), .character("c"), .control("c")],
      in: [.conflicts]),
    .init(.refresh, .helpRefresh, [.character("r"), .function(5)], in: [.list, .conflicts]),
    .init(.filter, .helpFilter, [.character("/")], in: [.list]),
    .init(.nextView, .helpNextView, [.tab], in: [.list]),
    .init(.dismiss, .helpDismiss, [.escape], in: [.list]),
    .init(.down, .helpDown, [.character("j"), .down], in: [.list, .help]),
    .init(.up, .helpUp, [.character("k"), .up], in: [.list, .help]),
    .init(.pageDown, .helpPageDown, [.pageDown], in: [.list, .conflicts, .help]),
    .init(.pageUp, .helpPageUp, [.pageUp], in: [.list, .conflicts, .help]),
    .init(.halfPageDown, .helpHalfPageDown, [.control("d")], in: [.list, .conflicts, .help]),
    .init(.halfPageUp, .helpHalfPageUp, [.control("u")], in: [.list, .conflicts, .help]),
    .init(.first, .helpFirst, [.character("g"), .home], in: [.list, .help]),
    .init(.last, .helpLast, [.character("G"), .end], in: [.list, .help]),
    .init(.help, .helpHelp, [.character("?")], in: [.list, .conflicts]),
    .init(.quit, .helpQuit, [.character("q"), .control("c")], in: [.list]),
    .init(.accept, .helpAccept, [.enter], in: [.typing]),
    .init(.cancel, .helpCancel, [.escape, .control("c"), .control("g")], in: [.typing]),
    .init(.cursorLeft, .helpCursorLeft, [.left, .control("b")], in: [.typing]),
    .init(.cursorRight, .helpCursorRight, [.right, .control("f")], in: [.typing]),
    .init(.wordLeft, .helpWordLeft, [.controlLeft, .alt("b")], in: [.typing]),
    .init(.wordRight, .helpWordRight, [.controlRight, .alt("f")], in: [.typing]),
    .init(.lineStart, .helpLineStart, [.home, .control("a")], in: [.typing]),
    .init(.lineEnd, .helpLineEnd, [.end, .control("e")], in: [.typing]),
    .init(.deleteBack, .helpDeleteBack, [.backspace], in: [.typing]),
    .init(.deleteForward, .helpDeleteForward, [.delete, .control("d")], in: [.typing]),
    .init(.cutWordBack, .helpCutWordBack, [.control("w")], in: [.typing]),
    .init(.cutWordForward, .helpCutWordForward, [.alt("d")], in: [.typing]),
    .init(.cutToStart, .helpCutToStart, [.control("u")], in: [.typing]),
    .init(.cutToEnd, .helpCutToEnd, [.control("k")], in: [.typing]),
    .init(.yank, .helpYank, [.control("y")], in: [.typing]),
    .init(.leave, .helpLeave, [.character("q"), .character("y"), .enter, .control("c")], in: [.quitPrompt]),
    .init(.stay, .helpStay, [.escape, .character("n")], in: [.quitPrompt]),
    .init(.sameList, .helpSameList, [.character("s")], in: [.accountPrompt]),
    .init(.takeAlong, .helpTakeAlong, [.character("t")], in: [.accountPrompt]),
    .init(.agree, .helpAgree, [.character("y")], in: [.removalPrompt]),
    .init(
      .decline, .helpDecline, [.escape, .character("n"), .character("q"), .control("c")],
      in: [.accountPrompt, .removalPrompt]),
    .init(
      .closeHelp, .helpCloseHelp, [.escape, .character("q"), .character("?"), .enter, .control("c")], in: [.help]),
    .init(.redraw, .helpRedraw, [.control("l")], in: Place.allCases),
    .init(.suspend, .helpSuspend, [.control("z")], in: Place.allCases),
  ]
}
