import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  func operationError(of operationID: Int64) throws -> TableOperationError? {
    try errors(where: "operationId = ?", [operationID]).first
  }

  func operationErrors() throws -> [TableOperationError] {
    try errors(where: "true ORDER BY operationId", [])
  }

  func operationErrors(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperationError] {
    let wanted = Set(itemIDs)
    return try operationErrors().filter { $0.table == table && wanted.contains($0.itemID) }
  }

  private func errors(where condition: String, _ arguments: StatementArguments) throws -> [TableOperationError] {
    let statement = try database.cachedStatement(
      sql: "SELECT id, operationId, properties FROM MS_TableOperationErrors WHERE \(condition)")
    return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
      try StoredJSON.decode(ErrorProperties.self, row[2]).error(id: row[0], operationID: row[1])
    }
  }

  func save(_ error: TableOperationError) throws {
    try removeError(of: error.operationID)
    try database.cachedStatement(
      sql: "INSERT INTO MS_TableOperationErrors (id, operationId, properties) VALUES (?, ?, ?)"
    ).execute(arguments: [error.id, error.operationID, try StoredJSON.encode(ErrorProperties(error))])
  }

  func removeError(of operationID: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM MS_TableOperationErrors WHERE operationId = ?")
      .execute(arguments: [operationID])
  }
}
