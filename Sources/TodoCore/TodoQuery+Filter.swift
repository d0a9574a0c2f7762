import TableProtocol

extension TodoQuery {
  /// The condition an item must meet; nil when all do.
  var condition: Filter? {
    .all(viewConditions + words.map(Self.contains))
  }

  private var viewConditions: [Filter] {
    switch view {
    case .open: [.compare(TodoColumn.complete, .equal, .bool(false))]
    case .done: [.compare(TodoColumn.complete, .equal, .bool(true))]
    case .all: []
    }
  }

  private var words: [String] {
    filter.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
  }

  private static func contains(_ word: String) -> Filter {
    .call(.contains, [.call(.toLower, [.member(TodoColumn.text)]), .literal(.text(word))])
  }
}

extension TodoAnchor {
  /// True when the rows nearest to the anchor are the last ones of the run.
  var isBackward: Bool {
    switch self {
    case .first, .after: false
    case .last, .before: true
    }
  }

  /// The part of the order that lies beyond the anchor. Written so that an index on creation time
  /// and id finds its beginning at once.
  var condition: Filter? {
    switch self {
    case .first, .last: nil
    case .after(let item): Self.beyond(item, .greaterOrEqual, .greater)
    case .before(let item): Self.beyond(item, .lessOrEqual, .less)
    }
  }

  private static func beyond(_ item: TodoItem, _ reaching: FilterOperator, _ beyond: FilterOperator) -> Filter {
    let created = FilterLiteral.timestamp(item.createdAt ?? .epoch)
    return .binary(
      .and,
      .compare(SystemColumn.createdAt, reaching, created),
      .binary(
        .or,
        .compare(SystemColumn.createdAt, beyond, created),
        .compare(SystemColumn.id, beyond, .text(item.id))))
  }
}
