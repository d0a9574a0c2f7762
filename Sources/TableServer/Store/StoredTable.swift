import GRDB
import TableProtocol

/// One row at a time of one table, inside an open transaction.
struct StoredTable {
  let schema: TableSchema
  private let columnList: String

  init(_ schema: TableSchema) {
    self.schema = schema
    columnList = RowReader.columnList(schema)
  }

  /// The row, a tombstone too; nil when there is none.
  func record(_ id: String, in database: Database) throws -> Record? {
    let statement = try database.cachedStatement(sql: "SELECT \(columnList) FROM \"\(schema.table.name)\" WHERE id = ?")
    return try Row.fetchOne(statement, arguments: [id]).map { RowReader(schema).record($0) }
  }

  /// Adds a row that is not there yet, and gives it back as it is stored.
  func insert(_ id: String, _ values: [String: FieldValue], in transaction: WriteTransaction) throws -> Record {
    let stamp = try transaction.nextStamp()
    let time = stamp.updatedAt.milliseconds.databaseValue
    var names = [SystemColumn.id, SystemColumn.createdAt, SystemColumn.updatedAt, SystemColumn.version]
    var arguments = [id.databaseValue, time, time, stamp.version.text.databaseValue]
    names.append(SystemColumn.deleted)
    arguments.append(false.databaseValue)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      names.append(name)
      arguments.append(value.databaseValue)
    }
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try transaction.database.cachedStatement(
      sql: "INSERT INTO \"\(schema.table.name)\" (\(list)) VALUES (\(marks))"
    ).execute(arguments: StatementArguments(arguments))
    return try stored(id, in: transaction)
  }

  /// Changes some columns of a row that is there, and gives it back as it is stored.
  func update(
    _ id: String, _ values: [String: FieldValue], deleted: Bool, in transaction: WriteTransaction
  ) throws -> Record {
    let stamp = try transaction.nextStamp()
    var names = [SystemColumn.updatedAt, SystemColumn.version, SystemColumn.deleted]
    var arguments = [
      stamp.updatedAt.milliseconds.databaseValue, stamp.version.text.databaseValue, deleted.databaseValue,
    ]
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      names.append(name)
      arguments.append(value.databaseValue)
    }
    let list = names.map { "\"\($0)\" = ?" }.joined(separator: ", ")
    try transaction.database.cachedStatement(
      sql: "UPDATE \"\(schema.table.name)\" SET \(list) WHERE id = ?"
    ).execute(arguments: StatementArguments(arguments + [id.databaseValue]))
    return try stored(id, in: transaction)
  }

  private func stored(_ id: String, in transaction: WriteTransaction) throws -> Record {
    guard let record = try record(id, in: transaction.database) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row vanished while it was written")
    }
    return record
  }
}

extension FieldValue {
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .bool(let bool): bool.databaseValue
    case .integer(let integer): integer.databaseValue
    case .real(let real): real.databaseValue
    case .text(let text): text.databaseValue
    }
  }
}
