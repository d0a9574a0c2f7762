import TableProtocol

/// The functions of OData (table-protocol 6.2), in the words of the dialect.
extension FilterSQL {
  func call(_ function: FilterFunction, _ arguments: [Filter]) throws(QuerySQLError) -> SQLFragment {
    guard !arguments.isEmpty else { return SQLFragment("NULL") }
    var parts: [SQLFragment] = []
    for argument in arguments { parts.append(try function.isDatePart ? moment(argument) : value(argument)) }
    return try filled(dialect.pattern(function, argumentCount: parts.count), parts)
  }

  /// Puts the parts at the places `$0`, `$1`… of the pattern, with their arguments in that order.
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
