import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  func history(undone: Bool, in table: String) throws -> HistoryEntry? {
    let condition = undone ? "undone ORDER BY id" : "NOT undone ORDER BY id DESC"
    let statement = try database.cachedStatement(
      sql: #"SELECT id, itemId, properties FROM Ebb_History WHERE "table" = ? AND \#(condition) LIMIT 1"#)
    return try Row.fetchOne(statement, arguments: [table]).map { row in
      let properties = try StoredJSON.decode(HistoryProperties.self, row[2])
      let change = RowChange(table: table, itemID: row[1], before: properties.before, after: properties.after)
      return HistoryEntry(id: row[0], change: change, isUndone: undone)
    }
  }

  func hasHistory(ofItem itemID: String, in table: String) throws -> Bool {
    let statement = try database.cachedStatement(
      sql: #"SELECT EXISTS (SELECT 1 FROM Ebb_History WHERE itemId = ? AND "table" = ?)"#)
    return try Bool.fetchOne(statement, arguments: [itemID, table]) ?? false
  }

  func appendHistory(_ change: RowChange, keeping limit: Int) throws {
    try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE undone").execute()
    try database.cachedStatement(sql: #"INSERT INTO Ebb_History ("table", itemId, properties) VALUES (?, ?, ?)"#)
      .execute(arguments: [change.table, change.itemID, try StoredJSON.encode(HistoryProperties(change))])
    try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE id <= ?")
      .execute(arguments: [database.lastInsertedRowID - Int64(limit)])
  }

  func replaceHistory(_ entry: HistoryEntry) throws {
    try database.cachedStatement(sql: "UPDATE Ebb_History SET undone = ?, properties = ? WHERE id = ?")
      .execute(arguments: [entry.isUndone, try StoredJSON.encode(HistoryProperties(entry.change)), entry.id])
  }

  func removeHistory(_ id: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM Ebb_History WHERE id = ?").execute(arguments: [id])
  }

  func removeHistory(of table: String) throws {
    try database.cachedStatement(sql: #"DELETE FROM Ebb_History WHERE "table" = ?"#).execute(arguments: [table])
  }
}

/// The JSON of `Ebb_History.properties`.
private struct HistoryProperties: Codable {
  var before: Record?
  var after: Record?

  init(_ change: RowChange) {
    before = change.before
    after = change.after
  }
}
