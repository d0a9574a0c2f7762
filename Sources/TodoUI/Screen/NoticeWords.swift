import OfflineSync
package import Terminal
import TodoCore
package import Words

extension Catalogue {
  func sentence(for question: Question, _ model: Model) -> String {
    switch question {
    case .leave: text(.quitQuestion, count: max(model.sync.pending, model.sync.isAhead ? 1 : 0))
    case .account(let account): self.question(about: account)
    case .massRemoval(let removal): self.question(about: removal)
    case .sort: text(.sortQuestion)
    // A line for each follows.
    case .link: text(.linkQuestion)
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
    switch notice {
    case .trouble(let reason): reason
    case .change(let notice): sentence(for: notice, model)
    case .conflict(let notice): sentence(for: notice, model)
    case .rows(let notice): sentence(for: notice, model)
    case .filter(let notice): sentence(for: notice, model)
    case .editor(let notice): sentence(for: notice, model)
    case .externalEditor(let notice): sentence(for: notice, model)
    case .pane(let notice): sentence(for: notice, model)
    case .sync(let notice): sentence(for: notice, model)
    case .screen(let notice): sentence(for: notice, model)
    }
  }

  private func sentence(for notice: ChangeNotice, _ model: Model) -> String {
    switch notice {
    case .did(let kind, let words): return text(kind.one, ["text": words])
    case .added(let words, _, _): return text(.didAdd, ["text": words])
    case .addedSeveral(let count, _): return text(.noticeAdded, count: count, ["number": number(count)])
    case .changedSeveral(let kind, let count, let unchanged):
      let done = text(kind.several, count: count, ["number": number(count)])
      return unchanged == 0 ? done : done + text(.clauseSeparator) + text(.noticeSoAlready, count: unchanged)
    case .stopped(let kind, let count, let rest):
      let done = text(kind.several, count: count, ["number": number(count)])
      return text(.noticeStopped, ["done": done, "rest": number(rest)])
    case .nothingChanged: return text(.noticeNothingChanged)
    case .highestPriority: return text(.noticeHighestPriority)
    case .noPriority: return text(.noticeNoPriority)
    case .reversed(let reversal):
      return sentence(for: reversal, start: model.screen.start, now: model.screen.now.date)
    case .nothingToReverse(.undo): return text(.historyNothingToUndo)
    case .nothingToReverse(.redo): return text(.historyNothingToRedo)
    case .dropped: return text(.noticeDropped, ["undo": key(.list(.undo), model)])
    case .restored: return text(.noticeRestored, ["undo": key(.list(.undo), model)])
    }
  }

  /// `the filter hides it`; nil if nothing is known to hide what the change added.
  func hiding(_ notice: ChangeNotice) -> String? {
    notice.hiding.map { hider, count in
      switch hider {
      case .filter: text(.didHiddenByFilter, count: count)
      case .view: text(.didHiddenByView, count: count)
      }
    }
  }

  private func sentence(for notice: ConflictNotice, _ model: Model) -> String {
    switch notice {
    case .decided(let outcome, let words, let isLast):
      let said = text(outcome.sentence, ["text": words, "undo": key(.list(.undo), model)])
      return isLast ? sentences(said, sentence(for: ConflictNotice.allDecided, model)) : said
    case .decidedSeveral(let count):
      return text(.noticeDecided, count: count, ["undo": key(.list(.undo), model)])
    case .changed(let count): return text(.noticeConflictsChanged, count: count)
    case .gone: return text(.conflictGone)
    case .bothRefused: return text(.conflictBothRefused)
    case .nothingToDecide: return text(.conflictNone)
    case .allDecided:
      return model.sync.sendsByItself(model.screen.preferences.automatic)
        ? text(.conflictAllDecidedSends) : text(.conflictAllDecided, ["refresh": key(.common(.refresh), model)])
    }
  }

  private func sentence(for notice: RowNotice, _ model: Model) -> String {
    switch notice {
    case .rangeLost: text(.noticeRangeLost)
    case .gone(let now): text(.noticeRowGone, ["text": now])
    case .secondPress(let change, let key, let now): secondPress(key, after: change, now: now, model)
    case .nothingArrived: text(.noticeNothingArrived)
    case .copied(let words): text(.noticeCopied, ["text": words])
    case .copiedSeveral(let count): text(.noticeCopiedSeveral, count: count)
    case .tooMuchToCopy: text(.noticeTooMuchToCopy)
    case .opened(let link): text(.noticeOpened, ["link": link])
    case .noLink: text(.noticeNoLink)
    }
  }

  private func secondPress(_ key: String, after change: ChangeNotice, now: String, _ model: Model) -> String {
    let done = sentence(for: change.withWords { short($0, model) }, model)
    return text(.noticeSecondPress, ["done": done, "key": key, "text": short(now, model)])
  }

  private func sentence(for notice: FilterNotice, _ model: Model) -> String {
    let keys = (filter: key(.list(.filter), model), save: key(.list(.saveFilter), model))
    switch notice {
    case .problem(let problem):
      guard case .filter = model.mode else { return sentence(for: problem) }
      return sentences(reason(of: problem), stillShown(model.list.query.filter))
    case .noneSaved(let number):
      return text(.noticeNoFilter, ["number": String(number), "filter": keys.filter, "save": keys.save])
    case .nothingToSave: return text(.noticeNothingToSave, ["filter": keys.filter, "save": keys.save])
    case .saved(let number, nil): return text(.noticeFilterSaved, ["number": String(number)])
    case .saved(let number, let filter?):
      return text(.noticeFilterSavedBefore, ["number": String(number), "filter": filter])
    case .removed(let number, let filter):
      return text(.noticeFilterRemoved, ["number": String(number), "filter": filter])
    }
  }

  private func sentence(for notice: EditorNotice, _ model: Model) -> String {
    switch notice {
    case .overtaken(let now):
      // Of a note only that it is another one can be said here.
      let isSameLine = model.editor.editing?.line.text == ItemText(now).line
      return text(
        isSameLine ? .noticeOvertakenNote : .noticeOvertaken,
        ["text": ItemText(now).line, "resume": key(.list(.resume), model)])
    case .decided(let now):
      return text(.noticeDecidedElsewhere, ["text": ItemText(now).line, "resume": key(.list(.resume), model)])
    case .itemGone: return text(.noticeEditedGone, ["resume": key(.list(.resume), model)])
    case .emptyText: return text(.noticeEmptyText, ["delete": key(.item(.delete), model)])
    case .noDate(let words):
      return explained(text(.noticeNoDate, ["words": words]), noDate: words, today: model.screen.today)
    case .noDateOfSeveral: return text(.noticeNoDateOfSeveral)
    case .typedNoDate(let words):
      let isNew = model.editor.editing?.target == .new
      let sentence = text(isNew ? .noticeNewNoDate : .noticeTypedNoDate, ["words": words])
      return explained(sentence, noDateInItem: words, today: model.screen.today)
    case .keptAsText(let words, _):
      return explained(text(.commandTypedNoDate, ["words": words]), noDateInItem: words, today: model.screen.today)
    case .addedAsOpen(let count, _, let isKept): return addedAsOpen(count, importKeepsAll: isKept, model)
    case .ticksLeftOut(let count): return text(.noticeTicksLeftOut, count: count)
    case .draftOffered(let words) where model.editor.keepsOffered:
      return sentence(for: EditorNotice.draftKept(words), model)
    case .draftOffered(let words):
      return text(
        .noticeDraftOffered,
        [
          "text": short(words, model), "resume": key(.list(.resume), model), "dismiss": key(.list(.dismiss), model),
        ])
    case .draftKept(let words):
      return text(.noticeDraftKept, ["text": short(words, model), "resume": key(.list(.resume), model)])
    case .mergeDropped(let words):
      let older = model.screen.keymap.name(of: .typing(.older), in: .editor)
      return text(.noticeMergeDropped, ["text": short(words, model), "older": older])
    case .draftRestored: return text(.noticeDraft)
    case .draftGone: return text(.noticeDraftGone)
    }
  }

  private func addedAsOpen(_ count: Int, importKeepsAll: Bool, _ model: Model) -> String {
    let words: PluralKey = importKeepsAll ? .noticeAddedAsOpen : .noticeAddedAsOpenAmongOthers
    return text(words, count: count, ["undo": key(.list(.undo), model)])
  }

  private func sentence(for notice: ExternalEditorNotice, _ model: Model) -> String {
    switch notice {
    case .missing(let name): text(.noticeEditorMissing, ["editor": name])
    case .failed(let name, nil): text(.noticeEditorFailed, ["editor": name])
    case .failed(let name, let path?): text(.noticeEditorKept, ["editor": name, "path": path])
    case .notUTF8(let name, let path): text(.noticeEditorNotUTF8, ["editor": name, "path": path])
    case .noFile(let folder): text(.noticeEditorFile, ["path": folder])
    case .noteEmpty: text(.noticeNoteEmpty, ["delete": key(.item(.delete), model)])
    case .noteUnchanged: text(.noticeNoteUnchanged)
    }
  }

  private func sentence(for notice: PaneNotice, _ model: Model) -> String {
    switch notice {
    case .itemGone: text(.itemGone)
    case .outboxEmpty: text(model.emptyOutbox)
    case .logEmpty: text(.noticeLogEmpty)
    case .versionIsDeletion: text(.noticeVersionIsDeletion, ["delete": key(.item(.delete), model)])
    }
  }

  private func sentence(for notice: SyncNotice, _ model: Model) -> String {
    switch notice {
    case .refreshed(let result): sentences(for: result, model)
    case .verifyFailed(let failure): sentence(for: failure, model)
    case .startedAgain: text(.noticeStartedAgain)
    case .verifying: text(.noticeVerifying)
    case .verified(let verification): sentence(for: verification)
    case .differs(let comparison):
      words(for: comparison, after: nil) + text(.clauseSeparator) + text(.noticeDiffers)
    }
  }

  private func sentences(for result: RefreshResult, _ model: Model) -> String {
    let sentences: [String?] = [
      result.failure.map { sentence(for: $0, model) }, leftOut(of: result).map { Printable.text($0) },
      droppedDeletions(of: result),
    ]
    return sentences.compactMap(\.self).joined(separator: text(.sentenceSeparator))
  }

  private func sentence(for notice: ScreenNotice, _ model: Model) -> String {
    switch notice {
    case .mouse(let isOn):
      text(isOn ? .noticeMouseOn : .noticeMouseOff, ["mouse": key(.list(.toggleMouse), model)])
    case .theme(let theme, let isForNow):
      text(isForNow ? .noticeThemeForNow : .noticeTheme, ["theme": theme.rawValue])
    case .panelTooNarrow:
      text(.panelTooNarrow, ["columns": String(Panel.fewestColumns), "present": String(model.screen.size.columns)])
    case .notOfPanel:
      text(
        .panelKeys,
        [
          "run": model.screen.keymap.name(of: .pane(.run), in: .panel),
          "close": model.screen.keymap.name(of: .pane(.close), in: .panel),
          "help": model.screen.keymap.name(of: .common(.help), in: .panel),
        ])
    case .notHere(let command): text(.noticeNotHere, ["command": help(command)])
    case .warnings(let lines): lines.joined(separator: text(.sentenceSeparator))
    }
  }

  /// The name of the key for a command, in the list.
  private func key(_ command: Command, _ model: Model) -> String {
    model.screen.keymap.name(of: command, in: .list)
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
    if failure.lacksSignIn { return model.screen.signInProblem ?? reason(failure) }
    let refresh = key(.common(.refresh), model)
    if let decision = reason(failure, askedBy: refresh, decidedBy: key(.open(.conflicts), model)) { return decision }
    if let seconds = model.sync.nextTry(at: model.screen.now) {
      let time = span(seconds: seconds)
      let next =
        model.sync.toSend == 0
        ? text(.failureNextTry, ["time": time]) : text(.failureTriesAgain, count: model.sync.toSend, ["time": time])
      return sentences(reason(failure), next)
    }
    if model.sync.refresh.isRunning { return sentences(reason(failure), text(.failureTriesNow)) }
    return sentence(for: failure, pending: model.sync.toSend, refresh: refresh)
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
    case .edited, .dated, .dropped, .restored, .decided: .didEdit
    }
  }

  /// The sentence about a change of several items at once.
  fileprivate var several: PluralKey {
    switch self {
    case .added: .noticeAdded
    case .completed: .noticeCompleted
    case .reopened: .noticeReopened
    case .deleted: .noticeDeleted
    case .edited, .dated, .dropped, .restored, .decided: .noticeChanged
    }
  }
}
