package import TableProtocol

/// A local table whose every change is journalled: row and journal entry in one transaction.
///
/// Calls go straight to the store, from any thread, and never wait for a sync.
package struct SyncTable: Sendable {
  package let name: String
  let store: any LocalStore
  let environment: Environment

  package init(_ name: String, store: any LocalStore, environment: Environment) {
    self.name = name
    self.store = store
    self.environment = environment
  }

  /// The row, or nil if there is none.
  package func read(_ id: String) throws -> Record? {
    try store.read { try $0.record(id, in: name) }
  }

  package func read(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    try store.read { try $0.records(query) }
  }

  func editor(in store: any StoreWriter) -> RowEditor { RowEditor(name, in: store, environment) }
}

/// Changes of one row.
extension SyncTable {
  /// Adds a row under a new id and returns it. Its creation time is this device's until the server says its own.
  /// `also` is done in the same transaction.
  @discardableResult
  package func insert(
    _ values: [String: FieldValue], also: (any StoreWriter) throws -> Void = { _ in }
  ) throws -> Record {
    let record = Record(
      id: environment.newID(), values: values, system: SystemProperties(createdAt: environment.now()))
    try insert(record, under: .new, also: also)
    return record
  }

  /// Adds a row under the id it has. Throws `SyncTableError.invalidID` or `.exists`.
  package func insert(_ record: Record) throws {
    try insert(record, under: .chosen)
  }

  /// Adds a row again that was deleted here: a server that has its tombstone makes that live. Throws
  /// `SyncTableError.invalidID` or `.exists`.
  package func restore(_ record: Record) throws {
    try insert(record, under: .known)
  }

  private func insert(
    _ record: Record, under origin: RowEditor.IDOrigin, also: (any StoreWriter) throws -> Void = { _ in }
  ) throws {
    guard RecordID.isValid(record.id) else { throw SyncTableError.invalidID }
    try store.write { store in
      try store.remember(try editor(in: store).insert([record], under: origin))
      try also(store)
    }
  }

  /// Changes some columns of a row. A change that changes nothing is no change and is not journalled.
  /// Throws `SyncTableError.notFound`.
  ///
  /// `seen` is what the columns held when the change was begun, if that was some time ago. What they hold now is then
  /// merged with the change like the change of another device; if the two do not fit together it throws `.overtaken`.
  /// `also` is done in the same transaction, whether something changed or not.
  package func update(
    _ id: String, _ values: [String: FieldValue], seen: [String: FieldValue]? = nil,
    also: (any StoreWriter) throws -> Void = { _ in }
  ) throws {
    try store.write { store in
      let row = try store.trackedRow(id, in: name)
      guard let now = row.shown else { throw SyncTableError.notFound }
      let merged = try Self.merged(values, into: now, seen)
      try also(store)
      try store.remember(try editor(in: store).edit([row]) { _ in merged })
    }
  }

  private static func merged(
    _ values: [String: FieldValue], into row: Record, _ seen: [String: FieldValue]?
  ) throws -> [String: FieldValue] {
    guard let seen else { return values }
    let now = row.values.filter { values.keys.contains($0.key) }
    switch RecordMerge.of(base: seen, mine: values, theirs: now) {
    case .merged(let merged): return merged
    case .clash: throw SyncTableError.overtaken(row)
    }
  }

  /// Deletes a row. Throws `SyncTableError.notFound`.
  package func delete(_ id: String) throws {
    try store.write { store in
      let row = try store.trackedRow(id, in: name)
      guard row.local != nil else { throw SyncTableError.notFound }
      try store.remember(try editor(in: store).edit([row]) { _ in nil })
    }
  }
}

/// Changes of several rows in one transaction, which are one step to the user: undone and done again together.
extension SyncTable {
  /// Adds rows under new ids and returns them. Each is older than the next by a millisecond, and the last is of now, so
  /// that they keep their order. `also` is done in the same transaction.
  package func insert(
    _ rows: [[String: FieldValue]], also: (any StoreWriter) throws -> Void = { _ in }
  ) throws -> [Record] {
    let now = environment.now()
    let records = rows.enumerated().map { index, values in
      Record(
        id: environment.newID(), values: values,
        system: SystemProperties(createdAt: now.advanced(byMilliseconds: Int64(index + 1 - rows.count))))
    }
    try store.write { store in
      try also(store)
      try store.remember(try editor(in: store).insert(records, under: .new, areMany: rows.count > 100))
    }
    return records
  }

  /// Changes some columns of each of the rows that are still there. Returns how many it changed.
  @discardableResult
  package func update(_ ids: [String], _ values: (Record) -> [String: FieldValue]) throws -> Int {
    try edit(ids) { $0.shown.map(values) }
  }

  /// Deletes those of the rows that are still there. Returns how many it deleted.
  @discardableResult
  package func delete(_ ids: [String]) throws -> Int {
    try edit(ids) { _ in nil }
  }

  private func edit(_ ids: [String], to values: (TrackedRow) -> Columns?) throws -> Int {
    try store.write { store in
      var seen: Set<RecordID> = []
      let rows = try store.trackedRows(ids.filter { seen.insert(RecordID($0)).inserted }, in: name)
      let changes = try editor(in: store).edit(rows.filter { $0.local != nil }, to: values)
      try store.remember(changes)
      return changes.count
    }
  }
}

/// Why a local change was not made. The store is unchanged.
package enum SyncTableError: Error, Sendable, Hashable {
  case invalidID
  case exists
  case notFound
  /// The row changed since the change was begun; as it is now.
  case overtaken(Record)
  /// An item was given that has another id than the operation it is for.
  case wrongItem
  /// It makes no sense after the pending operation of the record.
  case refused(pending: TableOperation.Kind?)
}
