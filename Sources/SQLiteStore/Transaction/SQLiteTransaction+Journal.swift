import FoundationEssentials
import GRDB
import OfflineSync
import TableProtocol

extension SQLiteTransaction {
  private static let operationColumns = #"id, "table", itemId, properties"#

  func operations(ofItem itemID: RecordID, in table: String) throws -> [TableOperation] {
    try operations(where: #"itemId = ? AND "table" = ? ORDER BY id"#, [itemID.text, table])
  }

  func operations(ofItems itemIDs: [RecordID], in table: String) throws -> [TableOperation] {
    guard try operationCount() > 0 else { return [] }
    return try itemIDs.chunked(by: 500).flatMap { ids in
      try operations(
        where: #"itemId IN (\#(ids.marks)) AND "table" = ? ORDER BY id"#,
        StatementArguments(ids.map(\.text)) + [table])
    }
  }

  func operations(after id: Int64, limit: Int) throws -> [TableOperation] {
    try operations(where: "id > ? ORDER BY id LIMIT ?", [id, limit])
  }

  func operationCount() throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM MS_TableOperations")) ?? 0
  }

  func operationCount(in table: String) throws -> Int {
    let statement = try database.cachedStatement(
      sql: #"SELECT count(*) FROM MS_TableOperations WHERE "table" = ?"#)
    return try Int.fetchOne(statement, arguments: [table]) ?? 0
  }

  func changedItemCount(in table: String) throws -> Int {
    let statement = try database.cachedStatement(
      sql: #"SELECT count(DISTINCT itemId) FROM MS_TableOperations WHERE "table" = ?"#)
    return try Int.fetchOne(statement, arguments: [table]) ?? 0
  }

  private func operations(where condition: String, _ arguments: StatementArguments) throws -> [TableOperation] {
    var operations: [TableOperation] = []
    try forEachRow(
      "SELECT \(Self.operationColumns) FROM MS_TableOperations WHERE \(condition)", arguments
    ) { row in
      let properties = try OperationProperties(json: row.utf8(3))
      let operation = properties.operation(id: row.integer(0), table: row.text(1) ?? "", itemID: row.id(2))
      if let operation { operations.append(operation) }
    }
    return operations
  }

  func append(_ operation: TableOperation) throws -> TableOperation {
    try database.cachedStatement(
      sql: #"INSERT INTO MS_TableOperations ("table", itemId, properties) VALUES (?, ?, ?)"#
    ).execute(arguments: [
      operation.table, operation.itemID.text, OperationProperties(operation).json,
    ])
    return TableOperation(
      id: database.lastInsertedRowID, table: operation.table, itemID: operation.itemID, kind: operation.kind,
      base: operation.base, isFrozen: operation.isFrozen, sent: operation.sent)
  }

  func replace(_ operation: TableOperation) throws {
    try database.cachedStatement(sql: "UPDATE MS_TableOperations SET properties = ? WHERE id = ?")
      .execute(arguments: [OperationProperties(operation).json, operation.id])
  }

  func soleOperations(ofItems itemIDs: [RecordID], in table: String) throws -> [RecordID: Int64] {
    var sole: [RecordID: Int64] = [:]
    sole.reserveCapacity(itemIDs.count)
    for ids in itemIDs.chunked(by: 500) {
      try forEachRow(
        """
        SELECT itemId, max(id) FROM MS_TableOperations WHERE itemId IN (\(ids.marks)) AND "table" = ?
        GROUP BY itemId HAVING count(*) = 1
        """, StatementArguments(ids.map(\.text)) + [table]
      ) { sole[$0.id(0)] = $0.integer(1) }
    }
    return sole
  }

  func freeze(_ operations: [Int64]) throws {
    for ids in operations.chunked(by: 500) {
      try database.cachedStatement(
        sql: """
          UPDATE MS_TableOperations
          SET properties = CAST(json_set(CAST(properties AS TEXT), '$.attempted', json('true')) AS BLOB)
          WHERE id IN (\(ids.marks))
          """
      ).execute(arguments: StatementArguments(ids))
    }
  }

  func removeOperations(_ ids: [Int64]) throws {
    for ids in ids.chunked(by: 500) {
      try database.cachedStatement(sql: "DELETE FROM MS_TableOperations WHERE id IN (\(ids.marks))")
        .execute(arguments: StatementArguments(ids))
    }
  }

  func removeOperation(_ id: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM MS_TableOperations WHERE id = ?").execute(arguments: [id])
  }
}

extension Array {
  /// The elements in runs of at most so many: SQLite limits the arguments of a statement.
  func chunked(by size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}

extension ArraySlice {
  /// A question mark for each element.
  var marks: String { databaseQuestionMarks(count: count) }
}
