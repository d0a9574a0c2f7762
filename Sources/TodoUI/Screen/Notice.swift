import OfflineSync
package import Terminal
import TodoCore
package import Words

/// Something that has to be said in a sentence. It stays until it is dismissed or overtaken; a `Receipt` folds away.
enum Notice: Equatable, Sendable {
  case refreshFailed(SyncFailure)
  /// A local read or write failed; in words already.
  case trouble(String)
  /// The item was saved, and the filter or the view hides it.
  case addedOutOfSight
  /// The change made to one item.
  case did(LocalChange.Kind, String)
  /// So many items were added, changed or decided at once.
  case addedSeveral(Int)
  case changedSeveral(LocalChange.Kind, Int)
  case stopped(LocalChange.Kind, Int, rest: Int)
  case decidedSeveral(Int)
  /// The decision about one conflict, and the text that came of it. After the last one it is also said that all is
  /// decided.
  case decided(LocalChange.Decided, String, isLast: Bool)
  /// So many conflicts are not those that were shown, and are not decided.
  case conflictsChanged(Int)
  /// The item waits for no decision any more.
  case conflictGone
  /// Both can't be kept of a change that the server refused.
  case bothRefused
  /// All of them were so already.
  case nothingChanged
  /// A range has lost one of its ends.
  case rangeLost
  /// The row under the cursor went meanwhile; the one that stands there now.
  case rowGone(now: String)
  /// The pane of an item is closed, for the item is deleted.
  case shownGone
  /// The item being edited is deleted; what is typed is a new one now.
  case editedGone
  /// The text being edited was changed meanwhile; as it is now.
  case overtaken(text: String)
  case reversed(UndoResult)
  case nothingToReverse(UndoResult.Direction)
  case nothingToDecide
  case allDecided
  case nothingArrived
  case outboxEmpty
  case logEmpty
  case dropped
  case restored
  /// The line that was being typed when another run of the program ended, and can be typed on.
  case draftOffered(String)
  /// A text with a note that was not saved, and can be typed on.
  case draftKept(String)
  /// A decision that was being typed then is in the editor again.
  case draftRestored
  /// There is no such line, or another program has it.
  case draftGone
  /// Texts that went to the clipboard, and an address that was opened.
  case copied(String)
  case copiedSeveral(Int)
  case tooMuchToCopy
  case opened(String)
  case noLink
  case noFilterSaved(Int)
  /// No filter is set that could be kept.
  case nothingToSave
  /// `before` is the filter of the configuration that it stands before.
  case filterSaved(Int, before: String? = nil)
  case filterRemoved(Int, String)
  case mouse(isOn: Bool)
  /// The panel has no room.
  case panelTooNarrow
  /// The typed text is no date.
  case noDate(String)
  /// The date of several items was asked for, and nothing was typed.
  case noDateOfSeveral
  /// The filter is not understood.
  case filterProblem(FilterProblem)
  /// The word after `due:` in the text of an item is no date.
  case typedNoDate(String)
  /// The text from the user's own editor can't be saved, or is nothing new.
  case editorMissing(String)
  case editorFailed(String, keptAt: String?)
  case editorNotUTF8(String, keptAt: String)
  case editorFile(String)
  case noteEmpty
  /// All of an item's text was taken away while it was typed.
  case emptyText
  case noteUnchanged
  case notHere(Command)
  /// The theme that was chosen. For now only, if the configuration names another.
  case theme(ThemeChoice, isForNow: Bool)
  case verifying
  case verified(TableVerification)
  case verifyFailed(SyncFailure)
  /// So many items of the server can't be stored here.
  case leftOut(RefreshResult)
  /// The server's items are not those of this list although nobody changed them in between.
  case differs(TableComparison)
}

extension Notice {
  private enum Weight {
    /// Says what a change did, and undo takes it back.
    case change
    /// Says what something did that needs no undo.
    case answer
    /// Says why a key did nothing, or what it led to: has to be heard before one goes on.
    case reply
    /// Is about the list, and not about a key: stays until it is dismissed or overtaken.
    case warning
  }

  private var weight: Weight {
    switch self {
    case .did, .addedSeveral, .changedSeveral, .stopped: .change
    case .reversed, .copied, .copiedSeveral, .opened, .theme: .answer
    case .noLink, .tooMuchToCopy, .addedOutOfSight, .decidedSeveral, .decided, .conflictGone, .bothRefused,
      .nothingChanged, .rangeLost, .rowGone, .shownGone, .nothingToReverse, .nothingToDecide, .allDecided,
      .nothingArrived, .outboxEmpty, .logEmpty, .dropped, .restored, .draftKept, .draftGone, .noFilterSaved,
      .nothingToSave, .filterSaved, .filterRemoved, .mouse, .panelTooNarrow, .noDate, .noDateOfSeveral, .filterProblem,
      .editorMissing, .editorFailed, .editorNotUTF8, .editorFile, .noteEmpty, .emptyText, .noteUnchanged, .notHere,
      .verified:
      .reply
    case .refreshFailed, .trouble, .conflictsChanged, .editedGone, .overtaken, .draftOffered, .draftRestored,
      .typedNoDate, .verifying, .verifyFailed, .leftOut, .differs:
      .warning
    }
  }

  /// It says what was done, and nothing that has to be heard before one goes on.
  var isAnswer: Bool { weight == .change || weight == .answer }

  /// It is about the key before: where something else begins it would only be in the way.
  var isReply: Bool { weight != .warning }

  /// It was a change, and undo takes it back.
  var isUndoable: Bool { weight == .change }
}

extension Catalogue {
  func sentence(for question: Question, _ model: Model) -> String {
    switch question {
    case .leave: text(.quitQuestion, count: max(model.sync.pending, model.sync.isAhead ? 1 : 0))
    case .account(let account): self.question(about: account)
    case .massRemoval(let removal): self.question(about: removal)
    case .sort: text(.sortQuestion)
    case .link(let links):
      text(.linkQuestion) + " " + links.enumerated().map { "\($0 + 1) \($1)" }.joined(separator: " ")
    case .theme(let now): text(.themeQuestion, ["theme": now.rawValue])
    case .slot(let number): slotQuestion(number, model)
    }
  }

  /// With the filters that are kept, by their numbers.
  private func slotQuestion(_ replaced: Int?, _ model: Model) -> String {
    let (filter, saved) = (model.list.query.filter, model.list.saved.byNumber)
    if let replaced, let old = saved[replaced] {
      let values: KeyValuePairs = ["number": String(replaced), "old": old, "filter": filter]
      return text(filter.isEmpty ? .slotQuestionRemoves : .slotQuestionReplaces, values)
    }
    let kept = saved.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: text(.listSeparator))
    let question = text(filter.isEmpty ? .slotQuestionEmpty : .slotQuestion, ["filter": filter])
    return kept.isEmpty ? question : sentences(question, text(.slotsTaken, ["filters": kept]))
  }

  func sentence(for notice: Notice, _ model: Model) -> String {
    let key = { (command: Command) in model.screen.keymap.name(of: command, in: .list) }
    switch notice {
    case .refreshFailed(let failure), .verifyFailed(let failure): return sentence(for: failure, model)
    case .trouble(let reason): return reason
    case .addedOutOfSight: return text(.noticeAddedOutOfSight)
    case .did(let kind, let words): return text(kind.one, ["text": words])
    case .addedSeveral(let count): return text(.noticeAdded, count: count, ["number": number(count)])
    case .changedSeveral(let kind, let count): return text(kind.several, count: count, ["number": number(count)])
    case .stopped(let kind, let count, let rest):
      let done = text(kind.several, count: count, ["number": number(count)])
      return text(.noticeStopped, ["done": done, "rest": number(rest)])
    case .decidedSeveral(let count): return text(.noticeDecided, count: count, ["undo": key(.list(.undo))])
    case .decided(let outcome, let words, let isLast):
      let said = text(outcome.sentence, ["text": words, "undo": key(.list(.undo))])
      return isLast ? sentences(said, text(.conflictAllDecided, ["refresh": key(.common(.refresh))])) : said
    case .conflictsChanged(let count): return text(.noticeConflictsChanged, count: count)
    case .conflictGone: return text(.conflictGone)
    case .bothRefused: return text(.conflictBothRefused)
    case .nothingChanged: return text(.noticeNothingChanged)
    case .rangeLost: return text(.noticeRangeLost)
    case .rowGone(let now): return text(.noticeRowGone, ["text": now])
    case .shownGone: return text(.itemGone)
    case .editedGone: return text(.noticeEditedGone)
    case .overtaken(let now):
      // Of a note only that it is another one can be said here.
      let isSameLine = model.editor.editing?.line.text == ItemText(now).line
      return text(
        isSameLine ? .noticeOvertakenNote : .noticeOvertaken,
        ["text": ItemText(now).line, "resume": key(.list(.resume))])
    case .reversed(let reversal):
      return sentence(for: reversal, start: model.screen.start, now: model.screen.now.date)
    case .nothingToReverse(.undo): return text(.historyNothingToUndo)
    case .nothingToReverse(.redo): return text(.historyNothingToRedo)
    case .nothingToDecide: return text(.conflictNone)
    case .allDecided: return text(.conflictAllDecided, ["refresh": key(.common(.refresh))])
    case .nothingArrived: return text(.noticeNothingArrived)
    case .outboxEmpty: return text(model.emptyOutbox)
    case .logEmpty: return text(.noticeLogEmpty)
    case .dropped: return text(.noticeDropped, ["undo": key(.list(.undo))])
    case .restored: return text(.noticeRestored, ["undo": key(.list(.undo))])
    case .draftOffered(let words) where model.editor.keepsOffered: return sentence(for: .draftKept(words), model)
    case .draftOffered(let words):
      return text(
        .noticeDraftOffered,
        ["text": short(words, model), "resume": key(.list(.resume)), "dismiss": key(.list(.dismiss))])
    case .draftKept(let words):
      return text(.noticeDraftKept, ["text": short(words, model), "resume": key(.list(.resume))])
    case .draftRestored: return text(.noticeDraft)
    case .draftGone: return text(.noticeDraftGone)
    case .copied(let words): return text(.noticeCopied, ["text": words])
    case .copiedSeveral(let count): return text(.noticeCopiedSeveral, count: count)
    case .tooMuchToCopy: return text(.noticeTooMuchToCopy)
    case .theme(let theme, let isForNow):
      return text(isForNow ? .noticeThemeForNow : .noticeTheme, ["theme": theme.rawValue])
    case .opened(let link): return text(.noticeOpened, ["link": link])
    case .noLink: return text(.noticeNoLink)
    case .noFilterSaved(let number):
      return text(
        .noticeNoFilter, ["number": String(number), "filter": key(.list(.filter)), "save": key(.list(.saveFilter))])
    case .nothingToSave:
      return text(.noticeNothingToSave, ["filter": key(.list(.filter)), "save": key(.list(.saveFilter))])
    case .filterSaved(let number, nil): return text(.noticeFilterSaved, ["number": String(number)])
    case .filterSaved(let number, let filter?):
      return text(.noticeFilterSavedBefore, ["number": String(number), "filter": filter])
    case .filterRemoved(let number, let filter):
      return text(.noticeFilterRemoved, ["number": String(number), "filter": filter])
    case .mouse(let isOn): return text(isOn ? .noticeMouseOn : .noticeMouseOff, ["mouse": key(.list(.toggleMouse))])
    case .panelTooNarrow:
      return text(
        .panelTooNarrow, ["columns": String(Panel.fewestColumns), "present": String(model.screen.size.columns)])
    case .noDate(let words): return text(.noticeNoDate, ["words": words])
    case .noDateOfSeveral: return text(.noticeNoDateOfSeveral)
    case .filterProblem(let problem):
      guard case .filter = model.mode else { return sentence(for: problem) }
      return sentences(reason(of: problem), stillShown(model.list.query.filter))
    case .typedNoDate(let words): return text(.noticeTypedNoDate, ["words": words])
    case .editorMissing(let name): return text(.noticeEditorMissing, ["editor": name])
    case .editorFailed(let name, nil): return text(.noticeEditorFailed, ["editor": name])
    case .editorFailed(let name, let path?): return text(.noticeEditorKept, ["editor": name, "path": path])
    case .editorNotUTF8(let name, let path): return text(.noticeEditorNotUTF8, ["editor": name, "path": path])
    case .editorFile(let folder): return text(.noticeEditorFile, ["path": folder])
    case .noteEmpty: return text(.noticeNoteEmpty, ["delete": key(.item(.delete))])
    case .emptyText: return text(.noticeEmptyText, ["delete": key(.item(.delete))])
    case .noteUnchanged: return text(.noticeNoteUnchanged)
    case .notHere(let command): return text(.noticeNotHere, ["command": help(command)])
    case .verifying: return text(.noticeVerifying)
    case .verified(let verification): return sentence(for: verification)
    case .leftOut(let result): return Printable.text(leftOut(of: result) ?? "")
    case .differs(let comparison):
      return words(for: comparison, after: nil) + text(.clauseSeparator) + text(.noticeDiffers)
    }
  }

  private func short(_ words: String, _ model: Model) -> String {
    TextWidth.cut(words, to: 30, ellipsis: Glyphs.of(model.screen.charset).ellipsis)
  }

  /// Which items the list shows while the filter that is typed is not understood.
  func stillShown(_ filter: String) -> String {
    let words = filter.split(separator: " ").joined(separator: " ")
    return words.isEmpty ? text(.filterShowsAll) : text(.filterShowsOld, ["filter": words])
  }

  /// Why a refresh could not be finished, what waits, and when it is tried again.
  private func sentence(for failure: SyncFailure, _ model: Model) -> String {
    if case .remote(let failure) = failure, failure.reason == .noServer { return reason(failure.reason) }
    if let seconds = model.sync.nextTry(at: model.screen.now) {
      let time = span(seconds: seconds)
      let next =
        model.sync.toSend == 0
        ? text(.failureNextTry, ["time": time]) : text(.failureTriesAgain, count: model.sync.toSend, ["time": time])
      return sentences(reason(failure), next)
    }
    if model.sync.refresh.isRunning { return sentences(reason(failure), text(.failureTriesNow)) }
    let refresh = model.screen.keymap.name(of: .common(.refresh), in: .list)
    return reason(failure, askedBy: refresh) ?? sentence(for: failure, pending: model.sync.toSend, refresh: refresh)
  }
}

extension Catalogue {
  /// Why no list can be shown, and what works instead.
  package func sentence(for problem: TerminalProblem) -> String {
    switch problem {
    case .inputIsNoTerminal: text(.problemInputIsNoTerminal)
    case .outputIsNoTerminal: text(.problemOutputIsNoTerminal)
    case .termUnset: text(.problemTermUnset)
    case .termDumb: text(.problemTermDumb)
    case .termUnknown(let name): text(.problemTermUnknown, ["name": Printable.text(name)])
    }
  }
}

extension LocalChange.Decided {
  fileprivate var sentence: StringKey {
    switch self {
    case .mine: .decidedMine
    case .theirs: .decidedTheirs
    case .both: .decidedBoth
    case .merged: .decidedMerge
    case .deletion: .decidedDeletion
    }
  }
}

extension LocalChange.Kind {
  /// The sentence about a change of one item.
  fileprivate var one: StringKey {
    switch self {
    case .added: .didAdd
    case .completed: .didComplete
    case .reopened: .didReopen
    case .deleted: .didDelete
    case .edited, .dropped, .restored, .decided: .didEdit
    }
  }

  /// The sentence about a change of several items at once.
  fileprivate var several: PluralKey {
    switch self {
    case .added: .noticeAdded
    case .completed: .noticeCompleted
    case .reopened: .noticeReopened
    case .deleted: .noticeDeleted
    case .edited, .dropped, .restored, .decided: .noticeChanged
    }
  }
}
