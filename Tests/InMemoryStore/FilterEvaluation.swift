package import TableProtocol
package import TableSQL

/// Answers a filter for one record in memory, as ``FilterSQL`` has it answered by SQLite.
///
/// The null rule is SQL's: nothing is true of null except `eq null`. Strings compare by code point
/// and exactly, times by instant.
package struct FilterEvaluation {
  let record: Record
  let kind: (String) -> SQLColumn.Kind?

  /// `kind` gives nil for a name the table has not, and must be `.timestampText` for `createdAt` and
  /// `updatedAt`.
  package init(of record: Record, kind: @escaping (String) -> SQLColumn.Kind?) {
    self.record = record
    self.kind = kind
  }

  /// True when the record matches; a condition that is unknown does not hold. Throws for a column the
  /// table has not and for a text that is compared with a time and is none.
  package func holds(_ filter: Filter) throws(QueryError) -> Bool {
    try value(filter).truth == true
  }

  func value(_ filter: Filter) throws(QueryError) -> SQLValue {
    switch filter {
    case .literal(let literal): return SQLValue(literal)
    case .member(let name): return try stored(name)
    case .not(let operand): return SQLValue(try value(operand).truth.map { !$0 })
    case .negated(let operand): return try value(operand).negated
    case .binary(.and, let left, let right): return SQLValue(try both(left, right, decidedBy: false))
    case .binary(.or, let left, let right): return SQLValue(try both(left, right, decidedBy: true))
    case .binary(let relation, let left, let right) where relation.isComparison:
      return SQLValue(try compare(left, relation, right))
    case .binary(let operation, let left, let right):
      return try SQLValue.calculate(value(left), operation, value(right))
    case .isIn(let operand, let literals): return SQLValue(try isIn(operand, literals))
    case .call(let function, let arguments): return try call(function, arguments)
    }
  }

  /// Three-valued `and` (decided by false) and `or` (decided by true). Both sides are evaluated, so
  /// that a mistake in either is an error for every record.
  private func both(_ left: Filter, _ right: Filter, decidedBy deciding: Bool) throws(QueryError) -> Bool? {
    let (first, second) = (try value(left).truth, try value(right).truth)
    if first == deciding || second == deciding { return deciding }
    return first == nil || second == nil ? nil : !deciding
  }

  private func stored(_ name: String) throws(QueryError) -> SQLValue {
    guard kind(name) != nil else { throw .unknownColumn(name) }
    switch name {
    case SystemColumn.id: return .text(record.id.text)
    case SystemColumn.createdAt: return SQLValue(record.system.createdAt?.text)
    case SystemColumn.updatedAt: return SQLValue(record.system.updatedAt?.text)
    case SystemColumn.version: return SQLValue(record.system.version?.text)
    case SystemColumn.deleted: return SQLValue(record.system.deleted)
    default: return SQLValue(record.values[name] ?? .null)
    }
  }

  private func compare(
    _ left: Filter, _ relation: FilterOperator, _ right: Filter
  ) throws(QueryError) -> Bool? {
    if left == .literal(.null) || right == .literal(.null), relation == .equal || relation == .notEqual {
      let operand = try value(right == .literal(.null) ? left : right)
      return (operand == .null) == (relation == .equal)
    }
    return try SQLValue.compare(operands(left, right), relation)
  }

  /// An empty list holds nothing, null included; nulls in the list match nothing.
  private func isIn(_ operand: Filter, _ literals: [FilterLiteral]) throws(QueryError) -> Bool? {
    let present = literals.filter { $0 != .null }
    let isTimed = isTime(operand) || present.contains(where: \.isTime)
    let left = isTimed ? try moment(operand) : try value(operand)
    var isMember = false
    for literal in present {
      let right = isTimed ? try moment(.literal(literal)) : SQLValue(literal)
      let pair = isTimed ? (left, right) : SQLValue.converted((left, affinity(of: operand)), (right, nil))
      if SQLValue.compare(pair, .equal) == true { isMember = true }
    }
    return left == .null && !present.isEmpty ? nil : isMember
  }
}

/// Comparison of times by instant, whatever form either side has.
extension FilterEvaluation {
  private func isTime(_ filter: Filter) -> Bool {
    switch filter {
    case .member(let name): kind(name)?.isTime == true
    case .literal(let literal): literal.isTime
    default: false
    }
  }

  private func operands(_ left: Filter, _ right: Filter) throws(QueryError) -> (SQLValue, SQLValue) {
    guard isTime(left) || isTime(right) else {
      return try SQLValue.converted((value(left), affinity(of: left)), (value(right), affinity(of: right)))
    }
    return try (moment(left), moment(right))
  }

  /// Milliseconds since 1970.
  func moment(_ filter: Filter) throws(QueryError) -> SQLValue {
    switch filter {
    case .literal(.null):
      return .null
    case .literal(.timestamp(let moment)):
      return .integer(moment.milliseconds)
    case .literal(.text(let text)):
      guard let moment = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") else { throw .notATimestamp(text) }
      return .integer(moment.milliseconds)
    case .literal(let literal):
      throw .notATimestamp("\(literal)")
    default:
      let value = try value(filter)
      if case .member(let name) = filter, kind(name) == .milliseconds { return value }
      guard case .text(let text) = value, let moment = Timestamp(text) else { return .null }
      return .integer(moment.milliseconds)
    }
  }

  /// What SQLite turns the other side of a comparison into.
  private func affinity(of filter: Filter) -> SQLValue.Affinity? {
    switch filter {
    case .member(let name):
      switch kind(name) {
      case nil: nil
      case .text, .timestampText: .text
      case .bool, .number, .milliseconds: .number
      }
    case .call(let function, _): function.isDatePart ? .number : nil
    default: nil
    }
  }
}
