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
  /// `base` is the copy my edit started from; without one every column that differs clashes. `sent` is what an
  /// earlier attempt put to the server whose outcome is not known: theirs may have been made of either, so what
  /// they made of it is only taken where it can't cost an edit that they never saw.
  package static func of(
    base: [String: FieldValue]?, sent: [String: FieldValue]? = nil, mine: [String: FieldValue],
    theirs: [String: FieldValue]
  ) -> RecordMerge {
    var merged = theirs
    var clashes: [String] = []
    for (name, mineValue) in mine {
      // A column the server's copy does not have: a poorer table, which will go on ignoring it.
      guard let theirValue = theirs[name] else { continue }
      let column = ColumnMerge(base: base.map { $0[name] ?? .null }, sent: sent.map { $0[name] ?? .null })
      if let value = column.merged(mine: mineValue, theirs: theirValue) {
        merged[name] = value
      } else {
        clashes.append(name)
      }
    }
    return clashes.isEmpty ? .merged(merged) : .clash(clashes.sorted())
  }

  /// The copy that mine is to be held against: in a column that was put back after it was sent that is what was
  /// sent, or putting it back would look like no change at all.
  static func ancestor(
    base: [String: FieldValue], sent: [String: FieldValue]?, mine: [String: FieldValue]
  ) -> [String: FieldValue] {
    guard let sent else { return base }
    return base.merging(sent) { base, _ in base }.reduce(into: [:]) { ancestor, column in
      let wasPutBack = mine[column.key] == column.value
      ancestor[column.key] = wasPutBack ? sent[column.key] ?? column.value : column.value
    }
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
}

/// Two changes of one column.
private struct ColumnMerge {
  let base: FieldValue?
  let sent: FieldValue?

  /// Theirs may have been made of what was sent, and that is another value than the base.
  private var isUndecided: Bool { sent != nil && sent != base }

  /// Nil for a clash.
  func merged(mine: FieldValue, theirs: FieldValue) -> FieldValue? {
    if mine == theirs { return theirs }
    if theirs == base || theirs == sent { return mine }
    guard isUndecided, mine != sent else { return mine == base ? theirs : words(from: base, mine, theirs) }
    // Changed again since it was sent.
    let fromSent = words(from: sent, mine, theirs)
    // Where theirs was made of the base after all, the edits they have in common show it.
    guard mine != base else { return fromSent }
    guard let fromBase = words(from: base, mine, theirs) else { return hasSeen(theirs) ? fromSent : nil }
    return fromSent == nil || fromSent == fromBase ? fromBase : nil
  }

  /// True when theirs has every edit that was sent: then it was made of that.
  private func hasSeen(_ theirs: FieldValue) -> Bool {
    guard case .text(let base) = base, case .text(let sent) = sent, case .text(let theirs) = theirs else {
      return false
    }
    guard let own = TextMerge.edits(from: base, to: sent), let all = TextMerge.edits(from: base, to: theirs)
    else { return false }
    return own.allSatisfy(all.contains)
  }

  private func words(from ancestor: FieldValue?, _ mine: FieldValue, _ theirs: FieldValue) -> FieldValue? {
    guard case .text(let base) = ancestor, case .text(let mine) = mine, case .text(let theirs) = theirs
    else { return nil }
    return TextMerge.merged(base: base, mine: mine, theirs: theirs).map(FieldValue.text)
  }
}
