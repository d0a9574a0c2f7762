import TableProtocol

/// The user's changes of the rows of one table, inside one open transaction: row, journal, and what there is to remember.
struct RowEditor {
  let table: String
  let store: any StoreWriter
  let environment: Environment
  /// This device's clock.
  let now: Timestamp

  init(_ table: String, in store: any StoreWriter, _ environment: Environment) {
    self.table = table
    self.store = store
    self.environment = environment
    now = environment.now()
  }

  /// Where the id of an added row comes from.
  enum IDOrigin {
    /// Made just now: nobody has seen it before.
    case new
    /// The caller's own; this device may have sent it before, as far as is remembered.
    case chosen
    /// A row that was here before.
    case known
  }

  /// Adds rows. Throws `SyncTableError.exists`. Rows of a large group are not remembered as versions.
  func insert(_ records: [Record], under origin: IDOrigin, areMany: Bool = false) throws -> [RowChange] {
    let before = try store.trackedRows(records.map(\.id), in: table)
    let updates = try zip(before, records).map { row, record in
      guard row.local == nil else { throw SyncTableError.exists }
      var added = row
      added.add(record.values, createdAt: record.system.createdAt, trace: try trace(of: record.id, origin))
      return RowUpdate(row, added)
    }
    try save(updates, .person(now, isOneOfMany: areMany))
    return records.map { RowChange(table: table, itemID: $0.id, before: nil, after: $0) }
  }

  private func trace(of id: String, _ origin: IDOrigin) throws -> ServerSide {
    switch origin {
    case .new: .never
    case .chosen: try store.hasHistory(ofItem: id, in: table) ? .unknown : .never
    case .known: .unknown
    }
  }

  /// Changes rows that are in the list, or deletes them (nil). Returns what changed; a change that changes nothing is
  /// none, and is not journalled.
  func edit(_ rows: [TrackedRow], to values: (TrackedRow) -> Columns?) throws -> [RowChange] {
    let updates = rows.compactMap { row -> RowUpdate? in
      var edited = row
      edited.edit(to: values(row))
      return edited.local == row.local ? nil : RowUpdate(row, edited)
    }
    try save(updates, .person(now))
    return updates.map { change($0) }
  }

  /// What a change is remembered as. A deleted row leaves a tombstone, so that undoing it revives the server's row.
  func change(_ update: RowUpdate, decision: DecidedBases? = nil) -> RowChange {
    let (before, after) = (update.before, update.after)
    return RowChange(
      table: table, itemID: before.id.text, before: before.shown, after: after.shown ?? before.trace,
      decision: decision)
  }

  func save(_ updates: [RowUpdate], _ cause: ChangeCause) throws {
    try RowStorage(table, in: store, environment).save(updates, cause)
  }
}
