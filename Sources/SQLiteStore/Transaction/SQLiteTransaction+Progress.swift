import GRDB
import OfflineSync
import TableProtocol

/// What is kept beside the rows.
extension SQLiteTransaction {
  /// The kind of `MS_TableConfig` row that holds a delta token: the only one there is.
  private static let deltaTokenKind = 0

  func setting(_ name: StoreSetting) throws -> String? {
    switch name {
    case .deltaToken(let table, let queryID):
      let statement = try database.cachedStatement(
        sql: #"SELECT value FROM MS_TableConfig WHERE "table" = ? AND "key" = ? AND keyType = ?"#)
      return try String.fetchOne(statement, arguments: [table, queryID, Self.deltaTokenKind])
    case .fact(let name):
      return try String.fetchOne(
        database.cachedStatement(sql: "SELECT value FROM Ebb_Facts WHERE name = ?"), arguments: [name])
    }
  }

  func set(_ name: StoreSetting, to value: String?) throws {
    switch (name, value) {
    case (.deltaToken(let table, let queryID), let value?):
      try execute(
        """
        INSERT INTO MS_TableConfig (id, "table", "key", keyType, value) VALUES (lower(hex(randomblob(16))), ?, ?, ?, ?)
        ON CONFLICT ("table", "key", keyType) DO UPDATE SET value = excluded.value
        """, [table, queryID, Self.deltaTokenKind, value])
    case (.deltaToken(let table, let queryID), nil):
      try execute(
        #"DELETE FROM MS_TableConfig WHERE "table" = ? AND "key" = ? AND keyType = ?"#,
        [table, queryID, Self.deltaTokenKind])
    case (.fact(let name), let value?):
      try execute("INSERT OR REPLACE INTO Ebb_Facts (name, value) VALUES (?, ?)", [name, value])
    case (.fact(let name), nil):
      try execute("DELETE FROM Ebb_Facts WHERE name = ?", [name])
    }
  }

  func clear(_ memory: StoreMemory, of table: String) throws {
    switch memory {
    case .deltaTokens:
      try execute(#"DELETE FROM MS_TableConfig WHERE "table" = ? AND keyType = ?"#, [table, Self.deltaTokenKind])
    case .history: try execute(#"DELETE FROM Ebb_History WHERE "table" = ?"#, [table])
    case .versions: try execute(#"DELETE FROM Ebb_Versions WHERE "table" = ?"#, [table])
    case .arrivals: try execute(#"DELETE FROM Ebb_Arrivals WHERE "table" = ?"#, [table])
    }
  }

  func revision() throws -> StoreRevision? {
    let others = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
    return others.map { StoreRevision(own: Int64(database.totalChangesCount), others: $0) }
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
