package import TableProtocol

/// A function that conditions call and SQLite lacks. Each storage registers all of them on each of its connections.
///
/// It takes one argument, depends on nothing else, and gives null for anything but text.
package struct SQLiteFunction: Sendable {
  package let name: String
  package let value: @Sendable (String) -> FieldValue

  /// Lower case of all of Unicode; SQLite's own knows ASCII only.
  static let lower = SQLiteFunction(name: "ebb_lower") { .text($0.lowercased()) }
  static let upper = SQLiteFunction(name: "ebb_upper") { .text($0.uppercased()) }
  /// Milliseconds since 1970 of a timestamp in text, or null when the text is not a timestamp.
  static let milliseconds = SQLiteFunction(name: "ebb_milliseconds") { text in
    Timestamp(text).map { .integer($0.milliseconds) } ?? .null
  }

  package static let all = [lower, upper, milliseconds]
}

extension FieldValue {
  /// The value as a library for SQLite binds it: each closure makes the library's own value. SQLite has no booleans
  /// and stores 0 or 1.
  package func bound<Bound>(
    null: Bound, integer: (Int64) -> Bound, real: (Double) -> Bound, text: (String) -> Bound
  ) -> Bound {
    switch self {
    case .null: null
    case .bool(let bool): integer(bool ? 1 : 0)
    case .integer(let value): integer(value)
    case .real(let value): real(value)
    case .text(let value): text(value)
    }
  }
}
