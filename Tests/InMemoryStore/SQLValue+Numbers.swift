import TableProtocol

/// Arithmetic as SQLite does it.
extension SQLValue {
  /// A number, or null. A text counts as the number it begins with, else as 0.
  var number: SQLValue {
    guard case .text(let text) = self else { return self }
    let trimmed = text.drop { $0.isWhitespace }
    let digits = NumberPrefix.of(trimmed)
    return Int64(digits).map { .integer($0) } ?? .real(Double(digits) ?? 0)
  }

  /// The number a text is from end to end; otherwise the value as it is.
  var asNumberIfWhole: SQLValue {
    guard case .text(let text) = self else { return self }
    let trimmed = text.drop { $0 == " " }
    let digits = NumberPrefix.of(trimmed)
    guard !digits.isEmpty, trimmed.dropFirst(digits.count).allSatisfy({ $0 == " " }) else { return self }
    return number
  }

  var double: Double {
    switch number {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text: 0
    }
  }

  /// As `CAST(… AS INTEGER)`: towards zero, and to the nearest end when it is too large.
  var truncated: Int64 {
    switch number {
    case .integer(let integer): integer
    case .real(let real): real >= 0x1p63 ? .max : real < -0x1p63 ? .min : Int64(real)
    case .null, .text: 0
    }
  }

  /// Integers stay integers until they are too large. Division by zero is null.
  static func calculate(_ left: SQLValue, _ operation: FilterOperator, _ right: SQLValue) -> SQLValue {
    let (first, second) = (left.number, right.number)
    guard first != .null, second != .null else { return .null }
    if operation == .modulo { return modulo(first, second) }
    if case .integer(let one) = first, case .integer(let two) = second {
      if operation == .divide, two == 0 { return .null }
      if let exact = exactly(one, operation, two) { return .integer(exact) }
    }
    let result =
      switch operation {
      case .add: first.double + second.double
      case .subtract: first.double - second.double
      case .multiply: first.double * second.double
      default: second.double == 0 ? Double.nan : first.double / second.double
      }
    return result.isNaN ? .null : .real(result)
  }

  /// Nil when the result does not fit.
  private static func exactly(_ one: Int64, _ operation: FilterOperator, _ two: Int64) -> Int64? {
    let (result, overflow) =
      switch operation {
      case .add: one.addingReportingOverflow(two)
      case .subtract: one.subtractingReportingOverflow(two)
      case .multiply: one.multipliedReportingOverflow(by: two)
      default: one.dividedReportingOverflow(by: two)
      }
    return overflow ? nil : result
  }

  /// Counts in integers; real when either side is.
  private static func modulo(_ left: SQLValue, _ right: SQLValue) -> SQLValue {
    let divisor = right.truncated
    guard divisor != 0 else { return .null }
    let remainder = left.truncated.remainderReportingOverflow(dividingBy: divisor).partialValue
    if case .integer = left, case .integer = right { return .integer(remainder) }
    return .real(Double(remainder))
  }
}

/// The decimal number a text begins with.
private enum NumberPrefix {
  static func of(_ text: Substring) -> Substring {
    var end = digits(in: text, from: sign(in: text, from: text.startIndex))
    var hasDigits = text[..<end].contains { $0.isNumber }
    if end < text.endIndex, text[end] == "." {
      let afterFraction = digits(in: text, from: text.index(after: end))
      let hasFraction = afterFraction > text.index(after: end)
      if hasDigits || hasFraction { end = afterFraction }
      hasDigits = hasDigits || hasFraction
    }
    guard hasDigits else { return "" }
    return text[..<exponent(in: text, from: end)]
  }

  private static func sign(in text: Substring, from start: Substring.Index) -> Substring.Index {
    start < text.endIndex && (text[start] == "-" || text[start] == "+") ? text.index(after: start) : start
  }

  private static func digits(in text: Substring, from start: Substring.Index) -> Substring.Index {
    text[start...].firstIndex { !("0"..."9").contains($0) } ?? text.endIndex
  }

  private static func exponent(in text: Substring, from start: Substring.Index) -> Substring.Index {
    guard start < text.endIndex, text[start] == "e" || text[start] == "E" else { return start }
    let first = sign(in: text, from: text.index(after: start))
    let end = digits(in: text, from: first)
    return end > first ? end : start
  }
}
