package import TodoCore

extension Catalogue {
  /// Says what was undone or redone, which fields stay as others changed them, or why nothing was done.
  package func sentence(for reversal: UndoResult) -> String {
    var action = text(action(reversal.action), ["text": reversal.text])
    if reversal.count > 1 { action = text(.historySeveral, count: reversal.count - 1, ["action": action]) }
    return ([text(head(reversal), ["action": action])] + remarks(reversal)).joined(separator: text(.clauseSeparator))
  }

  private func head(_ reversal: UndoResult) -> StringKey {
    switch (reversal.direction, reversal.obstacle) {
    case (.undo, nil): .historyUndone
    case (.redo, nil): .historyRedone
    case (.undo, _): .historyNotUndone
    case (.redo, _): .historyNotRedone
    }
  }

  private func action(_ action: UndoResult.Action) -> StringKey {
    switch action {
    case .add: .historyAdd
    case .edit: .historyEdit
    case .complete: .historyComplete
    case .reopen: .historyReopen
    case .delete: .historyDelete
    }
  }

  private func remarks(_ reversal: UndoResult) -> [String] {
    switch reversal.obstacle {
    case .deletedSince: return [text(.historyDeletedSince)]
    case .restoredSince: return [text(.historyRestoredSince)]
    case .alreadySent: return [text(.historyAlreadySent)]
    case .changedSince where reversal.kept.isEmpty: return [text(.historyChangedSince)]
    case .changedSince, nil:
      return reversal.kept.map { text($0 == .text ? .historyTextStays : .historyCompleteStays) }
    }
  }
}
