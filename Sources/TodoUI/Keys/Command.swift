/// Everything a key can do.
enum Command: String, CaseIterable, Sendable {
  case add, edit, toggle, delete, undo, redo, refresh, filter, nextView, dismiss
  case conflicts, keepMine, keepTheirs, keepBoth, editMerge, nextConflict, previousConflict, closeConflicts
  case down, up, pageDown, pageUp, halfPageDown, halfPageUp, first, last
  case help, closeHelp, quit, leave, stay, redraw, suspend
  case sameList, takeAlong, agree, decline
  case accept, cancel
  case cursorLeft, cursorRight, wordLeft, wordRight, lineStart, lineEnd
  case deleteBack, deleteForward, cutWordBack, cutWordForward, cutToStart, cutToEnd, yank

  /// What it does to a line of text; nil when it is not an editing command.
  var edit: LineEditor.Edit? {
    switch self {
    case .cursorLeft: .left
    case .cursorRight: .right
    case .wordLeft: .wordLeft
    case .wordRight: .wordRight
    case .lineStart: .start
    case .lineEnd: .end
    case .deleteBack: .deleteBack
    case .deleteForward: .deleteForward
    case .cutWordBack: .cutWordBack
    case .cutWordForward: .cutWordForward
    case .cutToStart: .cutToStart
    case .cutToEnd: .cutToEnd
    case .yank: .paste
    default: nil
    }
  }
}

/// Where keys mean something of their own.
enum Place: CaseIterable, Sendable {
  case list, typing, conflicts, help, quitPrompt, accountPrompt, removalPrompt
}

extension Mode {
  var place: Place {
    switch self {
    case .list: .list
    case .editor, .filter: .typing
    case .conflicts: .conflicts
    case .help: .help
    case .prompt(.leave): .quitPrompt
    case .prompt(.account): .accountPrompt
    case .prompt(.massRemoval): .removalPrompt
    }
  }
}
