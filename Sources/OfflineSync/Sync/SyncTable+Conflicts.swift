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
  /// The server's row; nil if it was deleted there, or never existed there.
  public let theirs: Record?
  /// The server's copy that the user sees. A decision is about this copy.
  package let shown: ServerSide

  init(_ error: TableOperationError, _ row: TrackedRow) {
    table = error.table
    itemID = error.itemID
    self.error = error
    base = row.base.isLive ? row.base.record : nil
    mine = row.shown
    theirs = (row.isConflict || row.isHeld) && row.server.isLive ? row.server.record : nil
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
    try store.write { store in
      let row = try store.trackedRow(itemID, in: name)
      guard let conflict = try conflict(row, in: store) else { throw SyncTableError.notFound }
      guard isAsShown(conflict) else { throw SyncTableError.otherConflict }
      if case .both = resolution, row.isRefused { throw SyncTableError.bothRefused }
      try also(store)
      let (copy, changes) = try decide(row, resolution, nil, .decision(environment.now()), in: store)
      try store.remember(changes)
      return copy
    }
  }

  /// Resolves a conflict as the user decided, as one step of undo. The next sync sends the decision. If the server has a
  /// newer copy by then, it is a conflict again.
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
      _ = try decide(row, resolution, conflict.shown, .sync(environment.now()), in: store)
      return true
    }
  }

  /// Returns what has to be decided about a row; nil if nothing has.
  private func conflict(_ row: TrackedRow, in store: any StoreReader) throws -> Conflict? {
    guard row.attention != nil else { return nil }
    return try store.operationErrors(ofItems: [row.id], in: name).first.map { Conflict($0, row) }
  }

  private func decide(
    _ row: TrackedRow, _ resolution: ConflictResolution, _ shown: ServerSide?, _ cause: ChangeCause,
    in store: any StoreWriter
  ) throws -> (copy: RecordID?, changes: [RowChange]) {
    var decided = row
    decided.resolve(resolution, shown: shown)
    let editor = editor(in: store)
    try editor.save([RowUpdate(row, decided)], cause)
    var bases: DecidedBases?
    if case .conflict(let sent) = row.attention {
      bases = DecidedBases(before: row.base, after: shown ?? row.server, sent: sent)
    }
    var changes = [editor.change(RowUpdate(row, decided), decision: bases)]
    guard case .both = resolution, row.offersBoth, let mine = row.local else { return (nil, changes) }
    let copy = Record(
      id: RecordID(environment.newID()), values: mine, system: SystemProperties(createdAt: environment.now()))
    changes += try editor.insert([copy], under: .new)
    return (copy.id, changes)
  }

  /// Drops the pending change of one record. The row becomes the server's, as far as this device knows it. Can be
  /// undone. Returns false if no change waits.
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
      if row.local != dropped.local { try store.remember(editor.change(RowUpdate(row, dropped))) }
      return true
    }
  }
}
