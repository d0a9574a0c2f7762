public import TableProtocol

/// A local table with a journal: each change writes row and journal entry in one transaction.
///
/// Calls go straight to the store, from any thread, and never wait for a sync. Each call throws `StoreError` if the
/// store fails; then nothing has changed.
///
///     let items = context.table("TodoItem")
///     let milk = try items.insert(["text": .text("milk"), "complete": .bool(false)])
///     try items.update(milk.id, ["complete": .bool(true)])
///     let open = TableQuery(table: "TodoItem", filter: .compare("complete", .equal, .bool(false)))
///     let rows = try items.read(open).records
public struct SyncTable: Sendable {
  /// Of rows that are added at once: of more, no past versions are saved.
  package static let mostAddedWithVersions = 100

  public let name: String
  let store: any LocalStore
  let environment: Environment

  package init(_ name: String, store: any LocalStore, environment: Environment) {
    self.name = name
    self.store = store
    self.environment = environment
  }

  /// Returns the row; nil if it does not exist.
  public func read(_ id: RecordID) throws -> Record? {
    try store.read { try $0.record(id, in: name) }
  }

  /// Returns the rows of a query, and the number of rows that match without its limit if the query asks for that. The
  /// rows are those of the query's table, even if it is not this one. Also throws `QueryError`, for a column that the
  /// table lacks for example.
  public func read(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    try store.read { try $0.records(query) }
  }

  func editor(in store: any StoreWriter) -> RowEditor { RowEditor(name, in: store, environment) }
}

/// Changes of one row.
extension SyncTable {
  /// Adds a row under a new id and returns it. `createdAt` is this device's time until the server gives its own.
  @discardableResult
  public func insert(_ values: [String: FieldValue]) throws -> Record { try insert(values, also: { _ in }) }

  /// Adds a row as ``insert(_:)-([String:FieldValue])`` does, and runs `also` in the same transaction.
  package func insert(_ values: [String: FieldValue], also: (any StoreWriter) throws -> Void) throws -> Record {
    let record = Record(
      id: RecordID(environment.newID()), values: values, system: SystemProperties(createdAt: environment.creation()))
    try insert(record, under: .new, also: also)
    return record
  }

  /// Adds a row under its own id, also again after it was deleted here: if the server has its tombstone, the push makes
  /// it live. Throws `SyncTableError.invalidID` or `.exists`.
  public func insert(_ record: Record) throws {
    try insert(record, under: .chosen)
  }

  private func insert(
    _ record: Record, under origin: RowEditor.IDOrigin, also: (any StoreWriter) throws -> Void = { _ in }
  ) throws {
    guard record.id.isValid else { throw SyncTableError.invalidID }
    try store.write { store in
      try store.remember(try editor(in: store).insert([record], under: origin))
      try also(store)
    }
  }

  /// Changes some columns of a row. If nothing changes, nothing is journalled. Throws `SyncTableError.notFound`.
  ///
  /// `seen` holds the columns at the moment when the user began the edit. If they changed since, the edit is merged
  /// with the current columns, like an edit of another device. Throws `.overtaken` if they do not merge.
  public func update(_ id: RecordID, _ values: [String: FieldValue], seen: [String: FieldValue]? = nil) throws {
    try update(id, values, seen: seen, also: { _ in })
  }

  /// Changes some columns, and runs `also` in the same transaction, even if nothing changes. Returns false if nothing
  /// changed.
  @discardableResult
  package func update(
    _ id: RecordID, _ values: [String: FieldValue], seen: [String: FieldValue]? = nil,
    also: (any StoreWriter) throws -> Void
  ) throws -> Bool {
    try store.write { store in
      let row = try store.trackedRow(id, in: name)
      guard let now = row.shown else { throw SyncTableError.notFound }
      let merged = try Self.merged(values, into: now, seen)
      try also(store)
      let changes = try editor(in: store).edit([row]) { _ in merged }
      try store.remember(changes)
      return !changes.isEmpty
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
  public func delete(_ id: RecordID) throws {
    try store.write { store in
      let row = try store.trackedRow(id, in: name)
      guard row.local != nil else { throw SyncTableError.notFound }
      try store.remember(try editor(in: store).edit([row]) { _ in nil })
    }
  }
}

/// Changes of several rows in one transaction. They are one step of undo and redo.
extension SyncTable {
  /// Adds rows under new ids and returns them. `createdAt` of the last row is the present, and each earlier row is
  /// older, so that the rows keep their order. Runs `also` in the same transaction.
  package func insert(
    _ rows: [[String: FieldValue]], also: (any StoreWriter) throws -> Void = { _ in }
  ) throws -> [Record] {
    let now = environment.creation()
    let records = rows.enumerated().map { index, values in
      Record(
        id: RecordID(environment.newID()), values: values,
        system: SystemProperties(createdAt: now.advanced(byMilliseconds: 2 * Int64(index + 1 - rows.count))))
    }
    try store.write { store in
      try also(store)
      let areMany = rows.count > Self.mostAddedWithVersions
      try store.remember(try editor(in: store).insert(records, under: .new, areMany: areMany))
    }
    return records
  }

  /// Changes some columns of the rows that still exist. Returns the number of changed rows.
  @discardableResult
  public func update(_ ids: [RecordID], _ values: (Record) -> [String: FieldValue]) throws -> Int {
    try update(ids, progress: { _ in .goOn }, values)
  }

  /// The same. `progress` is called within the transaction each time some hundred rows are done: it must not use the
  /// store. If it answers `.stop`, the rest stays unchanged, and what is done is the change.
  @discardableResult
  package func update(
    _ ids: [RecordID], progress: (BulkProgress) -> BulkProgress.Answer, _ values: (Record) -> [String: FieldValue]
  ) throws -> Int {
    try edit(ids, progress) { $0.shown.map(values) }
  }

  /// Deletes the rows that still exist. Returns the number of deleted rows.
  @discardableResult
  public func delete(_ ids: [RecordID]) throws -> Int {
    try delete(ids, progress: { _ in .goOn })
  }

  /// The same. `progress` is called as for ``update(_:progress:_:)``.
  @discardableResult
  package func delete(_ ids: [RecordID], progress: (BulkProgress) -> BulkProgress.Answer) throws -> Int {
    try edit(ids, progress) { _ in nil }
  }

  private func edit(
    _ ids: [RecordID], _ progress: (BulkProgress) -> BulkProgress.Answer, to values: (TrackedRow) -> Columns?
  ) throws -> Int {
    try store.write { store in
      var seen: Set<RecordID> = []
      let ids = ids.filter { seen.insert($0).inserted }
      let editor = editor(in: store)
      var step = UndoStep()
      try store.forEach(
        ids.chunked(by: BulkProgress.rowsAtOnce), load: { [name] in try $0.trackedRows(Array($1), in: name) }
      ) { run, rows in
        try step.remember(try editor.edit(rows.filter { $0.local != nil }, to: values), in: store)
        return progress(BulkProgress(done: run.endIndex, all: ids.count))
      }
      return step.count
    }
  }
}

/// Why a local change was not made. The store is unchanged.
public enum SyncTableError: Error, Sendable, Hashable {
  case invalidID
  case exists
  /// A text contains U+0000, which neither a store nor a server can keep.
  case nullCharacter
  case notFound
  /// The row changed since the edit began. Holds the current row.
  case overtaken(Record)
  /// The conflict is another one than the user saw.
  case otherConflict
  /// The server refused the change, so both can't be kept: it would refuse a copy too. Nothing was decided.
  case bothRefused
}

/// A record with changes that the server has not accepted yet.
package struct PendingItem: Sendable, Hashable {
  package let itemID: RecordID
  package let status: RowStatus
  /// The row on this device; nil if it was deleted here.
  package let mine: Record?
  /// The server's row that the change was made from; nil if it was made from no live row.
  package let base: Record?
}

extension SyncTable {
  /// Returns at most `limit` records with pending changes, in the order in which they are sent.
  package func pending(limit: Int) throws -> [PendingItem] {
    try store.read { store in try pending(pendingIDs(limit, store), in: store) }
  }

  /// Returns those of the records that have a pending change.
  package func pending(_ ids: [RecordID]) throws -> [PendingItem] {
    try store.read { try pending(ids, in: $0) }
  }

  private func pending(_ ids: [RecordID], in store: any StoreReader) throws -> [PendingItem] {
    try store.trackedRows(ids, in: name).filter { $0.status != .synced }.map { row in
      PendingItem(
        itemID: row.id, status: row.status, mine: row.shown, base: row.base.isLive ? row.base.record : nil)
    }
  }

  package func pendingItemCount() throws -> Int {
    try store.read { try $0.changedItemCount(in: name) }
  }

  private func pendingIDs(_ limit: Int, _ store: any StoreReader) throws -> [RecordID] {
    var ids: [RecordID] = []
    var seen: Set<RecordID> = []
    var last: Int64 = 0
    while ids.count < limit {
      let run = try store.operations(after: last, limit: max(limit, 100))
      guard let end = run.last else { break }
      for operation in run where operation.table == name && seen.insert(operation.itemID).inserted {
        ids.append(operation.itemID)
      }
      last = end.id
    }
    return Array(ids.prefix(limit))
  }
}
