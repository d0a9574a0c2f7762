import TodoCore

extension Model {
  mutating func performInConflicts(_ command: Command) -> [Effect] {
    notice = nil
    if let lines = command.step(page: window.height) {
      deciding?.scroll(by: lines)
      return []
    }
    switch command {
    case .nextConflict: deciding?.move(by: 1)
    case .previousConflict: deciding?.move(by: -1)
    case .keepMine: return decide(.mine)
    case .keepTheirs: return decide(.theirs)
    case .keepBoth: return decide(.both)
    case .keepAllMine: return decideAlike(.mine)
    case .keepAllTheirs: return decideAlike(.theirs)
    case .keepAllBoth: return decideAlike(.both)
    case .editMerge: editMerge()
    case .close, .conflicts: closeConflicts()
    case .refresh: return startRefresh(.key)
    default: break
    }
    return []
  }

  /// Asked for in the list, what was read opens; later it takes the place of what is looked at.
  mutating func accept(_ conflicts: [TodoConflict]) -> [Effect] {
    if deciding != nil {
      deciding?.replace(with: conflicts)
      if conflicts.isEmpty && mode == .conflicts {
        closeConflicts()
        notice = .allDecided
      }
    } else if conflicts.isEmpty {
      notice = .nothingToDecide
    } else if mode == .list {
      notice = nil
      deciding = Deciding(conflicts, at: window.selectedItem?.id)
      mode = .conflicts
    }
    return []
  }

  /// The decision is in the store: the next one is shown, and the list below.
  mutating func settle(_ count: Int) -> [Effect] {
    let forgotten = finishTyping()
    if count > 1 { notice = .changedSeveral(count) }
    return forgotten + reloadAll()
  }

  private func decide(_ decision: TodoDecision) -> [Effect] {
    deciding?.current.map { [.resolve(ids: [$0.id], decision)] } ?? []
  }

  private func decideAlike(_ decision: TodoDecision) -> [Effect] {
    deciding.map { [.resolve(ids: $0.alike.map(\.id), decision)] } ?? []
  }

  private mutating func editMerge() {
    guard let conflict = deciding?.current else { return }
    mode = .editor(Editing(target: .merge(id: conflict.id), line: LineEditor(conflict.proposal)))
  }

  private mutating func closeConflicts() {
    deciding = nil
    mode = .list
  }
}
