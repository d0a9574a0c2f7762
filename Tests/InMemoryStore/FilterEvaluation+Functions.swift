import TableProtocol
import TableSQL

/// The functions of OData as SQLite computes them. Null gives null; positions count code points from 0.
extension FilterEvaluation {
  func call(_ function: FilterFunction, _ arguments: [Filter]) throws(QueryError) -> SQLValue {
    if function.isDatePart {
      return try arguments.first.map { (argument) throws(QueryError) in datePart(function, try moment(argument)) }
        ?? .null
    }
    var values: [SQLValue] = []
    for argument in arguments { values.append(try value(argument)) }
    guard !values.contains(.null), let first = values.first else { return .null }
    switch function {
    case .floor: return rounded(first) { $0.rounded(.down) }
    case .ceiling: return rounded(first) { $0.rounded(.up) }
    case .round: return .real(first.double.rounded(.toNearestOrAwayFromZero))
    case .substring: return substring(values)
    default: return ofTexts(function, values.map { Array(($0.asText ?? "").unicodeScalars) })
    }
  }

  private func rounded(_ value: SQLValue, _ round: (Double) -> Double) -> SQLValue {
    if case .integer = value.number { return value.number }
    return .integer(SQLValue.real(round(value.double)).truncated)
  }

  private func substring(_ values: [SQLValue]) -> SQLValue {
    let scalars = Array((values[0].asText ?? "").unicodeScalars)
    let rest = scalars.dropFirst(Int(clamping: max(values[1].truncated, 0)))
    let length = values.count > 2 ? Int(clamping: max(values[2].truncated, 0)) : rest.count
    return .text(String(rest.prefix(length)))
  }

  private func ofTexts(_ function: FilterFunction, _ texts: [[Unicode.Scalar]]) -> SQLValue {
    let first = texts[0]
    let second = texts.count > 1 ? texts[1] : []
    switch function {
    case .startsWith: return SQLValue(first.starts(with: second))
    case .endsWith: return SQLValue(first.count >= second.count && Array(first.suffix(second.count)) == second)
    case .contains: return SQLValue(first.position(of: second) != nil)
    case .length: return .integer(Int64(first.count))
    case .indexOf: return .integer(Int64(first.position(of: second) ?? -1))
    case .trim: return .text(String(first.trimmingSpaces))
    case .toLower: return .text(String(first[...]).lowercased())
    case .toUpper: return .text(String(first[...]).uppercased())
    case .concat: return .text(String((first + second)[...]))
    case .replace: return .text(first.replacing(second, by: texts.count > 2 ? texts[2] : []))
    default: return .null
    }
  }

  /// A part of a date, in UTC.
  private func datePart(_ function: FilterFunction, _ moment: SQLValue) -> SQLValue {
    guard case .integer(let milliseconds) = moment else { return .null }
    let (day, inDay) = milliseconds.flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSinceEpoch: day)
    switch function {
    case .year: return .integer(date.year)
    case .month: return .integer(date.month)
    case .day: return .integer(date.day)
    case .hour: return .integer(inDay / 3_600_000)
    case .minute: return .integer(inDay / 60_000 % 60)
    case .second: return .integer(inDay / 1_000 % 60)
    default: return .null
    }
  }
}

extension [Unicode.Scalar] {
  /// Where the other text begins in this one; 0 for the empty text.
  fileprivate func position(of other: [Unicode.Scalar]) -> Int? {
    guard count >= other.count else { return nil }
    return (0...count - other.count).first { self[$0...].starts(with: other) }
  }

  fileprivate var trimmingSpaces: ArraySlice<Unicode.Scalar> {
    let start = firstIndex { $0 != " " } ?? endIndex
    let end = lastIndex { $0 != " " }.map { $0 + 1 } ?? start
    return self[start..<end]
  }

  fileprivate func replacing(_ old: [Unicode.Scalar], by new: [Unicode.Scalar]) -> String {
    guard !old.isEmpty else { return String(self[...]) }
    var result: [Unicode.Scalar] = []
    var rest = self[...]
    while !rest.isEmpty {
      if rest.starts(with: old) {
        result += new
        rest = rest.dropFirst(old.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return String(result[...])
  }
}

extension String {
  fileprivate init(_ scalars: ArraySlice<Unicode.Scalar>) {
    self.init(String.UnicodeScalarView(scalars))
  }
}
