import GRDB
import TableProtocol
import TableSQL

/// Writes what clients send into the columns of a table, adding a column where one is missing.
///
/// What is wrong with a request is found before anything of it is written: after a `RequestError` the
/// database is as it was, with no savepoint to go back to.
struct RowWriter {
  private(set) var table: StoredTable
  let transaction: WriteTransaction

  func record(_ id: RecordID) throws -> Record? {
    try table.record(id, in: transaction.database)
  }

  func isTaken(_ id: RecordID) throws -> Bool {
    try table.isTaken(id, in: transaction.database)
  }

  /// Adds a row that is not there yet.
  mutating func insert(_ id: RecordID, _ values: [String: FieldValue], createdAt: Timestamp?) throws -> Record {
    let fitted = try fitted(values)
    return try table.insert(id, completed(fitted), createdAt: createdAt, in: transaction)
  }

  /// Gives the row other values, and those that a whole item leaves out what their absence means.
  mutating func replace(_ stored: Record, _ values: [String: FieldValue]) throws -> Record {
    let fitted = try fitted(values)
    return try table.update(stored, completed(fitted), deleted: false, in: transaction)
  }

  mutating func update(_ stored: Record, _ values: [String: FieldValue], deleted: Bool = false) throws -> Record {
    let fitted = try fitted(values)
    return try table.update(stored, fitted, deleted: deleted, in: transaction)
  }

  private mutating func fitted(_ values: [String: FieldValue]) throws -> [FieldValue?] {
    let fitted = try FittedValues(values, table.schema)
    if !fitted.newColumns.isEmpty { try table.add(fitted.newColumns, in: transaction.database) }
    return fitted.values
  }

  private func completed(_ values: [FieldValue?]) -> [FieldValue?] {
    zip(table.schema.columns, values).map { column, value in value ?? column.absentValue }
  }
}

/// Where the SQL of ``TableSQL`` meets the library that runs it.
extension Database {
  /// Registers the functions that conditions call and SQLite lacks.
  func addQueryFunctions() {
    for function in SQLiteFunction.all {
      add(
        function: DatabaseFunction(function.name, argumentCount: 1, pure: true) { arguments in
          String.fromDatabaseValue(arguments[0]).map { function.value($0).databaseValue }
        })
    }
  }
}

extension SQLFragment {
  var statementArguments: StatementArguments { StatementArguments(arguments.map(\.databaseValue)) }
}

extension FieldValue {
  var databaseValue: DatabaseValue {
    bound(null: .null, integer: \.databaseValue, real: \.databaseValue, text: \.databaseValue)
  }
}

/// GRDB has a `Record` too; in this room it is always the one of the wire.
typealias Record = TableProtocol.Record
