package import TableProtocol

/// A row that comes from elsewhere.
package struct ImportedRow: Sendable, Hashable {
  /// Nil for a new id.
  package var id: RecordID?
  package var values: [String: FieldValue]
  /// UTC. Nil for the present.
  package var createdAt: Timestamp?
  /// The version of the row before its last change. Nil if that is not known.
  package var before: Version?
  /// True if adding the row counts as its last change. Its version is then saved, unless many rows are added.
  package var isNoted: Bool

  package struct Version: Sendable, Hashable {
    package var values: [String: FieldValue]
    /// UTC: when it ended.
    package var endedAt: Timestamp

    package init(values: [String: FieldValue], endedAt: Timestamp) {
      self.values = values
      self.endedAt = endedAt
    }
  }

  package init(
    id: RecordID? = nil, values: [String: FieldValue], createdAt: Timestamp? = nil, before: Version? = nil,
    isNoted: Bool = true
  ) {
    self.id = id
    self.values = values
    self.createdAt = createdAt
    self.before = before
    self.isNoted = isNoted
  }
}

extension SyncTable {
  /// Past versions that one import adds at most, so that what is remembered of other rows is not pushed out.
  package static let mostImportedVersions = PastVersion.mostOfAll / 2

  /// Adds rows in one transaction, which is one step of undo, and returns their ids. A row whose id is here already, or
  /// is not valid, is passed over. Rows without `createdAt` are made now, each a millisecond before the next.
  @discardableResult
  package func add(_ rows: [ImportedRow]) throws -> [RecordID] { try add { _ in ((), rows) }.ids }

  /// Adds the rows that `plan` makes of what the store has in the same transaction: no other program writes in between.
  /// Returns also what else it made.
  package func add<Plan>(
    _ plan: (any StoreReader) throws -> (plan: Plan, rows: [ImportedRow])
  ) throws -> (plan: Plan, ids: [RecordID]) {
    let now = environment.now()
    return try store.write { store in
      let (plan, rows) = try plan(store)
      var editor = editor(in: store)
      try editor.noteSteps(of: rows.compactMap(\.id))
      var added: [RecordID] = []
      var step = UndoStep()
      var versions = Self.mostImportedVersions
      // Runs of some hundred rows: what is loaded of one is let go before the next.
      for part in rows.chunked(by: BulkProgress.rowsAtOnce) {
        let run = zip(part.indices, part).map { index, row in
          NewRow(row: row, record: record(of: row, now.advanced(byMilliseconds: Int64(index + 1 - rows.count))))
        }
        let new = try free(run, in: store)
        try step.remember(try insert(new, areMany: rows.count > Self.mostAddedWithVersions, by: editor), in: store)
        versions -= try append(new.compactMap(\.version).prefix(versions), in: store)
        added += new.map(\.record.id)
      }
      return (plan, added)
    }
  }

  private func record(of row: ImportedRow, _ now: Timestamp) -> Record {
    Record(
      id: row.id ?? RecordID(environment.newID()), values: row.values,
      system: SystemProperties(createdAt: row.createdAt ?? now))
  }

  /// Those with a valid id that no row of the list has, nor one before them.
  private func free(_ rows: [NewRow], in store: any StoreReader) throws -> [NewRow] {
    var seen: Set<RecordID> = []
    let valid = rows.filter { $0.record.id.isValid && seen.insert($0.record.id).inserted }
    let here = try store.trackedRows(valid.map(\.record.id), in: name)
    return zip(valid, here).compactMap { row, here in here.local == nil ? row : nil }
  }

  private func insert(_ rows: [NewRow], areMany: Bool, by editor: RowEditor) throws -> [RowChange] {
    let changes = try [true, false].flatMap { isNoted in
      let some = rows.filter { $0.row.isNoted == isNoted }
      let chosen = some.filter { $0.row.id != nil }.map(\.record)
      let new = some.filter { $0.row.id == nil }.map(\.record)
      return try editor.insert(chosen, under: .chosen, areMany: areMany || !isNoted)
        + editor.insert(new, under: .new, areMany: areMany || !isNoted)
    }
    // In the order of the file again.
    let places = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.record.id, $0) })
    return changes.sorted { places[$0.itemID] ?? 0 < places[$1.itemID] ?? 0 }
  }

  /// Returns how many it appended.
  private func append(_ versions: ArraySlice<(RecordID, PastVersion)>, in store: any StoreWriter) throws -> Int {
    guard !versions.isEmpty else { return 0 }
    try store.appendPastVersions(
      Array(versions), in: name, keeping: PastVersion.mostOfRow, of: PastVersion.mostOfAll)
    return versions.count
  }
}

/// A row that is added, and the record that it becomes.
private struct NewRow {
  let row: ImportedRow
  let record: Record

  var version: (RecordID, PastVersion)? {
    guard let before = row.before else { return nil }
    let old = Record(
      id: record.id, values: before.values, system: SystemProperties(createdAt: record.system.createdAt))
    return (record.id, PastVersion(before: old, changedAt: before.endedAt, origin: .here))
  }
}
