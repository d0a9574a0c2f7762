import TableProtocol

/// A value as SQLite has it: truth is a number, and everything has an order.
enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  /// What a column turns a value into that it is compared with.
  enum Affinity {
    case text, number
  }
}

extension SQLValue {
  init(_ truth: Bool?) { self = truth.map { .integer($0 ? 1 : 0) } ?? .null }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  init(_ value: FieldValue) {
    switch value {
    case .null: self = .null
    case .bool(let bool): self.init(bool)
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    }
  }

  /// A time without a column to go by stands as its milliseconds.
  init(_ literal: FilterLiteral) {
    switch literal {
    case .null: self = .null
    case .bool(let bool): self.init(bool)
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .timestamp(let moment): self = .integer(moment.milliseconds)
    }
  }

  /// Nil when unknown. A text counts as the number it begins with.
  var truth: Bool? {
    switch number {
    case .integer(let integer): integer != 0
    case .real(let real): real != 0
    case .null, .text: nil
    }
  }

  var asText: String? {
    switch self {
    case .null: nil
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): text
    }
  }

  var negated: SQLValue { SQLValue.calculate(.integer(0), .subtract, self) }

  /// Null, numbers by size, then texts by code point: the order of SQLite.
  static func precedes(_ left: SQLValue, _ right: SQLValue) -> Bool {
    switch (left, right) {
    case (.integer(let first), .integer(let second)): first < second
    case (.text(let first), .text(let second)): first.utf8.lexicographicallyPrecedes(second.utf8)
    case (.real(let first), .real(let second)): first < second
    case (.integer(let first), .real(let second)): order(first, second) < 0
    case (.real(let first), .integer(let second)): order(second, first) > 0
    default: left.rank < right.rank
    }
  }

  /// Below zero when the integer is less, above it when it is greater. Exact where a `Double` can't hold
  /// the integer.
  private static func order(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  /// Nil when either side is null.
  static func compare(_ pair: (SQLValue, SQLValue), _ relation: FilterOperator) -> Bool? {
    guard pair.0 != .null, pair.1 != .null else { return nil }
    let (isLess, isGreater) = (precedes(pair.0, pair.1), precedes(pair.1, pair.0))
    switch relation {
    case .equal: return !isLess && !isGreater
    case .notEqual: return isLess || isGreater
    case .less: return isLess
    case .lessOrEqual: return !isGreater
    case .greater: return isGreater
    case .greaterOrEqual: return !isLess
    default: return nil
    }
  }

  /// Two sides of a comparison after each was turned into what the other's column holds.
  static func converted(
    _ left: (value: SQLValue, affinity: Affinity?), _ right: (value: SQLValue, affinity: Affinity?)
  ) -> (SQLValue, SQLValue) {
    switch (left.affinity, right.affinity) {
    case (.number, .number), (.text, .text), (nil, nil): (left.value, right.value)
    case (.number, _): (left.value, right.value.asNumberIfWhole)
    case (_, .number): (left.value.asNumberIfWhole, right.value)
    case (.text, nil): (left.value, SQLValue(right.value.asText))
    case (nil, .text): (SQLValue(left.value.asText), right.value)
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    }
  }
}
