import FoundationEssentials
import GRDB
import OfflineSync
import SQLiteStatements
import TableProtocol

extension SQLiteTransaction {
  func undoStep(undone: Bool, in table: String) throws -> [Int64] {
    let newest = undone ? "undone ORDER BY id" : "NOT undone ORDER BY id DESC"
    let state = undone ? "undone" : "NOT undone"
    let statement = try database.cachedStatement(
      sql: """
        SELECT id FROM Ebb_History WHERE "table" = ?1 AND \(state)
        AND step = (SELECT step FROM Ebb_History WHERE "table" = ?1 AND \(newest) LIMIT 1) ORDER BY id
        """)
    return try Int64.fetchAll(statement, arguments: [table])
  }

  func undoEntries(_ ids: [Int64]) throws -> [UndoEntry] {
    var entries: [UndoEntry] = []
    entries.reserveCapacity(ids.count)
    var places: [Int64: Int] = Dictionary(minimumCapacity: ids.count)
    for ids in ids.chunked(by: 500) {
      let rows = #"SELECT id, step, "table", itemId, properties, undone FROM Ebb_History WHERE id IN (\#(ids.marks))"#
      try forEachRow(rows, ids.values) { row in
        let properties = try UndoProperties(json: row.bytes(4))
        let change = RowChange(
          table: row.text(2) ?? "", itemID: row.id(3), before: properties.before, after: properties.after,
          decision: properties.decision)
        places[row.integer(0)] = entries.count
        entries.append(UndoEntry(id: row.integer(0), step: row.integer(1), change: change, isUndone: row.bool(5)))
      }
    }
    return ids.compactMap { places[$0].map { entries[$0] } }
  }

  /// There is no index by item: each change would pay for it, and only rows that are added under a given id are asked
  /// for.
  func itemsWithUndoEntries(among ids: [RecordID], in table: String) throws -> Set<RecordID> {
    guard !ids.isEmpty else { return [] }
    let wanted = Set(ids)
    var found: Set<RecordID> = []
    try forEachRow(#"SELECT itemId FROM Ebb_History WHERE "table" = ?"#, [table]) { row in
      let id = row.id(0)
      if wanted.contains(id) { found.insert(id) }
    }
    return found
  }

  func appendUndoStep(_ changes: [RowChange], isContinued: Bool, keeping limit: Int) throws {
    if !isContinued { try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE undone").execute() }
    let newest = try number("SELECT max(step) FROM Ebb_History") ?? 0
    let step = isContinued ? newest : newest + 1
    let insert = try database.cachedStatement(
      sql: #"INSERT INTO Ebb_History (step, "table", itemId, properties) VALUES (?, ?, ?, ?)"#)
    for change in changes {
      try insert.run([
        step.databaseValue, change.table.databaseValue, change.itemID.text.databaseValue,
        UndoProperties(change).json.databaseValue,
      ])
    }
    let most = database.lastInsertedRowID - Int64(limit) * 100
    let crowd = try number("SELECT step FROM Ebb_History WHERE id <= ? ORDER BY id DESC LIMIT 1", [most]) ?? 0
    try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE step <= ?")
      .execute(arguments: [max(step - Int64(limit), min(crowd, step - 1))])
  }

  func setUndoEntry(_ id: Int64, to entry: UndoEntry?) throws {
    guard let entry else {
      return try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE id = ?").execute(arguments: [id])
    }
    try database.cachedStatement(sql: "UPDATE Ebb_History SET undone = ?, properties = ? WHERE id = ?")
      .execute(arguments: [entry.isUndone, UndoProperties(entry.change).json, id])
  }

  func markUndoEntries(_ ids: [Int64], undone: Bool) throws {
    for ids in ids.chunked(by: 500) {
      try database.cachedStatement(sql: "UPDATE Ebb_History SET undone = ? WHERE id IN (\(ids.marks))")
        .execute(arguments: [undone] + StatementArguments(ids))
    }
  }
}
