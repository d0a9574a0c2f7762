import GRDB
import TableProtocol

/// The functions that conditions use and SQLite has not.
enum SQLFunctions {
  static var all: [DatabaseFunction] {
    [
      textFunction(SQLFunctionName.lower) { $0.lowercased() },
      textFunction(SQLFunctionName.upper) { $0.uppercased() },
      textFunction(SQLFunctionName.milliseconds) { Timestamp($0)?.milliseconds },
    ]
  }

  private static func textFunction(
    _ name: String, _ body: @escaping @Sendable (String) -> (any DatabaseValueConvertible)?
  ) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 1, pure: true) { arguments in
      String.fromDatabaseValue(arguments[0]).flatMap(body)
    }
  }
}
