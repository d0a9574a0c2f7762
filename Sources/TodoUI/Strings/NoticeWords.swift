import OfflineSync
import TodoCore
import Words

extension Catalogue {
  func sentence(for question: Question, _ model: Model) -> String {
    switch question {
    case .leave: text(.quitQuestion, count: max(model.pending, model.isAhead ? 1 : 0))
    case .account(let account): self.question(about: account)
    case .massRemoval(let items, let total): self.question(removing: items, of: total)
    case .sort: text(.sortQuestion)
    case .slot: text(model.query.filter.isEmpty ? .slotQuestionEmpty : .slotQuestion, ["filter": model.query.filter])
    }
  }

  func sentence(for notice: Notice, _ model: Model) -> String {
    let key = { model.keymap.name(of: $0, in: .list) }
    switch notice {
    case .refreshFailed(let failure), .verifyFailed(let failure): return sentence(for: failure, model)
    case .trouble(let reason): return reason
    case .addedOutOfSight: return text(.noticeAddedOutOfSight)
    case .addedSeveral(let count): return text(.noticeAdded, count: count, ["undo": key(.undo)])
    case .changedSeveral(let count): return text(.noticeChanged, count: count, ["undo": key(.undo)])
    case .decidedSeveral(let count): return text(.noticeDecided, count: count)
    case .conflictsChanged(let count): return text(.noticeConflictsChanged, count: count)
    case .conflictGone: return text(.conflictGone)
    case .nothingChanged: return text(.noticeNothingChanged)
    case .rangeLost: return text(.noticeRangeLost)
    case .overtaken(let now): return text(.noticeOvertaken, ["text": now])
    case .reversed(let reversal): return sentence(for: reversal)
    case .nothingToReverse(.undo): return text(.historyNothingToUndo)
    case .nothingToReverse(.redo): return text(.historyNothingToRedo)
    case .nothingToDecide: return text(.conflictNone)
    case .allDecided: return text(.conflictAllDecided, ["refresh": key(.refresh)])
    case .nothingArrived: return text(.noticeNothingArrived)
    case .outboxEmpty: return text(.noticeOutboxEmpty)
    case .logEmpty: return text(.noticeLogEmpty)
    case .dropped: return text(.noticeDropped, ["undo": key(.undo)])
    case .restored: return text(.noticeRestored, ["undo": key(.undo)])
    case .draftRestored: return text(.noticeDraft)
    case .noFilterSaved(let number):
      return text(.noticeNoFilter, ["number": String(number), "filter": key(.filter), "save": key(.saveFilter)])
    case .filterSaved(let number): return text(.noticeFilterSaved, ["number": String(number)])
    case .filterRemoved(let number): return text(.noticeFilterRemoved, ["number": String(number)])
    case .mouse(let isOn): return text(isOn ? .noticeMouseOn : .noticeMouseOff, ["mouse": key(.toggleMouse)])
    case .noDate(let words): return text(.noticeNoDate, ["words": words])
    case .notHere(let command): return text(.noticeNotHere, ["command": help(command)])
    case .verifying: return text(.noticeVerifying)
    case .verified(let verification): return sentence(for: verification)
    case .differs(let comparison): return words(for: comparison) + text(.clauseSeparator) + text(.noticeDiffers)
    }
  }

  /// Why a refresh could not be finished, what waits, and when it is tried again.
  private func sentence(for failure: SyncFailure, _ model: Model) -> String {
    if let seconds = model.nextTry {
      return sentences(
        reason(failure), text(.failureTriesAgain, count: model.pending, ["time": span(seconds: seconds)]))
    }
    return sentence(for: failure, pending: model.pending, refresh: model.keymap.name(of: .refresh, in: .list))
  }
}
