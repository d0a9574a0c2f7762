/// Everything a key can do, by the place it belongs to.
///
/// Each has a name, which the configuration, `Resources/keys` and the texts call it by: the raw value of its own kind.
package enum Command: Hashable, Sendable {
  /// In the list.
  case list(ListCommand)
  /// To the chosen item, or to all that are marked.
  case item(ItemCommand)
  /// Opens what stands in place of the list.
  case open(Opening)
  case move(Motion)
  /// In what stands in place of the list.
  case pane(PaneCommand)
  /// Where a conflict is decided.
  case conflict(ConflictCommand)
  /// To a question.
  case answer(PromptAnswer)
  /// Where text is typed.
  case typing(TypingCommand)
  /// In the line that is typed.
  case edit(LineEdit)
  /// In several places, and the same in each.
  case common(CommonCommand)
}

package enum ListCommand: String, CaseIterable, Sendable {
  case add, addInGroup, edit, editNote, undo, redo
  case filter, savedFilter, saveFilter, agenda, nextView, previousView, sort
  case panel, togglePanel
  case nextGroup, previousGroup
  case mark, markRange, markAll
  case nextArrival, previousArrival, verify
  case dismiss, toggleMouse, theme, resume, quit
}

package enum ItemCommand: String, CaseIterable, Sendable {
  case toggle, delete, raisePriority, lowerPriority, setDue, copy, openLink
}

package enum Opening: String, CaseIterable, Sendable {
  case detail, story, digest, conflicts, outbox, log
}

package enum Motion: String, CaseIterable, Sendable {
  case down, up, pageDown, pageUp, halfPageDown, halfPageUp, first, last
}

package enum PaneCommand: String, CaseIterable, Sendable {
  case close, run, editChange, dropChange, goTo, restoreVersion
}

package enum ConflictCommand: String, CaseIterable, Sendable {
  case takeMerge, keepMine, keepTheirs, keepBoth, editMerge, keepAllMine, keepAllTheirs, keepAllBoth
  case nextConflict, previousConflict
}

package enum PromptAnswer: String, CaseIterable, Sendable {
  case sortCreated, sortText, sortDue, sortPriority, sortProject, sortUpdated
  case themeAuto, themeTerminal, themeLight, themeDark, themePlain
  case pasteItems, pasteOne
  case leave, stay, sameList, takeAlong, agree, sendBack, decline
}

package enum TypingCommand: String, CaseIterable, Sendable {
  case accept, cancel, complete, older, newer, olderFilter, newerFilter, lastWord
}

package enum CommonCommand: String, CaseIterable, Sendable {
  case refresh, palette, help, redraw, suspend
}

extension Command: CaseIterable {
  package static let allCases: [Command] =
    ListCommand.allCases.map(Command.list) + ItemCommand.allCases.map(Command.item)
    + Opening.allCases.map(Command.open) + Motion.allCases.map(Command.move) + PaneCommand.allCases.map(Command.pane)
    + ConflictCommand.allCases.map(Command.conflict) + PromptAnswer.allCases.map(Command.answer)
    + TypingCommand.allCases.map(Command.typing) + LineEdit.allCases.map(Command.edit)
    + CommonCommand.allCases.map(Command.common)

  /// The name in the configuration and in the texts.
  package var name: String {
    switch self {
    case .list(let command): command.rawValue
    case .item(let command): command.rawValue
    case .open(let opening): opening.rawValue
    case .move(let motion): motion.rawValue
    case .pane(let command): command.rawValue
    case .conflict(let command): command.rawValue
    case .answer(let answer): answer.rawValue
    case .typing(let command): command.rawValue
    case .edit(let edit): edit.rawValue
    case .common(let command): command.rawValue
    }
  }

  package init?(named name: String) {
    guard let index = CommandTable.index(named: Array(name.utf8)[...]) else { return nil }
    self = CommandTable.entries[index].command
  }
}

/// How far to move among entries.
enum Step: Equatable, Sendable {
  case by(Int)
  case toFirst, toLast

  /// `page` is how many rows there are.
  init(_ motion: Motion, page: Int) {
    switch motion {
    case .down: self = .by(1)
    case .up: self = .by(-1)
    case .pageDown: self = .by(page)
    case .pageUp: self = .by(-page)
    case .halfPageDown: self = .by(max(1, page / 2))
    case .halfPageUp: self = .by(-max(1, page / 2))
    case .first: self = .toFirst
    case .last: self = .toLast
    }
  }

  func applied(to index: Int, last: Int) -> Int {
    switch self {
    case .by(let count): max(0, min(last, index + count))
    case .toFirst: 0
    case .toLast: max(0, last)
    }
  }
}
