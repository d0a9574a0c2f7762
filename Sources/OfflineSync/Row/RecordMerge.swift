package import TableProtocol

/// The result of merging two changes of one record (sync-rules row-7).
package enum RecordMerge: Sendable, Hashable {
  /// The changes fit together. The columns after the merge.
  case merged([String: FieldValue])
  /// The changes of these columns do not fit together. The names are in order.
  case clash([String])

  /// Merges two changes of one record, column by column.
  ///
  /// A column that one side changed is that side's. If both sides changed a text, its words are merged. If one
  /// column clashes, nothing of the record is merged.
  ///
  /// - Parameters:
  ///   - base: The copy that both changes started from. Without one, every column that differs clashes.
  ///   - sent: The columns that an earlier attempt sent, if its outcome is unknown. `theirs` may be made of them.
  ///     A column that is missing here was not sent.
  ///   - mine: The columns on this device. A column that is missing here is taken from `theirs`.
  ///   - theirs: The columns of the server. A column that is missing here stays out: the server's table lacks it
  ///     and would ignore it.
  package static func of(
    base: [String: FieldValue]?, sent: [String: FieldValue]? = nil, mine: [String: FieldValue],
    theirs: [String: FieldValue]
  ) -> RecordMerge {
    var merged = theirs
    var clashes: [String] = []
    for (name, theirValue) in theirs {
      guard let mineValue = mine[name] else { continue }
      let column = ColumnMerge(base: base.map { $0[name] ?? .null }, sent: sent?[name])
      if let value = column.merged(mine: mineValue, theirs: theirValue) {
        merged[name] = value
      } else {
        clashes.append(name)
      }
    }
    return clashes.isEmpty ? .merged(merged) : .clash(clashes.sorted())
  }
}

/// The merge of two changes of one column: the paragraph "Columns" of sync-rules row-7.
private struct ColumnMerge {
  /// The value that both sides started from; nil without a common copy.
  let base: FieldValue?
  /// The value that an earlier attempt may have left on the server; nil if it left none.
  let sent: FieldValue?

  /// Returns nil for a clash.
  func merged(mine: FieldValue, theirs: FieldValue) -> FieldValue? {
    // A choice between two values that look the same is none. If theirs is the base, mine is an edit all the same.
    if mine.looks(like: theirs) { return theirs == base ? mine : theirs }
    if theirs.looks(like: base) || theirs.looks(like: sent) { return mine }
    guard let sent, !sent.looks(like: base), !mine.looks(like: sent) else {
      return mine.looks(like: base) ? theirs : text(from: base, mine, theirs)
    }
    // I changed the column again after it was sent. Theirs is made of `sent` or of `base`.
    let fromSent = text(from: sent, mine, theirs)
    if mine.looks(like: base) || hasWordThatWasSent(theirs) { return fromSent }
    guard let fromBase = text(from: base, mine, theirs) else { return nil }
    return fromSent == nil || fromBase == fromSent ? fromBase : nil
  }

  /// True if theirs has a word that was sent and that the base lacks: then it is made of what was sent.
  private func hasWordThatWasSent(_ theirs: FieldValue) -> Bool {
    guard let base, let sent = sent?.text, let theirs = theirs.text else { return false }
    return TextMerge.sharesNewWord(of: sent, since: base.text ?? "", with: theirs)
  }

  private func text(from ancestor: FieldValue?, _ mine: FieldValue, _ theirs: FieldValue) -> FieldValue? {
    guard let base = ancestor?.text, let mine = mine.text, let theirs = theirs.text else { return nil }
    return TextMerge.merged(base: base, mine: mine, theirs: theirs).map(FieldValue.text)
  }
}
