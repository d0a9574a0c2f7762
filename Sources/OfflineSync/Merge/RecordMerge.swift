package import TableProtocol

/// What comes of two changes of one record that both started from the same copy.
package enum RecordMerge: Sendable, Hashable {
  /// The two fit together: the user's columns as they are then.
  case merged([String: FieldValue])
  /// In these columns, by name, both changed the same thing to different values.
  case clash([String])

  /// Merges by column (offline-sync Q17): a column only one side changed is that side's, one that both
  /// changed alike is both's. Of a text both changed, the words are merged.
  ///
  /// `ancestors` are the copies theirs may have started from: the one before my edit and, where an earlier
  /// attempt of it may have reached the server, the one it sent. Whether it did is not known, so a value
  /// there that is still the sent one is old news, but what was made of it can't be told from a change
  /// that never saw it. Where no ancestor is known every column that differs clashes.
  package static func of(
    ancestors: [[String: FieldValue]], mine: [String: FieldValue], theirs: [String: FieldValue]
  ) -> RecordMerge {
    var merged = theirs
    var clashes: [String] = []
    for (name, mineValue) in mine {
      // A column the server's copy does not have: a poorer table, which will go on ignoring it.
      guard let theirValue = theirs[name] else { continue }
      if let value = merge(ancestors.map { $0[name] ?? .null }, mine: mineValue, theirs: theirValue) {
        merged[name] = value
      } else {
        clashes.append(name)
      }
    }
    return clashes.isEmpty ? .merged(merged) : .clash(clashes.sorted())
  }

  /// Mine where I changed something since `base`, theirs in all other columns: what "keep mine" means for a
  /// record of which only some columns are mine. Without a base all of them are.
  static func keepingMine(
    base: [String: FieldValue]?, mine: [String: FieldValue], theirs: [String: FieldValue]
  ) -> [String: FieldValue] {
    guard let base else { return mine }
    return mine.reduce(into: [:]) { kept, column in
      let isUntouched = base[column.key] == column.value
      kept[column.key] = isUntouched ? theirs[column.key] ?? column.value : column.value
    }
  }

  /// One column; nil for a clash.
  private static func merge(_ ancestors: [FieldValue], mine: FieldValue, theirs: FieldValue) -> FieldValue? {
    if mine == theirs || mine == ancestors.first { return theirs }
    if ancestors.contains(theirs) { return mine }
    guard case .text(let base)? = ancestors.first, case .text(let mine) = mine, case .text(let theirs) = theirs
    else { return nil }
    return TextMerge.merged(base: base, mine: mine, theirs: theirs).map(FieldValue.text)
  }
}
