import GRDB
import TableProtocol

/// The functions that queries use and SQLite has not.
enum TextFunctions {
  static func register(in database: Database) {
    database.add(function: lower)
    database.add(function: upper)
    database.add(function: milliseconds)
    MatchFunction.register(in: database)
  }

  private static let lower = DatabaseFunction(SQLFunctionName.lower, argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0])?.lowercased()
  }

  private static let upper = DatabaseFunction(SQLFunctionName.upper, argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0])?.uppercased()
  }

  private static let milliseconds = DatabaseFunction(
    SQLFunctionName.milliseconds, argumentCount: 1, pure: true
  ) { values in
    String.fromDatabaseValue(values[0]).flatMap { Timestamp($0)?.milliseconds }
  }
}
