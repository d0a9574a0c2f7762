extension Filter {
  /// True for a constant text of at most 100 characters: what `replace` may put in.
  var isShortText: Bool {
    if case .literal(.text(let text)) = self { text.count <= 100 } else { false }
  }
}

extension FilterOperator {
  package var isComparison: Bool { strength == FilterOperator.equal.strength }

  /// How tightly the operator binds: `or` least.
  var strength: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .equal, .notEqual, .greater, .greaterOrEqual, .less, .lessOrEqual: 3
    case .add, .subtract: 4
    case .multiply, .divide, .modulo: 5
    }
  }
}

extension FilterFunction {
  var argumentCounts: ClosedRange<Int> {
    switch self {
    case .startsWith, .endsWith, .contains, .indexOf, .concat: 2...2
    case .substring: 2...3
    case .replace: 3...3
    case .length, .trim, .toLower, .toUpper, .year, .month, .day, .hour, .minute, .second, .floor, .ceiling, .round:
      1...1
    }
  }
}
