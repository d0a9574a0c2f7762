import TableProtocol

/// Saves rows in an open transaction: the differences, and the versions and news that follow from them.
struct RowStorage {
  let table: String
  let store: any StoreWriter
  let environment: Environment

  init(_ table: String, in store: any StoreWriter, _ environment: Environment) {
    self.table = table
    self.store = store
    self.environment = environment
  }

  /// Saves the updates. Each row must come at most once.
  func save(_ updates: [RowUpdate], _ cause: ChangeCause) throws {
    guard !updates.isEmpty else { return }
    let transitions = try saveRows(updates, cause)
    try saveOperations(updates)
    try RowMemory(table: table, store: store).remember(transitions, cause)
  }

  /// Saves what the list shows, and returns the transitions to remember. Only columns that changed are written: the
  /// indexes of the others stay as they are.
  private func saveRows(_ updates: [RowUpdate], _ cause: ChangeCause) throws -> [RowTransition] {
    var changed: [Record] = []
    var removed: [RecordID] = []
    var transitions: [RowTransition] = []
    for update in updates where !update.showsTheSame || update.before.isConflict {
      let (old, new) = (update.before.shown, update.after.shown)
      if let new {
        if let change = new.changes(since: old) { changed.append(change) }
      } else if old != nil {
        removed.append(update.before.id)
      }
      transitions += RowTransition.list(from: update.before, to: update.after, showing: old, new, cause)
    }
    if !changed.isEmpty { try store.upsert(changed, in: table) }
    if !removed.isEmpty { try store.remove(removed, from: table) }
    return transitions
  }

  private func saveOperations(_ updates: [RowUpdate]) throws {
    var done: [Int64] = []
    var marked: [Int64] = []
    for update in updates {
      let new = StoredRow.operations(of: update.after, in: table)
      let old = new.isEmpty ? [] : StoredRow.operations(of: update.before, in: table)
      var first: Int64?
      for operation in new {
        let kept = old.first { $0.id == operation.id && operation.id != 0 }
        var id = operation.id
        if let kept {
          if kept.marked == operation {
            marked.append(operation.id)
          } else if kept != operation {
            try store.replace(operation)
          }
        } else {
          id = try store.append(operation).id
        }
        first = first ?? id
      }
      for case let id? in [update.before.places.underWay, update.before.places.waiting]
      where !new.contains(where: { $0.id == id }) {
        done.append(id)
      }
      try saveError(of: update, operation: first)
    }
    if !marked.isEmpty { try store.mark(marked) }
    if !done.isEmpty { try store.removeOperations(done) }
  }

  /// Saves the error of the row's first operation. An error that has not changed keeps its id.
  private func saveError(of update: RowUpdate, operation: Int64?) throws {
    let (before, after) = (update.before, update.after)
    let place = before.places.underWay ?? before.places.waiting
    if before.attention == nil && after.attention == nil { return }
    if before.attention == after.attention && before.server == after.server && place == operation { return }
    let known = try update.onlyVoidsVersions ? place.flatMap { try store.operationErrors(of: [$0]).first } : nil
    if before.attention != nil, let place { try store.removeError(of: place) }
    guard let operation, after.attention != nil,
      let error = StoredRow.error(of: after, operation: operation, id: known?.id ?? environment.newID(), in: table)
    else { return }
    try store.save(error)
  }
}

/// A row before and after a rule.
package struct RowUpdate: Sendable, Hashable {
  package let before: TrackedRow
  package let after: TrackedRow

  package init(_ before: TrackedRow, _ after: TrackedRow) {
    self.before = before
    self.after = after
  }

  /// True if the list moved to another address: a question that waits is the same as before.
  fileprivate var onlyVoidsVersions: Bool {
    guard before.attention == after.attention else { return false }
    var voided = before
    voided.voidVersions()
    return voided == after
  }

  /// True if the table of the rows stays as it is, as for a mark.
  fileprivate var showsTheSame: Bool {
    before.local == after.local && before.base == after.base && before.createdAt == after.createdAt
  }
}

extension Record {
  /// Returns the columns that differ from `old`, as a record to write; nil if nothing differs.
  fileprivate func changes(since old: Record?) -> Record? {
    guard let old else { return self }
    guard old != self else { return nil }
    var changes = self
    changes.values = values.filter { name, value in old.values[name] != value }
    if system.createdAt == old.system.createdAt { changes.system.createdAt = nil }
    return changes
  }
}

extension TableOperation {
  /// The operation after its mark; nil if it is marked already.
  fileprivate var marked: TableOperation? {
    guard !isMarked else { return nil }
    var copy = self
    copy.isMarked = true
    return copy
  }
}
