import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  func operationErrors() throws -> [TableOperationError] {
    let statement = try database.cachedStatement(
      sql: "SELECT id, operationId, properties FROM MS_TableOperationErrors ORDER BY operationId")
    return try Row.fetchAll(statement).compactMap { row in
      try StoredJSON.decode(ErrorProperties.self, row[2]).error(id: row[0], operationID: row[1])
    }
  }

  func setError(_ error: TableOperationError?, of operationID: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM MS_TableOperationErrors WHERE operationId = ?")
      .execute(arguments: [operationID])
    guard let error else { return }
    try database.cachedStatement(
      sql: "INSERT INTO MS_TableOperationErrors (id, operationId, properties) VALUES (?, ?, ?)"
    ).execute(arguments: [error.id, operationID, try StoredJSON.encode(ErrorProperties(error))])
  }
}
