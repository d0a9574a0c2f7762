import GRDB
package import TableProtocol
import TableSQL

/// Where the SQL of ``TableSQL`` meets the library that runs it.
extension Database {
  func cachedStatement(_ fragment: SQLFragment) throws -> Statement {
    try cachedStatement(sql: SQLiteDialect.sqlite.statement(fragment))
  }

  /// Registers the functions that queries call and SQLite lacks.
  func addQueryFunctions() {
    for function in SQLiteFunction.all {
      add(
        function: DatabaseFunction(function.name, argumentCount: 1, pure: true) { arguments in
          String.fromDatabaseValue(arguments[0]).map { function.value($0).databaseValue }
        })
    }
    MatchFunction.register(in: self)
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

extension RecordID: DatabaseValueConvertible, StatementColumnConvertible {
  var databaseValue: DatabaseValue { text.databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> RecordID? {
    String.fromDatabaseValue(value).map { RecordID($0) }
  }

  init(sqliteStatement: SQLiteStatement, index: CInt) {
    self.init(String(sqliteStatement: sqliteStatement, index: index))
  }
}
