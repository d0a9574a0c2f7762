import OfflineSync
package import TableProtocol

extension TodoList {
  /// The conflicts and refused changes that wait for a decision, oldest first.
  package func conflicts() throws -> [TodoConflict] {
    try items.conflicts().map(TodoConflict.init)
  }

  /// Carries out a decision about a conflict as it was shown. The next refresh sends it. Returns the id of the new item
  /// with the local text if both were kept.
  ///
  /// Throws `TodoError.nothingToDecide` if the item no longer waits for a decision, and `.conflictChanged` if a copy is
  /// another one now, and `.bothRefused` for both of a refused change. Then nothing has changed.
  @discardableResult
  package func resolve(_ shown: TodoConflict, _ decision: TodoDecision, typed line: String? = nil) throws -> RecordID? {
    do {
      return try items.resolve(
        shown.id, try ConflictResolution(decision, today: today()),
        isAsShown: { shown.hasSameCopies(as: TodoConflict($0)) },
        also: {
          try drafts.savedMerge(shown.id, in: $0)
          try noteHistory(line, in: $0)
        })
    } catch SyncTableError.notFound {
      throw TodoError.nothingToDecide
    } catch SyncTableError.otherConflict {
      throw TodoError.conflictChanged
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
  init(_ conflict: Conflict) {
    let isRefusal = conflict.error.kind == .refused
    self.init(
      id: conflict.itemID, kind: Kind(conflict.error),
      status: conflict.error.status, base: conflict.base.map(TodoCopy.init), mine: conflict.mine.map(TodoCopy.init),
      theirs: (isRefusal ? conflict.base : conflict.theirs).map(TodoCopy.init))
  }
}

extension TodoConflict.Kind {
  init(_ error: TableOperationError) {
    switch error.kind {
    case .conflict: self = .conflict
    case .held: self = .held
    case .refused: self = .refused(reason: error.message)
    }
  }
}

extension TodoCopy {
  init(_ record: Record) {
    self.init(
      text: record.values[TodoColumn.text]?.text ?? "", complete: record.values[TodoColumn.complete]?.bool ?? false)
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
