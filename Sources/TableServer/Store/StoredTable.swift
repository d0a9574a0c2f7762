import GRDB
import TableProtocol

/// One row at a time of one table, inside an open transaction.
///
/// What was written is given back without being read: a value fits its column, so that the database
/// holds what it was given.
struct StoredTable {
  private(set) var schema: TableSchema
  private var statements: Statements

  init(_ schema: TableSchema) {
    self.schema = schema
    statements = Statements(schema)
  }

  mutating func add(_ columns: [TableColumn], in database: Database) throws {
    for column in columns { try schema.add(column, in: database) }
    statements = Statements(schema)
  }

  /// The row, a tombstone too; nil when there is none.
  func record(_ id: RecordID, in database: Database) throws -> Record? {
    let statement = try database.cachedStatement(sql: statements.select)
    return try Row.fetchOne(statement, arguments: [id.text]).map { RowReader(schema).record($0) }
  }

  /// True for the id of a row, a tombstone too.
  func isTaken(_ id: RecordID, in database: Database) throws -> Bool {
    try Int.fetchOne(try database.cachedStatement(sql: statements.exists), arguments: [id.text]) != nil
  }

  /// Adds a row that is not there yet, and gives it back as it is stored. `values` are in the order of the
  /// columns; `createdAt` is when its client says that it made the item.
  func insert(
    _ id: RecordID, _ values: [FieldValue?], createdAt: Timestamp?, in transaction: WriteTransaction
  ) throws -> Record {
    let stamp = try transaction.nextStamp()
    var record = Record(id: id)
    let created = stamp.createdAt(said: createdAt)
    record.system.createdAt = created
    set(values, stamp, in: &record)
    var arguments: [(any DatabaseValueConvertible)?] = [
      id.text, created.milliseconds, stamp.updatedAt.milliseconds, stamp.version.text, false,
      RowDigest(record, schema.columns).value,
    ]
    arguments.reserveCapacity(arguments.count + values.count)
    for value in values { arguments.append(value?.databaseValue) }
    try transaction.database.cachedStatement(sql: statements.insert).execute(arguments: StatementArguments(arguments))
    transaction.note(nil, record, in: schema.table)
    return record
  }

  /// Changes the columns that have a value, and gives the row back as it is stored.
  func update(
    _ stored: Record, _ values: [FieldValue?], deleted: Bool, in transaction: WriteTransaction
  ) throws -> Record {
    let stamp = try transaction.nextStamp()
    var record = stored
    record.system.deleted = deleted
    set(values, stamp, in: &record)
    var sql = statements.update
    var arguments: [(any DatabaseValueConvertible)?] = [
      stamp.updatedAt.milliseconds, stamp.version.text, deleted, RowDigest(record, schema.columns).value,
    ]
    for (column, value) in zip(schema.columns, values) {
      guard let value else { continue }
      sql += ", \"\(column.name)\" = ?"
      arguments.append(value.databaseValue)
    }
    arguments.append(stored.id.text)
    try transaction.database.cachedStatement(sql: sql + " WHERE id = ?")
      .execute(arguments: StatementArguments(arguments))
    transaction.note(stored.system, record, in: schema.table)
    return record
  }

  private func set(_ values: [FieldValue?], _ stamp: WriteTransaction.Stamp, in record: inout Record) {
    record.values.reserveCapacity(values.count)
    for (column, value) in zip(schema.columns, values) {
      if let value { record.values[column.name] = value }
    }
    record.system.updatedAt = stamp.updatedAt
    record.system.version = stamp.version
  }
}

extension StoredTable {
  /// Put together once for the columns, not for every row.
  private struct Statements {
    let select: String
    let exists: String
    let insert: String
    /// Without the clients' columns and the condition.
    let update: String

    init(_ schema: TableSchema) {
      let table = "\"\(schema.table.name)\""
      let own = [
        SystemColumn.id, SystemColumn.createdAt, SystemColumn.updatedAt, SystemColumn.version, SystemColumn.deleted,
        RowDigest.column,
      ]
      let columns = (own + schema.columns.map(\.name)).map { "\"\($0)\"" }
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      select = "SELECT \(RowReader.columnList(schema)) FROM \(table) WHERE id = ?"
      exists = "SELECT 1 FROM \(table) WHERE id = ?"
      insert = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
      update = "UPDATE \(table) SET updatedAt = ?, version = ?, deleted = ?, \"\(RowDigest.column)\" = ?"
    }
  }
}
