import TableProtocol

/// What comes of two changes of one record that both started from the same copy.
package enum RecordMerge: Sendable, Hashable {
  /// The two fit together: the user's columns as they are then.
  case merged([String: FieldValue])
  /// In these columns, by name, both changed the same thing to different values.
  case clash([String])

  /// Merges by column (offline-sync Q17): a column only one side changed is that side's, one that both
  /// changed alike is both's. Of a text both changed, the words are merged.
  ///
  /// `base` is the copy both started from; where it is not known every column that differs clashes.
  package static func of(
    base: [String: FieldValue]?, mine: [String: FieldValue], theirs: [String: FieldValue]
  ) -> RecordMerge {
    var merged = theirs
    var clashes: [String] = []
    for (name, mineValue) in mine {
      guard let theirValue = theirs[name] else {
        // A column the server's copy does not have: another protocol version, or a poorer table.
        merged[name] = mineValue
        continue
      }
      switch merge(base: base.map { $0[name] ?? .null }, mine: mineValue, theirs: theirValue) {
      case let value?: merged[name] = value
      case nil: clashes.append(name)
      }
    }
    return clashes.isEmpty ? .merged(merged) : .clash(clashes.sorted())
  }

  /// One column; nil for a clash.
  private static func merge(base: FieldValue?, mine: FieldValue, theirs: FieldValue) -> FieldValue? {
    if mine == theirs || mine == base { return theirs }
    if theirs == base { return mine }
    guard case .text(let base)? = base, case .text(let mine) = mine, case .text(let theirs) = theirs else { return nil }
    return TextMerge.merged(base: base, mine: mine, theirs: theirs).map(FieldValue.text)
  }
}
