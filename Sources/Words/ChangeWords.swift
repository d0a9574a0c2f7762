package import FoundationEssentials
package import OfflineSync
import TableProtocol
package import TodoCore

extension Catalogue {
  /// A change that waits, in words: `“milk” to “oat milk”`.
  package func words(for change: WaitingChange) -> String {
    switch (change.before, change.after) {
    case (let before?, let after?): edit(before, after)
    case (nil, let after?): text(after.complete ? .changeAddDone : .changeAdd, ["text": ItemText(after.text).line])
    case (let before, nil): text(.changeDelete, ["text": before.map { ItemText($0.text).line } ?? change.id.text])
    }
  }

  private func edit(_ before: TodoCopy, _ after: TodoCopy) -> String {
    var parts: [String] = []
    let (old, new) = (ItemText(before.text), ItemText(after.text))
    if old.line != new.line { parts.append(text(.changeText, ["before": old.line, "after": new.line])) }
    if old.note != new.note { parts.append(text(.changeNote, ["text": new.line])) }
    if before.complete != after.complete {
      parts.append(text(after.complete ? .changeComplete : .changeReopen, ["text": new.line]))
    }
    return parts.isEmpty ? text(.changeNothing, ["text": new.line]) : parts.joined(separator: text(.listSeparator))
  }

  /// Why the change still waits, and what comes next.
  package func reason(for reason: WaitingChange.Reason) -> String {
    switch reason {
    case .nextRefresh: text(.reasonNextRefresh)
    case .noAnswer: text(.reasonNoAnswer)
    case .conflict: text(.reasonConflict)
    case .held: text(.reasonHeld)
    case .refused(let status, let words): refusal(status, words, explained: .conflictRefused)
    }
  }

  /// Why the server did not take a change; `explained` is the text with its own words. With a 2xx it sent none: it
  /// answered that all is well, and still has the item as it was. Earlier versions stored English words of their own.
  func refusal(_ status: Int, _ words: String, explained: StringKey) -> String {
    if (200..<300).contains(status) { return text(.conflictNotSaved, ["status": String(status)]) }
    return text(words.isEmpty ? .conflictRefusedUnexplained : explained, ["status": String(status), "reason": words])
  }

  package func words(for state: ItemState) -> String {
    switch state {
    case .synced: text(.syncSynced)
    case .waiting: text(.syncWaiting)
    case .inFlight: text(.syncInFlight)
    case .conflict: text(.syncConflict)
    case .refused(let status, let words): refusal(status, words, explained: .stateRefused)
    }
  }

  package func words(forState copy: TodoCopy) -> String {
    text(copy.complete ? .conflictDone : .conflictOpen)
  }

  /// A version of an item; its box shows whether it is done.
  package func words(for copy: TodoCopy?) -> String {
    copy.map { ($0.complete ? "[x] " : "[ ] ") + ItemText($0.text).line } ?? text(.conflictDeleted)
  }

  package func word(for origin: RowOrigin) -> String {
    switch origin {
    case .here: text(.originHere)
    case .server: text(.originServer)
    case .merge: text(.originMerge)
    }
  }
}

extension Catalogue {
  /// Says what was undone or redone, which fields stay as others changed them, or why nothing was done. Of a change
  /// made before `start` it also says when: nobody remembers what the last change of another day was.
  package func sentence(for reversal: UndoResult, start: Date = .distantPast, now: Date = Date()) -> String {
    var action = text(action(reversal.action), ["text": ItemText(reversal.text).line])
    if reversal.count > 1 { action = text(.historySeveral, count: reversal.count - 1, ["action": action]) }
    if let madeAt = reversal.madeAt, madeAt < start {
      action = text(.historyMadeAt, ["action": action, "time": time(madeAt, now: now)])
    }
    return ([text(head(reversal), ["action": action])] + remarks(reversal)).joined(separator: text(.clauseSeparator))
  }

  private func head(_ reversal: UndoResult) -> HistoryKey {
    switch (reversal.direction, reversal.obstacle) {
    case (.undo, nil): .historyUndone
    case (.redo, nil): .historyRedone
    case (.undo, _): .historyNotUndone
    case (.redo, _): .historyNotRedone
    }
  }

  private func action(_ action: UndoResult.Action) -> HistoryKey {
    switch action {
    case .add: .historyAdd
    case .edit: .historyEdit
    case .complete: .historyComplete
    case .reopen: .historyReopen
    case .delete: .historyDelete
    case .decide: .historyDecide
    }
  }

  private func remarks(_ reversal: UndoResult) -> [String] {
    switch reversal.obstacle {
    case .deletedSince: return [text(.historyDeletedSince)]
    case .restoredSince: return [text(.historyRestoredSince)]
    case .alreadySent:
      return [text(reversal.isAgainstDeletion ? .historySentAgainstDeletion : .historyAlreadySent)]
    case .changedSince where reversal.kept.isEmpty: return [text(.historyChangedSince)]
    case nil where reversal.conflict != nil || reversal.action == .decide: return conflictRemark(reversal)
    case .changedSince, nil:
      return reversal.kept.map { text($0 == .text ? .historyTextStays : .historyCompleteStays) }
    }
  }

  private func conflictRemark(_ reversal: UndoResult) -> [String] {
    switch reversal.conflict {
    case .opened: [text(.historyConflictAgain)]
    case .ended where reversal.action != .decide: [text(.historyConflictEnded)]
    case .letGo where reversal.action != .decide: [text(.historyConflictLetGo)]
    case .ended, .letGo, nil: reversal.leftItem.map { [remark(on: $0)] } ?? []
    }
  }

  private func remark(on left: UndoResult.LeftItem) -> String {
    switch left {
    case .live(let copy): text(copy.complete ? .historyNowDone : .historyNowOpen, ["text": ItemText(copy.text).line])
    case .deleted: text(.historyStaysDeleted)
    }
  }
}
