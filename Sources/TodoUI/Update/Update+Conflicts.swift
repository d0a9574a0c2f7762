import TodoCore

extension Model {
  mutating func performInConflicts(_ command: Command) -> [Effect] {
    notice = nil
    if let lines = command.step(page: window.height) {
      conflictBrowser?.scroll(by: lines)
      return []
    }
    switch command {
    case .nextConflict: conflictBrowser?.move(by: 1)
    case .previousConflict: conflictBrowser?.move(by: -1)
    case .keepMine, .keepTheirs, .keepBoth: return decide(command, conflictBrowser?.current.map { [$0] } ?? [])
    case .keepAllMine, .keepAllTheirs, .keepAllBoth: return decide(command, conflictBrowser?.alike ?? [])
    case .editMerge: editMerge()
    case .close, .conflicts: closeConflicts()
    case .refresh: return startRefresh(.key)
    default: break
    }
    return []
  }

  /// Asked for in the list, what was read opens; later it takes the place of what is looked at.
  mutating func accept(_ conflicts: [TodoConflict]) -> [Effect] {
    if conflictBrowser != nil {
      conflictBrowser?.replace(with: conflicts)
      if conflicts.isEmpty && mode == .conflicts {
        closeConflicts()
        notice = .allDecided
      }
    } else if conflicts.isEmpty {
      notice = .nothingToDecide
    } else if mode == .list {
      notice = nil
      conflictBrowser = ConflictBrowser(conflicts, at: window.selectedItem?.id)
      mode = .conflicts
    }
    return []
  }

  /// The decision is in the store: the next one is shown, and the list below. Conflicts that `changed` meanwhile are not
  /// decided and are shown again. The text that was typed for one stays in the editor.
  mutating func settle(_ count: Int, changed: Int) -> [Effect] {
    let isKept = count == 0 && changed > 0
    let forgotten = isKept ? [] : finishTyping()
    if isKept {
      lastChange.fail()
    } else {
      lastChange.confirm()
      isAhead = true
    }
    if changed > 0 { notice = .conflictsChanged(changed) } else if count > 1 { notice = .decidedSeveral(count) }
    return forgotten + reloadAll()
  }

  private mutating func decide(_ command: Command, _ conflicts: [TodoConflict]) -> [Effect] {
    guard let decision = command.decision, !conflicts.isEmpty else { return [] }
    lastChange.request(.decided(command), conflicts.map(\.text))
    return [.resolve(conflicts, decision)]
  }

  private mutating func editMerge() {
    guard let conflict = conflictBrowser?.current else { return }
    if let kept = mergeDraft, kept.target == .merge(id: conflict.id) {
      mode = .editor(kept)
      hasDraft = true
      notice = .draftRestored
      return
    }
    mode = .editor(Editing(target: .merge(id: conflict.id), line: LineEditor(conflict.proposal)))
  }

  private mutating func closeConflicts() {
    conflictBrowser = nil
    mode = .list
  }
}

extension Command {
  /// What it decides about a conflict, or about all that are like it.
  fileprivate var decision: TodoDecision? {
    switch self {
    case .keepMine, .keepAllMine: .mine
    case .keepTheirs, .keepAllTheirs: .theirs
    case .keepBoth, .keepAllBoth: .both
    default: nil
    }
  }
}
