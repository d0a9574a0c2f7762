package import TableProtocol

/// Undo and redo of the user's own changes, also after a restart or a sync: an undo is a new change. Any other change
/// empties the list of steps to redo.
///
/// Undo of a decision about a conflict opens the conflict again. A decision about a refused or held row is undone as an
/// edit: nobody is asked again.
extension SyncTable {
  /// Undoes the newest step that is not undone. Columns that changed since stay. Returns nil if there is no such step.
  public func undo() throws -> UndoOutcome? {
    try step(undoing: true) { _ in }
  }

  /// Redoes the step that was undone last. Returns nil if there is none.
  public func redo() throws -> UndoOutcome? {
    try step(undoing: false) { _ in }
  }

  /// The rows that the newest step deleted, and that an undo would bring back. Empty if that step did anything else.
  package func rowsDeletedLast() throws -> [RecordID] {
    try store.read { store in
      let changes = try store.undoEntries(store.undoStep(undone: false, in: name)).map(\.change)
      return changes.filter { $0.decision == nil && $0.after?.system.deleted != false }.map(\.itemID)
    }
  }

  /// Undoes or redoes a step. `progress` is called within the transaction, as for ``update(_:progress:_:)``.
  package func step(undoing: Bool, progress: (BulkProgress) -> Void) throws -> UndoOutcome? {
    try store.write { store in
      let times = try Account.timesTakenAlong(store)
      let step = try store.undoStep(undone: !undoing, in: name)
      let parts = (undoing ? step.reversed() : step).chunked(by: BulkProgress.rowsAtOnce)
      var seen: Set<RecordID> = []
      var outcome: UndoOutcome?
      try store.forEach(
        parts,
        load: { [self] store, ids in
          let entries = try store.undoEntries(Array(ids)).map { $0.valid(takenAlong: times) }
          return try load(entries[...], undoing: undoing, from: store)
        }
      ) { ids, run in
        var run = seen.isDisjoint(with: run.ids) ? run : try load(run.entries, undoing: undoing, from: store)
        while !run.reversals.isEmpty {
          seen.formUnion(run.ids)
          for row in try carryOut(run.reversals, undoing: undoing, takenAlong: times, in: store) {
            if outcome == nil { outcome = UndoOutcome(first: row) } else { outcome?.add(row, isEarlier: undoing) }
          }
          run = try load(run.rest, undoing: undoing, from: store)
        }
        progress(BulkProgress(done: ids.endIndex, all: step.count))
        return .goOn
      }
      return outcome
    }
  }

  /// Loads the rows of the next changes that can be undone together, each of another row, and makes the reversals.
  private func load(
    _ entries: ArraySlice<UndoEntry>, undoing: Bool, from store: any StoreReader
  ) throws -> UndoRun {
    var seen: Set<RecordID> = []
    let run = entries.prefix { seen.insert($0.change.itemID).inserted }
    let rows = try store.trackedRows(run.map(\.change.itemID), in: name)
    let sent = try sentSince(run, rows, undoing: undoing, in: store)
    let reversals = zip(run, rows).map { entry, row in
      RowReversal(entry, of: row, undoing: undoing, wasSent: sent.contains(row.id))
    }
    return UndoRun(reversals: reversals, rest: entries.dropFirst(run.count))
  }

  private func carryOut(
    _ reversals: [RowReversal], undoing: Bool, takenAlong: Int, in store: any StoreWriter
  ) throws -> [RowUndoOutcome] {
    let now = environment.now()
    let editor = editor(in: store)
    try editor.save(reversals.compactMap { $0.decides ? $0.update : nil }, .decision(now))
    try editor.save(reversals.compactMap { $0.decides ? nil : $0.update }, .person(now))
    try store.markUndoEntries(
      reversals.compactMap { $0.keepsChange ? $0.entry.id : nil }, undone: undoing)
    for reversal in reversals where !reversal.keepsChange {
      try reversal.note(takenAlong: takenAlong, in: store)
    }
    return reversals.map(\.outcome)
  }
}

extension SyncTable {
  /// The rows that come back, that no server knew when the step was made, and that one has given since: the versions
  /// of a row hold its later states too.
  private func sentSince(
    _ entries: ArraySlice<UndoEntry>, _ rows: [TrackedRow], undoing: Bool, in store: any StoreReader
  ) throws -> Set<RecordID> {
    let ids = zip(entries, rows).compactMap { entry, row in
      let trace = undoing ? entry.change.after : entry.change.before
      return trace == nil && row.isUntracked ? row.id : nil
    }
    guard !ids.isEmpty else { return [] }
    let versions = try store.pastVersions(ofItems: ids, in: name)
    return Set(versions.filter { $0.value.contains { $0.before?.system.version != nil } }.keys)
  }
}

/// Changes of a step that are undone together.
private struct UndoRun: Sendable {
  /// Each of another row.
  let reversals: [RowReversal]
  /// The changes of the same part that come after them: of rows that are changed here first.
  let rest: ArraySlice<UndoEntry>

  var ids: [RecordID] { reversals.map(\.entry.change.itemID) }
  var entries: ArraySlice<UndoEntry> { reversals.map(\.entry) + rest }
}

/// The undo or redo of one change, and its effect on the row.
private struct RowReversal: Sendable {
  let entry: UndoEntry
  /// False for a redo.
  private let undoing: Bool
  let outcome: RowUndoOutcome
  /// The update of the row; nil if the change could not be undone or redone.
  let update: RowUpdate?

  init(_ entry: UndoEntry, of row: TrackedRow, undoing: Bool, wasSent: Bool) {
    var reversed = row
    let (kept, obstacle) = reversed.reverse(entry.change, undoing: undoing, wasSent: wasSent)
    (self.entry, self.undoing) = (entry, undoing)
    update = obstacle == nil ? RowUpdate(row, reversed) : nil
    outcome = RowUndoOutcome(
      change: entry.change, kept: kept, obstacle: obstacle, conflict: .init(from: row, to: update?.after ?? row))
  }

  /// A decision is taken back or made again, or a change is taken back that is in conflict.
  var decides: Bool { entry.change.decision != nil || endsConflict }

  /// My text was in conflict with another or with a deletion, and is taken back: what the server has stays.
  private var endsConflict: Bool {
    guard undoing, let update, entry.change.decision == nil, outcome.conflict?.isForServer == true else { return false }
    let open = update.before
    return open.attention == .conflict(sent: nil) && open.local != nil && !open.isAboutLost
  }

  /// The redo brought the conflict back. From then on the change counts as an edit.
  private var reopensConflict: Bool {
    !undoing && entry.change.decision != nil && outcome.conflict == .opened
  }

  /// True if the entry stays as it is, but for being undone or not.
  var keepsChange: Bool {
    update != nil && outcome.kept.isEmpty && !endsConflict && !reopensConflict
      && (undoing ? entry.change.before : entry.change.after)?.live != nil
  }

  /// A change that could not be undone or redone is removed from the undo steps.
  func note(takenAlong: Int, in store: any StoreWriter) throws {
    guard let update else { return try store.setUndoEntry(entry.id, to: nil) }
    if endsConflict {
      return try store.setUndoEntry(entry.id, to: entry.decided(update, takenAlong: takenAlong))
    }
    if reopensConflict { return try store.setUndoEntry(entry.id, to: entry.asEdit) }
    let trace = update.after.local == nil ? update.before.trace : nil
    try store.setUndoEntry(entry.id, to: entry.reversed(undoing, outcome.kept, trace: trace))
  }
}

extension UndoEntry {
  /// The entry for a list that was taken along so often. The server that showed the copies of an earlier decision is
  /// not the one that the list belongs to now: the decision is undone as an edit is.
  fileprivate func valid(takenAlong times: Int) -> UndoEntry {
    guard let decision = change.decision, decision.takenAlong != times else { return self }
    var entry = self
    entry.change.decision = nil
    return entry
  }

  /// Returns the entry after an undo that ended a conflict: that is a decision for what is there, and the way back opens
  /// the conflict again.
  fileprivate func decided(_ update: RowUpdate, takenAlong: Int) -> UndoEntry {
    var entry = self
    entry.isUndone = true
    entry.change.decision = DecidedBases(
      before: update.before.server, after: update.before.base, takenAlong: takenAlong)
    return entry
  }

  /// Returns the entry after a redo, as one of an edit.
  fileprivate var asEdit: UndoEntry {
    var entry = self
    entry.isUndone = false
    entry.change.decision = nil
    return entry
  }

  /// Returns the entry after its undo or redo. It holds what was really changed, so that the way back changes nothing
  /// else. `trace` is the tombstone of a deleted row.
  fileprivate func reversed(_ undoing: Bool, _ kept: [String], trace: Record?) -> UndoEntry {
    var entry = self
    entry.isUndone = undoing
    for column in kept {
      if undoing {
        entry.change.after?.values[column] = change.before?.values[column]
      } else {
        entry.change.before?.values[column] = change.after?.values[column]
      }
    }
    if undoing, change.before?.live == nil { entry.change.before = trace }
    if !undoing, change.after?.live == nil { entry.change.after = trace }
    return entry
  }
}

extension SyncTable {
  /// Restores the columns of one of a row's versions, also if the row was deleted since. Can be undone. Throws
  /// `SyncTableError.notFound` if the version is not saved, or the row did not exist then. Returns false if it is
  /// the present one.
  @discardableResult
  package func restore(_ itemID: RecordID, toVersion number: Int64) throws -> Bool {
    try store.write { store in
      let row = try store.trackedRow(itemID, in: name)
      let changes = try store.pastVersions(of: itemID, in: name)
      let next = changes.first { $0.number == number + 1 }
      let present = (changes.last?.number ?? 0) == number ? row.shown : nil
      guard let wanted = next?.before ?? present else { throw SyncTableError.notFound }
      if row.local != nil {
        let changes = try editor(in: store).edit([row]) { _ in wanted.values }
        try store.remember(changes)
        return !changes.isEmpty
      }
      var revived = row
      revived.add(wanted.values, createdAt: wanted.system.createdAt, trace: .unknown)
      try editor(in: store).save([RowUpdate(row, revived)], .person(environment.now()))
      try store.remember(
        RowChange(table: name, itemID: itemID, before: .unseenTombstone(itemID), after: revived.shown))
      return true
    }
  }
}

/// The result of an undo or redo of one step.
///
/// A step may be a whole list. So this holds ids, and only those of rows that were not undone in full.
public struct UndoOutcome: Sendable, Hashable {
  /// That of the first change of the step.
  package private(set) var first: RowUndoOutcome
  /// That of the first change that was undone or redone, of a decision if there is one: keeping both copies also adds a
  /// row. Nil if none was.
  package private(set) var firstDone: RowUndoOutcome?
  /// The number of changes of the step.
  package private(set) var count = 0
  /// The number of those that were undone or redone.
  package private(set) var doneCount = 0
  /// The number of decisions among those: a decision for both copies also adds a row.
  package private(set) var decidedCount = 0
  /// The rows of which a column stays.
  package private(set) var keptItems: [RecordID] = []
  /// The rows that were not changed, because of an obstacle.
  package private(set) var obstructedItems: [RecordID] = []
  private var keptColumns: Set<String> = []
  /// Whether a conflict of a row was ended or opened, of the first change that was undone or redone.
  package var conflict: RowUndoOutcome.ConflictTurn? { firstDone?.conflict }

  init(first: RowUndoOutcome) {
    self.first = first
    add(first, isEarlier: false)
  }

  /// Adds the outcome of the next change. An undo goes backwards: each change `isEarlier` in the step than those before.
  mutating func add(_ row: RowUndoOutcome, isEarlier: Bool) {
    count += 1
    if isEarlier { first = row }
    if row.obstacle == nil {
      doneCount += 1
      if row.change.decision != nil { decidedCount += 1 }
      let (isDecision, wasDecision) = (row.change.decision != nil, firstDone?.change.decision != nil)
      if firstDone == nil || (isEarlier ? isDecision || !wasDecision : isDecision && !wasDecision) { firstDone = row }
    } else {
      obstructedItems.append(row.change.itemID)
    }
    if !row.kept.isEmpty {
      keptItems.append(row.change.itemID)
      keptColumns.formUnion(row.kept)
    }
  }

  /// The first change of the step, as originally made.
  package var change: RowChange { first.change }

  /// The names of the columns that stay, because they changed since the step.
  public var kept: [String] { keptColumns.sorted() }

  /// Why nothing was done for any row; nil if something was done.
  public var obstacle: RowUndoOutcome.Obstacle? { firstDone == nil ? first.obstacle : nil }
}
