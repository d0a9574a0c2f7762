package import TableProtocol

/// A condition on a row.
package indirect enum RowCondition: Sendable, Hashable {
  /// A filter that a server can evaluate too.
  case matches(Filter)
  /// The text of a column matches the pattern.
  case fits(column: String, TextPattern)
  /// The value sorts before, equals or sorts after a text. A row without such a value never matches.
  case compare(RowValue, Relation, String)
  /// The row has such a value.
  case has(RowValue)
  /// A sync made or changed the row, and the user has not seen that yet.
  case arrived
  case not(RowCondition)
  case all([RowCondition])

  package enum Relation: String, Sendable, Hashable {
    case less = "<"
    case equal = "="
    case greater = ">"
  }

  /// True if texts must be read word by word, so that no index can answer the condition.
  package var readsTexts: Bool {
    switch self {
    case .fits: true
    case .matches, .compare, .has, .arrived: false
    case .not(let condition): condition.readsTexts
    case .all(let conditions): conditions.contains(where: \.readsTexts)
    }
  }
}
