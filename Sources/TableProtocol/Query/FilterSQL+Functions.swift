/// The functions of OData in SQLite's words (table-protocol 6.2).
extension FilterSQL {
  func call(_ function: FilterFunction, _ arguments: [Filter]) throws(QuerySQLError) -> SQLFragment {
    switch function {
    case .year: return try datePart("%Y", arguments)
    case .month: return try datePart("%m", arguments)
    case .day: return try datePart("%d", arguments)
    case .hour: return try datePart("%H", arguments)
    case .minute: return try datePart("%M", arguments)
    case .second: return try datePart("%S", arguments)
    default: break
    }
    var parts: [SQLFragment] = []
    for argument in arguments { parts.append(try value(argument)) }
    return try written(function, parts)
  }

  /// Positions count from 0 in OData and from 1 in SQLite; a negative one is taken as 0. `instr`
  /// and `substr` are exact where `LIKE` would ignore case.
  private func written(_ function: FilterFunction, _ parts: [SQLFragment]) throws(QuerySQLError) -> SQLFragment {
    switch function {
    case .startsWith: try filled("(substr($0, 1, length($1)) = $1)", parts)
    case .endsWith: try filled("(length($0) >= length($1) AND substr($0, length($0) - length($1) + 1) = $1)", parts)
    case .contains: try filled("(instr($0, $1) > 0)", parts)
    case .length: try filled("length($0)", parts)
    case .indexOf: try filled("(instr($0, $1) - 1)", parts)
    case .substring where parts.count == 3: try filled("substr($0, max($1, 0) + 1, max($2, 0))", parts)
    case .substring: try filled("substr($0, max($1, 0) + 1)", parts)
    case .trim: try filled("trim($0)", parts)
    case .toLower: try filled("\(SQLFunctionName.lower)($0)", parts)
    case .toUpper: try filled("\(SQLFunctionName.upper)($0)", parts)
    case .concat: try filled("($0 || $1)", parts)
    case .replace: try filled("replace($0, $1, $2)", parts)
    case .floor: try filled("(CAST($0 AS INTEGER) - ($0 < CAST($0 AS INTEGER)))", parts)
    case .ceiling: try filled("(CAST($0 AS INTEGER) + ($0 > CAST($0 AS INTEGER)))", parts)
    case .round: try filled("round($0)", parts)
    case .year, .month, .day, .hour, .minute, .second: SQLFragment("NULL")
    }
  }

  /// A part of a date, in UTC.
  private func datePart(_ format: String, _ arguments: [Filter]) throws(QuerySQLError) -> SQLFragment {
    guard let argument = arguments.first else { return SQLFragment("NULL") }
    return try filled("CAST(strftime('\(format)', $0 / 1000.0, 'unixepoch') AS INTEGER)", [moment(argument)])
  }

  /// Puts the parts in the places `$0`, `$1`… of the pattern, with their arguments in that order.
  private func filled(_ pattern: String, _ parts: [SQLFragment]) throws(QuerySQLError) -> SQLFragment {
    var result = SQLFragment("")
    var rest = pattern[...]
    while let mark = rest.firstIndex(of: "$") {
      result.sql += rest[..<mark]
      let digit = rest.index(after: mark)
      if digit < rest.endIndex, let index = rest[digit].wholeNumberValue, parts.indices.contains(index) {
        result.sql += parts[index].sql
        result.arguments += parts[index].arguments
      }
      guard result.sql.utf8.count <= Self.longestSQL else { throw .tooComplex }
      rest = rest[digit...].dropFirst()
    }
    result.sql += rest
    return result
  }
}
