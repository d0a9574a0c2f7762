import OfflineSync
package import TableProtocol

extension TodoList {
  /// The conflicts and refused changes that wait for a decision, oldest first.
  package func conflicts() throws -> [TodoConflict] {
    let conflicts = try items.conflicts()
    return try context.store.read { store in
      try conflicts.compactMap { conflict in
        guard var shown = TodoConflict(conflict) else { return nil }
        let changes = try store.pastVersions(of: conflict.itemID, in: Self.table)
        shown.mineAt = changes.last { $0.origin == .here }?.changedAt?.date
        shown.theirsAt = conflict.theirs?.system.updatedAt?.date
        return shown
      }
    }
  }

  /// Carries out decisions about conflicts as they were shown, all of them or none, as one step of undo. The next
  /// refresh sends them. Returns the ids of the new items with the local texts of those of which both were kept.
  ///
  /// Throws `TodoError.nothingToDecide` if one of the items no longer waits for a decision, `.conflictChanged` if a
  /// copy is another one now, and `.bothRefused` for both of a refused change. Then nothing has changed.
  @discardableResult
  package func resolve(_ decisions: [TodoConflict: TodoDecision]) throws -> [RecordID] {
    let outcome = try decide(decisions, isPartial: false)
    if !outcome.changed.isEmpty { throw TodoError.conflictChanged }
    guard !outcome.rows.isEmpty else { throw TodoError.nothingToDecide }
    return outcome.copies
  }

  /// Carries out one decision about conflicts as they were shown, as one step of undo. Returns how many were decided,
  /// and how many are other conflicts now; the rest waits for no decision any more. Throws `TodoError.bothRefused`.
  package func resolve(
    _ shown: [TodoConflict], _ decision: TodoDecision, typed line: String? = nil
  ) throws -> (decided: Int, changed: Int) {
    let decisions = Dictionary(shown.map { ($0, decision) }, uniquingKeysWith: { $1 })
    let outcome = try decide(decisions, isPartial: true, typed: line)
    return (outcome.rows.count, outcome.changed.count)
  }

  /// If it may not be partial, it throws where some can be decided and others can't.
  private func decide(
    _ decisions: [TodoConflict: TodoDecision], isPartial: Bool, typed line: String? = nil
  ) throws -> SyncTable.Decided {
    let today = today()
    let copies = Dictionary(decisions.keys.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let decided = Dictionary(
      decisions.map { ($0.key.id, $0.key.effect(of: $0.value)) }, uniquingKeysWith: { $1 })
    var (same, changed) = (0, 0)
    do {
      return try items.resolve(
        try decided.mapValues { try ConflictResolution($0, today: today) },
        isAsShown: { conflict in
          guard let now = TodoConflict(conflict) else { return false }
          let isSame = copies[conflict.itemID]?.hasSameCopies(as: now) ?? false
          if isSame { same += 1 } else { changed += 1 }
          return isSame
        },
        also: { store in
          if !isPartial, same < copies.count {
            throw changed > 0 ? TodoError.conflictChanged : TodoError.nothingToDecide
          }
          try drafts.savedMerge(decided, in: store)
          try noteHistory(line, in: store)
        })
    } catch SyncTableError.bothRefused {
      throw TodoError.bothRefused
    }
  }

  /// The handle of an item that waits for a decision: it may be gone from the list.
  package func handle(of conflict: TodoConflict, among conflicts: [TodoConflict]) throws -> String {
    let prefix = String(conflict.id.text.prefix(Handles.shortest))
    let near = try ids(beginning: prefix, among: conflicts.map(\.id))
    return Handles(sortedIDs: near).handle(of: conflict.id)
  }

  /// The conflict of the item that a typed handle names, also if the item was deleted here. Throws
  /// `TodoError.notFound`, `.ambiguousHandle` or `.nothingToDecide`.
  package func conflict(handle: String) throws -> TodoConflict {
    let conflicts = try conflicts()
    let ids = try ids(named: handle, among: conflicts.map(\.id))
    guard let id = ids.first else { throw TodoError.notFound }
    guard ids.count == 1 else {
      throw TodoError.ambiguousHandle(try ids.prefix(5).compactMap { try item($0) ?? conflicts.item($0) })
    }
    guard let conflict = conflicts.first(where: { $0.id == id }) else { throw TodoError.nothingToDecide }
    return conflict
  }
}

extension [TodoConflict] {
  /// An item that is not in the list any more, as its conflict knows it.
  fileprivate func item(_ id: RecordID) -> TodoItem? {
    first { $0.id == id }.map { TodoItem(id: id, text: $0.text, state: .conflict) }
  }
}

extension TodoConflict {
  /// Returns nil if nothing has to be decided.
  init?(_ conflict: Conflict) {
    guard let kind = Kind(conflict.status) else { return nil }
    self.init(
      id: conflict.itemID, kind: kind, status: conflict.error.status, base: conflict.base.map(TodoCopy.init),
      mine: conflict.mine.map(TodoCopy.init),
      theirs: conflict.theirs.map(TodoCopy.init))
  }
}

extension TodoConflict.Kind {
  init?(_ status: RowStatus) {
    switch status {
    case .conflict: self = .conflict
    case .held: self = .held
    case .refused(_, _, let message): self = .refused(reason: message)
    case .synced, .waiting, .underWay: return nil
    }
  }
}

extension ConflictResolution {
  init(_ decision: TodoDecision, today: CalendarDay) throws {
    switch decision {
    case .mine: self = .mine
    case .theirs: self = .theirs
    case .both: self = .both
    case .text(let text): self = .merged([TodoColumn.text: .text(try TodoText.checked(text, today: today))])
    }
  }
}
