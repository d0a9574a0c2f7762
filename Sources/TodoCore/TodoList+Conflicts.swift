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

  /// Carries out a decision about a conflict as it was shown. The next refresh sends it. Returns the id of the new item
  /// with the local text if both were kept.
  ///
  /// Throws `TodoError.nothingToDecide` if the item no longer waits for a decision, and `.conflictChanged` if a copy is
  /// another one now, and `.bothRefused` for both of a refused change. Then nothing has changed.
  @discardableResult
  package func resolve(_ shown: TodoConflict, _ decision: TodoDecision, typed line: String? = nil) throws -> RecordID? {
    let outcome = try decide([shown], decision, typed: line)
    if !outcome.changed.isEmpty { throw TodoError.conflictChanged }
    guard !outcome.rows.isEmpty else { throw TodoError.nothingToDecide }
    return outcome.copies.first
  }

  /// Carries out one decision about conflicts as they were shown, as one step of undo. Returns how many were decided,
  /// and how many are other conflicts now; the rest waits for no decision any more. Throws `TodoError.bothRefused`.
  package func resolve(
    _ shown: [TodoConflict], _ decision: TodoDecision, typed line: String? = nil
  ) throws -> (decided: Int, changed: Int) {
    let outcome = try decide(shown, decision, typed: line)
    return (outcome.rows.count, outcome.changed.count)
  }

  private func decide(
    _ shown: [TodoConflict], _ decision: TodoDecision, typed line: String?
  ) throws -> SyncTable.Decided {
    let copies = Dictionary(shown.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let effects = Set(shown.map { $0.effect(of: decision) })
    let effect = effects.count == 1 ? effects.first ?? decision : decision
    let text: String? = if case .text(let text) = decision { text } else { nil }
    do {
      return try items.resolve(
        copies.keys.sorted(), try ConflictResolution(effect, today: today()),
        isAsShown: { conflict in
          guard let now = TodoConflict(conflict) else { return false }
          return copies[conflict.itemID]?.hasSameCopies(as: now) ?? false
        },
        also: {
          try drafts.savedMerge(Set(copies.keys), text, in: $0)
          try noteHistory(line, in: $0)
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
