public import TableProtocol

/// A change that the server did not accept, with everything that a decision needs.
public struct Conflict: Sendable, Hashable {
  public let table: String
  public let itemID: RecordID
  /// A conflict, a refusal with the server's reason, or a row that is held.
  public let error: TableOperationError
  /// The server's copy that the local change started from; nil if the row was new here.
  public let base: Record?
  /// The row on this device; nil if it was deleted here.
  public let mine: Record?
  /// The server's row, as far as this device knows; nil if the server has no live row. Of a refused change, it is the
  /// row that the change started from.
  public let theirs: Record?
  package let status: RowStatus
  /// The server's copy that the user sees. A decision is about this copy.
  package let shown: ServerSide

  init(_ error: TableOperationError, _ row: TrackedRow) {
    table = error.table
    itemID = error.itemID
    self.error = error
    status = row.status
    base = row.base.isLive && row.base.saidColumns != nil ? row.base.record : nil
    mine = row.shown
    theirs = row.theirs
    shown = row.server
  }
}

extension SyncTable {
  /// Returns the changes of this table that wait for a decision, oldest first.
  public func conflicts() throws -> [Conflict] {
    try store.read { store in
      let errors = try store.operationErrors().filter { $0.table == name }
      return try zip(errors, store.trackedRows(errors.map(\.itemID), in: name)).compactMap { error, row in
        row.attention == nil ? nil : Conflict(error, row)
      }
    }
  }

  /// Resolves the conflict of one record as the user decided, as one step of undo. The next push sends the decision.
  /// Runs `also` in the same transaction.
  ///
  /// `isAsShown` says whether the conflict is still the one that the user saw. Returns the id of the new row with the
  /// local text if both were kept. Throws `SyncTableError.notFound` if nothing has to be decided, `.otherConflict` if
  /// it is another conflict now, and `.bothRefused` for `both` of a refused change.
  @discardableResult
  package func resolve(
    _ itemID: RecordID, _ resolution: ConflictResolution, isAsShown: (Conflict) -> Bool = { _ in true },
    also: (any StoreWriter) throws -> Void = { _ in }
  ) throws -> RecordID? {
    let decided = try resolve([itemID: resolution], isAsShown: isAsShown, also: also)
    if !decided.changed.isEmpty { throw SyncTableError.otherConflict }
    guard decided.rows == [itemID] else { throw SyncTableError.notFound }
    return decided.copies.first
  }

  /// The result of one decision about several conflicts.
  package struct Decided: Sendable {
    /// The rows that were decided about.
    package var rows: [RecordID] = []
    /// The rows of which the conflict is another one than the user saw. Nothing was decided about them.
    package var changed: [RecordID] = []
    /// The new rows with the local texts, if both were kept.
    package var copies: [RecordID] = []
  }

  /// Decides about several conflicts at once, as one step of undo and in one transaction, with `also`. A row that has
  /// nothing to decide any more is passed over. Throws `.bothRefused` for `both` if the server refused that change;
  /// then nothing is decided.
  package func resolve(
    _ resolutions: [RecordID: ConflictResolution], isAsShown: (Conflict) -> Bool,
    also: (any StoreWriter) throws -> Void = { _ in }
  ) throws -> Decided {
    let itemIDs = resolutions.keys.sorted()
    return try store.write { store in
      let errors = Dictionary(
        try store.operationErrors(ofItems: itemIDs, in: name).map { ($0.itemID, $0) },
        uniquingKeysWith: { first, _ in first })
      var decided = Decided()
      var decisions: [RowDecision] = []
      for row in try store.trackedRows(itemIDs, in: name) {
        guard row.attention != nil, let error = errors[row.id], let resolution = resolutions[row.id] else { continue }
        if isAsShown(Conflict(error, row)) {
          decisions.append((row, resolution))
        } else {
          decided.changed.append(row.id)
        }
      }
      if decisions.contains(where: { $0.resolution == .both && $0.row.isRefused }) { throw SyncTableError.bothRefused }
      guard !decisions.isEmpty else { return decided }
      try also(store)
      let (copies, changes) = try decide(decisions, shown: nil, cause: .decision(environment.now()), in: store)
      try store.remember(changes)
      decided.rows = decisions.map(\.row.id)
      decided.copies = copies
      return decided
    }
  }

  private typealias RowDecision = (row: TrackedRow, resolution: ConflictResolution)

  /// Resolves a conflict as the user decided, as one step of undo. The next sync sends the decision. If the server has
  /// a newer copy by then, it is a conflict again.
  ///
  ///     for conflict in try items.conflicts() { try items.resolve(conflict, .mine) }
  ///
  /// Returns the id of the new row if both were kept. Throws `SyncTableError.notFound` if nothing has to be decided any
  /// more, and `.otherConflict` if it is about other copies now: then show it again.
  /// Throws `.bothRefused` for `both` of a refused change: the server would refuse the copy too.
  @discardableResult
  public func resolve(_ conflict: Conflict, _ resolution: ConflictResolution) throws -> RecordID? {
    try resolve(conflict.itemID, resolution, isAsShown: { $0 == conflict })
  }

  /// Resolves a conflict as the delegate decided. Returns false, and does nothing, if the conflict is another by now.
  func apply(_ resolution: ConflictResolution, to conflict: Conflict) throws -> Bool {
    try store.write { store in
      let row = try store.trackedRow(conflict.itemID, in: name)
      guard try self.conflict(row, in: store) == conflict else { return false }
      _ = try decide([(row, resolution)], shown: conflict.shown, cause: .sync(environment.now()), in: store)
      return true
    }
  }

  /// Returns what has to be decided about a row; nil if nothing has.
  private func conflict(_ row: TrackedRow, in store: any StoreReader) throws -> Conflict? {
    guard row.attention != nil else { return nil }
    return try store.operationErrors(ofItems: [row.id], in: name).first.map { Conflict($0, row) }
  }

  private func decide(
    _ decisions: [RowDecision], shown: ServerSide?, cause: ChangeCause, in store: any StoreWriter
  ) throws -> (copies: [RecordID], changes: [RowChange]) {
    let updates = decisions.map { row, resolution in
      var decided = row
      decided.resolve(resolution, shown: shown)
      return RowUpdate(row, decided)
    }
    let editor = editor(in: store)
    try editor.save(updates, cause)
    let times = try Account.timesTakenAlong(store)
    let changes = updates.map { update in
      editor.change(update, decision: editor.decision(about: update.before, shown: shown, takenAlong: times))
    }
    let copies = decisions.compactMap { row, resolution -> Record? in
      guard resolution == .both, row.offersBoth, let values = row.local else { return nil }
      return Record(
        id: RecordID(environment.newID()), values: values, system: SystemProperties(createdAt: environment.creation()))
    }
    guard !copies.isEmpty else { return ([], changes) }
    return (copies.map(\.id), try changes + editor.insert(copies, under: .new))
  }

  /// Drops the pending change of one record. The row becomes the server's, as far as this device knows it. Can be
  /// undone: that opens a conflict again. Returns false if no change waits.
  ///
  /// A change that was never sent, or that the server did not accept, is removed. A change that was sent and has no
  /// answer may have arrived (Q10): it stays, and a new change that reverts it waits behind it. So a change can be
  /// dropped at any time, even while it is under way.
  @discardableResult
  public func drop(_ itemID: RecordID) throws -> Bool {
    try store.write { store in
      let row = try store.trackedRow(itemID, in: name)
      guard !row.isAtRest else { return false }
      var dropped = row
      dropped.drop()
      let editor = editor(in: store)
      try editor.save([RowUpdate(row, dropped)], .decision(environment.now()))
      guard row.local != dropped.local else { return true }
      // In a conflict this takes the server's side: undone as an edit, it would pass over the other device's words.
      let decision = editor.decision(about: row, takenAlong: try Account.timesTakenAlong(store))
      try store.remember(editor.change(RowUpdate(row, dropped), decision: decision))
      return true
    }
  }
}
