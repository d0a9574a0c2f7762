import CSQLite
package import GRDB
package import TableProtocol
package import TableSQL

extension Database {
  /// Registers the functions that conditions of ``TableSQL`` call and SQLite lacks. Those that walk a text letter by
  /// letter end the statement with `SQLITE_INTERRUPT` once `isOver` is true: SQLite itself looks whether to go on only
  /// between two rows, and one row may have many calls on a long text.
  package func addQueryFunctions(endingOnce isOver: @escaping @Sendable () -> Bool = { false }) {
    for function in SQLiteFunction.all {
      add(
        function: DatabaseFunction(function.name, argumentCount: 1, pure: true) { arguments in
          guard !isOver() else { throw DatabaseError(resultCode: .SQLITE_INTERRUPT) }
          return String.fromDatabaseValue(arguments[0]).map { function.value($0).databaseValue }
        })
    }
    sqlite_add_searches(sqliteConnection)
  }
}

extension FieldValue {
  /// A truth value is a number in SQLite.
  package var databaseValue: DatabaseValue {
    bound(null: .null, integer: \.databaseValue, real: \.databaseValue, text: \.databaseValue)
  }
}

extension SQLFragment {
  /// For its parameters, in their order.
  package var databaseValues: [any DatabaseValueConvertible] { arguments.map { $0.databaseValue } }
}
