import TableProtocol

/// The values that one column of a row had here, in a list that moves to another database (sync-rules Q26).
struct ColumnPast {
  /// The value that was sent last. If no change is under way: the last one that a server had.
  let newest: FieldValue
  /// Those before, oldest first.
  let earlier: [FieldValue]

  /// Where another value in that database comes from.
  enum Origin: Hashable {
    /// It is newer than the newest here, or was made from it.
    case newest
    /// It is this earlier value, or was made from it.
    case earlier(FieldValue)
    /// Nothing tells: a person decides.
    case unclear
  }

  func origin(of value: FieldValue) -> Origin {
    guard value.text != nil, newest.text != nil else {
      // Somebody may have brought it back.
      return earlier.contains(value) ? .unclear : .newest
    }
    if earlier.contains(value) { return .earlier(value) }
    let states = earlier.filter { $0 != newest }.map { [Self.name: $0] }
    let origin = InsertOrigin.of([Self.name: value], sent: [Self.name: newest], earlier: states)
    if case .earlier(let state) = origin { return .earlier(state[Self.name] ?? newest) }
    return states.isEmpty ? originByWords(value) : .newest
  }

  /// For a column without a known past. A text that has all words of this one counts as newer. Words that it lacks may
  /// have come since, or somebody may have taken them out, and they must not come back unasked (D39).
  private func originByWords(_ value: FieldValue) -> Origin {
    let (here, there): (Columns, Columns) = ([Self.name: newest], [Self.name: value])
    return here.hasWords(beyond: there) ? .unclear : .newest
  }

  /// The words of one column are compared as those of a row that has no other.
  private static let name = ""
}
