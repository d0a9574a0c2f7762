package import TableProtocol

/// Loads rows as the rules see them: a ``TrackedRow`` each, from the tables of the store.
extension StoreReader {
  /// Returns the row with this id, even if it is not in the list.
  package func trackedRow(_ id: RecordID, in table: String) throws -> TrackedRow {
    try trackedRows([id], in: table).first ?? TrackedRow(id: id)
  }

  /// Returns the rows with these ids, in the same order. Each id must come once.
  package func trackedRows(_ ids: [RecordID], in table: String) throws -> [TrackedRow] {
    try trackedRows(ids, rows: nil, in: table)
  }

  /// Returns the rows with these ids, if their rows of the data table, or their operations, are loaded already.
  func trackedRows(
    _ ids: [RecordID], rows: [RecordID: Record]? = nil, operations: [TableOperation]? = nil, in table: String
  ) throws -> [TrackedRow] {
    let rows = try rows ?? rowsByID(ids, in: table)
    let changes = try operations ?? self.operations(ofItems: ids, in: table)
    let operations = Dictionary(grouping: changes, by: \.itemID)
    let errors = changes.isEmpty ? [:] : try errorsByRow(changes.map(\.id))
    return ids.map { id in
      StoredRow.decode(id, row: rows[id], operations: operations[id] ?? [], error: errors[id])
    }
  }

  /// Returns the row with its past states, if they may tell where this copy of a server comes from.
  /// Other rows are returned as they are.
  func recalling(_ row: TrackedRow, meeting copy: Record?, in table: String) throws -> TrackedRow {
    guard row.asksPast(about: copy), try row.base == .never || meetsOtherDatabase(table) else { return row }
    return row.recalling(try pastVersions(of: row.id, in: table).compactMap(\.before?.values))
  }

  /// Returns the states of those of the rows that have a change; the others are in sync. The rows must be of one table.
  package func statuses(of records: [Record], in table: String) throws -> [RecordID: RowStatus] {
    let operations = try operations(ofItems: records.map(\.id), in: table)
    guard !operations.isEmpty else { return [:] }
    let changed = Set(operations.map(\.itemID))
    let rows = Dictionary(
      records.filter { changed.contains($0.id) }.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return try statuses(trackedRows(Array(rows.keys), rows: rows, operations: operations, in: table))
  }

  /// Returns the states of the rows that a person has to decide or should know about.
  package func openQuestions(in table: String) throws -> [RecordID: RowStatus] {
    let ids = Set(try operationErrors().filter { $0.table == table }.map(\.itemID))
    return ids.isEmpty ? [:] : try statuses(trackedRows(Array(ids), in: table))
  }

  private func statuses(_ rows: [TrackedRow]) -> [RecordID: RowStatus] {
    Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.status) })
  }

  private func rowsByID(_ ids: [RecordID], in table: String) throws -> [RecordID: Record] {
    let records = try records(ids, in: table)
    var rows: [RecordID: Record] = Dictionary(minimumCapacity: records.count)
    for record in records { rows[record.id] = record }
    return rows
  }

  /// Of the two operations that a row may have, the first has the error.
  private func errorsByRow(_ operations: [Int64]) throws -> [RecordID: TableOperationError] {
    let errors = try operationErrors(of: operations).sorted { $0.operationID < $1.operationID }
    return Dictionary(errors.map { ($0.itemID, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
