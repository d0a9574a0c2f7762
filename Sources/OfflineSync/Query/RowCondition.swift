package import TableProtocol

/// What must be true of a row.
package indirect enum RowCondition: Sendable, Hashable {
  /// What a server could be asked too.
  case matches(Filter)
  /// A word fits the text of a column.
  case fits(column: String, TextPattern)
  /// The value lies before, at or after a text that some row may have. A row without such a value lies at none.
  case compare(RowValue, Relation, String)
  /// The row has such a value.
  case has(RowValue)
  /// A sync made or changed the row, and nobody here has seen that yet.
  case arrived
  case not(RowCondition)
  case all([RowCondition])

  package enum Relation: String, Sendable, Hashable {
    case less = "<"
    case equal = "="
    case greater = ">"
  }

  /// True when texts have to be looked at word by word, so that no index can answer it.
  package var readsTexts: Bool {
    switch self {
    case .fits: true
    case .matches, .compare, .has, .arrived: false
    case .not(let condition): condition.readsTexts
    case .all(let conditions): conditions.contains(where: \.readsTexts)
    }
  }
}
