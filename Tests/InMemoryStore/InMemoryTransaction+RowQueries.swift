import OfflineSync
import TableProtocol
import TableSQL

extension InMemoryTransaction {
  func forEach(_ query: RowQuery, _ body: (Record) throws -> Void) throws {
    let sorted = try rows(query).sorted { left, right in
      query.isBackward ? precedes(right, left, query) : precedes(left, right, query)
    }
    for record in sorted.prefix(query.limit ?? .max) { try body(record) }
  }

  func forEach(_ query: RowQuery, columns: [String], _ body: (RecordID, [FieldValue]) throws -> Void) throws {
    try forEach(query) { record in
      try body(record.id, columns.map { record.values[$0] ?? .null })
    }
  }

  func counts(_ query: RowQuery, by value: RowValue?) throws -> [String: Int] {
    try rows(query).reduce(into: [:]) { counts, record in
      counts[value.map { text(of: $0, record, in: query.table) } ?? "", default: 0] += 1
    }
  }

  /// The value. One that is in no column is that of the past versions, if they know it.
  private func text(of value: RowValue, _ record: Record, in table: String) -> String {
    guard case .turnedTrue(let column) = value, record.values[column] != .bool(false) else {
      return value.text(of: record)
    }
    let versions = pastVersions(ofItems: [record.id], in: table)[record.id] ?? []
    return PastVersion.turn(of: column, in: versions)?.text ?? value.text(of: record)
  }

  /// Rows are sorted anew for each query: there is nothing to prepare.
  func isPrepared(_ index: RowIndex) -> Bool { true }
  func prepare(_ index: RowIndex) {}

  /// The rows that match and lie where the query looks, in no order.
  private func rows(_ query: RowQuery) throws -> [Record] {
    let shape = try shape(query.table)
    let condition = query.condition.map { RowEvaluation($0, kind: shape.kind, marks(in: query.table)) }
    return try state.rows[query.table, default: [:]].values.filter { record in
      if let anchor = query.anchor {
        let isBeyond =
          query.isBackward ? precedes(record, anchor, query) : precedes(anchor, record, query)
        guard isBeyond else { return false }
      }
      return try condition?.holds(for: record) ?? true
    }
  }

  private func marks(in table: String) -> RowMarks {
    let pending = state.operations.filter { $0.table == table }.map(\.itemID)
    return RowMarks(arrived: arrived(in: table), pending: Set(pending)) { self.text(of: $0, $1, in: table) }
  }

  private func precedes(_ left: Record, _ right: Record, _ query: RowQuery) -> Bool {
    for key in query.order {
      let first = text(of: key.value, left, in: query.table)
      let second = text(of: key.value, right, in: query.table)
      if key.value.precedes(first, second) { return key.ascending }
      if key.value.precedes(second, first) { return !key.ascending }
    }
    return false
  }
}

/// What is noted beside the rows.
private struct RowMarks {
  let arrived: Set<RecordID>
  let pending: Set<RecordID>
  /// A value of a row, also one that is in no column.
  let text: (RowValue, Record) -> String
}

/// Answers a condition for records in memory. Patterns are made ready once.
private indirect enum RowEvaluation {
  case matches(Filter, (String) -> SQLColumn.Kind?)
  case fits(String, TextMatcher)
  case compare(RowValue, RowCondition.Relation, String, RowMarks)
  case has(RowValue, RowMarks)
  case isAmong(Set<RecordID>)
  case not(RowEvaluation)
  case all([RowEvaluation])
  case any([RowEvaluation])

  init(_ condition: RowCondition, kind: @escaping (String) -> SQLColumn.Kind?, _ marks: RowMarks) {
    let evaluation = { RowEvaluation($0, kind: kind, marks) }
    switch condition {
    case .matches(let filter): self = .matches(filter, kind)
    case .fits(let column, let pattern): self = .fits(column, TextMatcher(pattern))
    case .compare(let value, let relation, let text): self = .compare(value, relation, text, marks)
    case .has(let value): self = .has(value, marks)
    case .arrived: self = .isAmong(marks.arrived)
    case .isPending: self = .isAmong(marks.pending)
    case .not(let condition): self = .not(evaluation(condition))
    case .all(let conditions): self = .all(conditions.map(evaluation))
    case .any(let conditions): self = .any(conditions.map(evaluation))
    }
  }

  func holds(for record: Record) throws -> Bool {
    switch self {
    case .matches(let filter, let kind): return try FilterEvaluation(of: record, kind: kind).holds(filter)
    case .fits(let column, let matcher): return matcher.matches(record.values[column]?.text ?? "")
    case .compare(let value, let relation, let text, let marks):
      let own = marks.text(value, record)
      guard own != value.missing else { return false }
      switch relation {
      case .less: return value.precedes(own, text)
      case .equal: return !value.precedes(own, text) && !value.precedes(text, own)
      case .greater: return value.precedes(text, own)
      }
    case .has(let value, let marks): return marks.text(value, record) != value.missing
    case .isAmong(let ids): return ids.contains(record.id)
    case .not(let evaluation): return try !evaluation.holds(for: record)
    case .all(let evaluations): return try evaluations.allSatisfy { try $0.holds(for: record) }
    case .any(let evaluations): return try evaluations.contains { try $0.holds(for: record) }
    }
  }
}

extension RowValue {
  /// Returns true if the first text sorts before the second.
  fileprivate func precedes(_ left: String, _ right: String) -> Bool {
    guard case .caseless = self else { return left.utf8.lexicographicallyPrecedes(right.utf8) }
    return left.utf8.lexicographicallyPrecedes(right.utf8) { $0.lowerCaseASCII < $1.lowerCaseASCII }
  }
}

extension UInt8 {
  /// The byte, or the small letter if it is a capital letter from A to Z.
  fileprivate var lowerCaseASCII: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
