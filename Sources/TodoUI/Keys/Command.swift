/// Everything a key can do. The raw value is its name in the configuration, in `Resources/keys` and in the texts.
package enum Command: String, CaseIterable, Sendable {
  case add, edit, toggle, delete, undo, redo
  case refresh, filter, savedFilter, saveFilter, nextView, previousView, sort
  case mark, markRange, markAll
  case raisePriority, lowerPriority, setDue
  case detail, story, digest, nextArrival, previousArrival, conflicts, outbox, log, verify
  case dismiss, palette, help, toggleMouse, redraw, suspend, quit
  case down, up, pageDown, pageUp, halfPageDown, halfPageUp, first, last
  case close, run
  case keepMine, keepTheirs, keepBoth, editMerge, keepAllMine, keepAllTheirs, keepAllBoth
  case nextConflict, previousConflict
  case editChange, dropChange, goTo, restoreVersion
  case sortCreated, sortText, sortDue, sortPriority, sortUpdated
  case pasteItems, pasteOne
  case leave, stay, sameList, takeAlong, agree, decline
  case accept, cancel, complete, older, newer
  case cursorLeft, cursorRight, wordLeft, wordRight, lineStart, lineEnd
  case deleteBack, deleteForward, cutWordBack, cutWordForward, cutToStart, cutToEnd, yank, transpose

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
    case .transpose: .transpose
    default: nil
    }
  }

  /// Rows down (up when negative); nil when it does not move by rows.
  func step(page: Int) -> Int? {
    switch self {
    case .down: 1
    case .up: -1
    case .pageDown: page
    case .pageUp: -page
    case .halfPageDown: max(1, page / 2)
    case .halfPageUp: -max(1, page / 2)
    default: nil
    }
  }
}
