import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  /// The kind of `MS_TableConfig` row that holds a delta token: the only one there is.
  private static let deltaTokenKind = 0

  func deltaToken(table: String, queryID: String) throws -> DeltaToken? {
    let statement = try database.cachedStatement(
      sql: #"SELECT value FROM MS_TableConfig WHERE "table" = ? AND "key" = ? AND keyType = ?"#)
    return try String.fetchOne(statement, arguments: [table, queryID, Self.deltaTokenKind])
      .flatMap { Timestamp($0) }.map(DeltaToken.init)
  }

  func setDeltaToken(_ token: DeltaToken, table: String, queryID: String) throws {
    try database.cachedStatement(
      sql: """
        INSERT INTO MS_TableConfig (id, "table", "key", keyType, value) VALUES (lower(hex(randomblob(16))), ?, ?, ?, ?)
        ON CONFLICT ("table", "key", keyType) DO UPDATE SET value = excluded.value
        """
    ).execute(arguments: [table, queryID, Self.deltaTokenKind, token.timestamp.text])
  }

  func removeDeltaTokens(of table: String) throws {
    try database.cachedStatement(sql: #"DELETE FROM MS_TableConfig WHERE "table" = ? AND keyType = ?"#)
      .execute(arguments: [table, Self.deltaTokenKind])
  }

  func revision() throws -> StoreRevision? {
    let others = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
    return others.map { StoreRevision(own: Int64(database.totalChangesCount), others: $0) }
  }

  func fact(_ name: String) throws -> String? {
    try String.fetchOne(
      database.cachedStatement(sql: "SELECT value FROM Ebb_Facts WHERE name = ?"), arguments: [name])
  }

  func setFact(_ name: String, _ value: String) throws {
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO Ebb_Facts (name, value) VALUES (?, ?)")
      .execute(arguments: [name, value])
  }

  func removeFact(_ name: String) throws {
    try database.cachedStatement(sql: "DELETE FROM Ebb_Facts WHERE name = ?").execute(arguments: [name])
  }
}
