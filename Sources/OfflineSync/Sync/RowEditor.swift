import TableProtocol

/// Applies the user's changes to rows of one table in an open transaction: row, journal, versions and news.
struct RowEditor {
  let table: String
  let store: any StoreWriter
  let environment: Environment
  /// This device's clock.
  let now: Timestamp
  /// The ids that undo steps named when they were noted; nil to ask when rows are added.
  private var idsInSteps: Set<RecordID>?

  init(_ table: String, in store: any StoreWriter, _ environment: Environment) {
    self.table = table
    self.store = store
    self.environment = environment
    now = environment.now()
  }

  /// The origin of the id of an added row.
  enum IDOrigin {
    /// Made just now. No server has seen it.
    case new
    /// Chosen by the caller. A server may have seen it.
    case chosen
  }

  /// Adds rows. Throws `SyncTableError.exists`. If `areMany`, no versions are saved.
  func insert(_ records: [Record], under origin: IDOrigin, areMany: Bool = false) throws -> [RowChange] {
    let ids = records.map(\.id)
    let before = try store.trackedRows(ids, in: table)
    let known = try mayBeOnServer(ids, origin)
    let updates = try zip(before, records).map { row, record in
      guard row.local == nil else { throw SyncTableError.exists }
      var added = row
      let trace: ServerSide = known.contains(record.id) ? .unknown : .never
      added.add(record.values, createdAt: record.system.createdAt, trace: trace)
      return RowUpdate(row, added)
    }
    try save(updates, .person(now, isOneOfMany: areMany))
    return records.map { RowChange(table: table, itemID: $0.id, before: nil, after: $0) }
  }

  /// Notes which of these ids undo steps name, before rows are added in several runs. The step that the first run
  /// begins forgets the undone ones, and rows of later runs would be judged by another rule.
  mutating func noteSteps(of ids: [RecordID]) throws {
    guard try store.fact(SyncFact.account) == nil else { return }
    idsInSteps = try store.itemsWithUndoEntries(among: ids, in: table)
  }

  /// Returns the ids that were here before, and all of them once a server knows this list: such a row may have been sent
  /// from here or from elsewhere, and be deleted there (Q16).
  private func mayBeOnServer(_ ids: [RecordID], _ origin: IDOrigin) throws -> Set<RecordID> {
    switch origin {
    case .new: return []
    case .chosen:
      if try store.fact(SyncFact.account) != nil { return Set(ids) }
      return try idsInSteps ?? store.itemsWithUndoEntries(among: ids, in: table)
    }
  }

  /// Changes rows that are in the list, or deletes a row if `values` returns nil. Returns the changes. An edit that
  /// changes nothing is left out and not journalled.
  func edit(_ rows: [TrackedRow], to values: (TrackedRow) -> Columns?) throws -> [RowChange] {
    let updates = rows.compactMap { row -> RowUpdate? in
      var edited = row
      edited.edit(to: values(row))
      return edited.local == row.local ? nil : RowUpdate(row, edited)
    }
    try save(updates, .person(now))
    let times = try Account.timesTakenAlong(store)
    return updates.map { update in
      // An edit may be a decision: what I typed is what is there, or nothing of mine is left. Undone as an edit, it
      // would pass over the other device's words.
      let isDecision = update.before.isConflict && !update.after.isConflict
      return change(update, decision: isDecision ? decision(about: update.before, takenAlong: times) : nil)
    }
  }

  /// The decision about a conflict over the copy that was `shown`; nil for the newest one. Nil if the row is in none.
  func decision(about row: TrackedRow, shown: ServerSide? = nil, takenAlong: Int) -> DecidedBases? {
    guard case .conflict(let sent) = row.attention else { return nil }
    return DecidedBases(before: row.base, after: shown ?? row.server, sent: sent, takenAlong: takenAlong)
  }

  /// Returns the change for an undo step. A deleted row leaves a tombstone, so that undo revives the server's row.
  func change(_ update: RowUpdate, decision: DecidedBases? = nil) -> RowChange {
    let (before, after) = (update.before, update.after)
    return RowChange(
      table: table, itemID: before.id, before: before.shown, after: after.shown ?? before.trace,
      decision: decision)
  }

  /// Throws `SyncTableError.nullCharacter` if a column would get a text that no store and no server keeps whole.
  func save(_ updates: [RowUpdate], _ cause: ChangeCause) throws {
    let hasNull = updates.contains { $0.after.local?.values.contains(where: \.hasNullCharacter) == true }
    if hasNull { throw SyncTableError.nullCharacter }
    try RowStorage(table, in: store, environment).save(updates, cause)
  }
}
