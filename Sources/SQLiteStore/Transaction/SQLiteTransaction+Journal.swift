import FoundationEssentials
import GRDB
import OfflineSync
import SQLiteStatements
import TableProtocol

extension SQLiteTransaction {
  private static let operationColumns = #"id, "table", itemId, properties"#

  func operations(_ choice: OperationChoice) throws -> [TableOperation] {
    switch choice {
    case .ofItems(let itemIDs, let table):
      // To count them would look at all of them.
      guard try number("SELECT 1 FROM MS_TableOperations LIMIT 1") != nil else { return [] }
      return try itemIDs.chunked(by: 500).flatMap { ids in
        try operations(
          where: #"itemId IN (\#(ids.marks)) AND "table" = ? ORDER BY id"#,
          ids.values + [table])
      }
    case .after(let id, let limit):
      return try operations(where: "id > ? ORDER BY id LIMIT ?", [id, limit])
    }
  }

  func operationCount(in table: String?) throws -> Int {
    let condition = table == nil ? "" : #" WHERE "table" = ?"#
    return Int(try number("SELECT count(*) FROM MS_TableOperations" + condition, table.map { [$0] } ?? []) ?? 0)
  }

  func changedItemCount(in table: String?) throws -> Int {
    guard let table else {
      let items = #"SELECT DISTINCT itemId, "table" FROM MS_TableOperations"#
      return Int(try number("SELECT count(*) FROM (\(items))") ?? 0)
    }
    return Int(try number(#"SELECT count(DISTINCT itemId) FROM MS_TableOperations WHERE "table" = ?"#, [table]) ?? 0)
  }

  private func operations(
    where condition: String, _ values: [any DatabaseValueConvertible]
  ) throws -> [TableOperation] {
    var operations: [TableOperation] = []
    try forEachRow(
      "SELECT \(Self.operationColumns) FROM MS_TableOperations WHERE \(condition)", values
    ) { row in
      let properties = try OperationProperties(json: row.bytes(3))
      let operation = properties.operation(id: row.integer(0), table: row.text(1) ?? "", itemID: row.id(2))
      if let operation { operations.append(operation) }
    }
    return operations
  }

  func append(_ operation: TableOperation) throws -> TableOperation {
    let insert = try database.cachedStatement(
      sql: #"INSERT INTO MS_TableOperations ("table", itemId, properties) VALUES (?, ?, ?)"#)
    let values = [
      operation.table.databaseValue, operation.itemID.text.databaseValue,
      OperationProperties(operation).json.databaseValue,
    ]
    try noteJournal()
    try insert.run(values)
    return TableOperation(
      id: database.lastInsertedRowID, table: operation.table, itemID: operation.itemID, kind: operation.kind,
      base: operation.base, isMarked: operation.isMarked, sent: operation.sent)
  }

  func replace(_ operation: TableOperation) throws {
    let update = try database.cachedStatement(sql: "UPDATE MS_TableOperations SET properties = ? WHERE id = ?")
    try noteJournal()
    try update.run([OperationProperties(operation).json.databaseValue, operation.id.databaseValue])
  }

  func mark(_ operations: [Int64]) throws {
    try change(operations) { marks in
      """
      UPDATE MS_TableOperations
      SET properties = CAST(json_set(CAST(properties AS TEXT), '$.attempted', json('true')) AS BLOB)
      WHERE id IN (\(marks))
      """
    }
  }

  func removeOperations(_ ids: [Int64]) throws {
    try change(ids) { "DELETE FROM MS_TableOperations WHERE id IN (\($0))" }
  }

  /// Runs the same statement for all of these operations. It gets the question marks for some hundreds of them.
  private func change(_ operations: [Int64], _ sql: (String) -> String) throws {
    guard !operations.isEmpty else { return }
    try noteJournal()
    for ids in operations.chunked(by: 500) {
      try database.cachedStatement(sql: sql(ids.marks)).run(ids.map(\.databaseValue))
    }
  }
}

extension SQLiteTransaction {
  func operationErrors(of operationIDs: [Int64]?) throws -> [TableOperationError] {
    guard let operationIDs else { return try errors("ORDER BY operationId") }
    // As a rule there are none.
    guard try number("SELECT 1 FROM MS_TableOperationErrors LIMIT 1") != nil else { return [] }
    return try operationIDs.chunked(by: 500).flatMap { ids in
      try errors("WHERE operationId IN (\(ids.marks))", ids.values)
    }
  }

  private func errors(_ choice: String, _ values: [any DatabaseValueConvertible] = []) throws -> [TableOperationError] {
    var errors: [TableOperationError] = []
    try forEachRow("SELECT id, operationId, properties FROM MS_TableOperationErrors \(choice)", values) { row in
      let error = try ErrorProperties.error(row.bytes(2), id: row.text(0) ?? "", operationID: row.integer(1))
      if let error { errors.append(error) }
    }
    return errors
  }

  func setError(_ error: TableOperationError?, of operationID: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM MS_TableOperationErrors WHERE operationId = ?")
      .execute(arguments: [operationID])
    guard let error else { return }
    try database.cachedStatement(
      sql: "INSERT INTO MS_TableOperationErrors (id, operationId, properties) VALUES (?, ?, ?)"
    ).execute(arguments: [error.id, operationID, ErrorProperties.json(error)])
  }
}

extension ArraySlice {
  /// A question mark for each element.
  var marks: String { isEmpty ? "" : String(repeating: "?,", count: count - 1) + "?" }
}

/// Values for those marks.
extension ArraySlice<Int64> {
  var values: [any DatabaseValueConvertible] { map { $0 } }
}

extension ArraySlice<RecordID> {
  var values: [any DatabaseValueConvertible] { map { $0.text } }
}
