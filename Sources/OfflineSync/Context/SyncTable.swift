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

  /// Adds a row under a new id and gives it back. Its creation time is this device's until the
  /// server says its own. `also` is done in the same transaction.
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
    _ record: Record, under origin: TableOperationQueue.IDOrigin, also: (any StoreWriter) throws -> Void = { _ in }
  ) throws {
    guard RecordID.isValid(record.id) else { throw SyncTableError.invalidID }
    try store.write { store in
      try store.remember(try edits(in: store).insert(record, under: origin))
      try also(store)
    }
  }

  /// Changes some columns of a row. A change that changes nothing is no change and is not journalled.
  /// Throws `SyncTableError.notFound`.
  ///
  /// `seen` is what the columns held when the change was begun, where that was some time ago. What they
  /// hold now is then merged with the change like the change of another device; where the two do not fit
  /// together it throws `.overtaken`. `also` is done in the same transaction, whether something changed or not.
  package func update(
    _ id: String, _ values: [String: FieldValue], seen: [String: FieldValue]? = nil,
    also: (any StoreWriter) throws -> Void = { _ in }
  ) throws {
    try store.write { store in
      guard let before = try store.record(id, in: name) else { throw SyncTableError.notFound }
      let merged = try Self.merged(values, into: before, seen)
      try also(store)
      guard let change = try edits(in: store).update(before, merged) else { return }
      try store.remember(change)
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

  /// Removes a row. Throws `SyncTableError.notFound`.
  package func delete(_ id: String) throws {
    try store.write { store in
      guard let before = try store.record(id, in: name) else { throw SyncTableError.notFound }
      try store.remember(try edits(in: store).delete(before))
    }
  }

  func edits(in store: any StoreWriter) -> RowEdits {
    RowEdits(table: name, store: store, now: environment.now())
  }

  /// The row, or nil when there is none.
  package func read(_ id: String) throws -> Record? {
    try store.read { try $0.record(id, in: name) }
  }

  package func read(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    try store.read { try $0.records(query) }
  }
}

/// Why a local change was not made. The store is as it was.
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
