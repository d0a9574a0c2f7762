import TableProtocol

/// The rule for a copy that an insert meets after it may have arrived (Q5).
///
/// No other device knows the id of a new row, so the copy comes from an insert of this device. It need not be the one
/// under way. A device that was put back from a backup does not remember what it sent since, and a copy of its store
/// may have sent the row too (D27). What the row held here before tells the two apart.
extension TrackedRow {
  /// Returns the columns that the server's copy, live or deleted, was made from: those that were sent, or earlier ones.
  /// Nil if no insert is under way, or if the server shows no copy.
  func origin(of copy: ServerSide) -> Columns? {
    guard base == .never, let want = underWay?.want, let shown = copy.record?.values else { return nil }
    if shown.isEmpty || want.agrees(with: shown) { return want }
    return Columns.origin(of: shown, among: earlier, last: want)
  }
}

extension Columns {
  /// Returns the newest of some states of a row of which the copy shows words that the states before it lack; the
  /// oldest if there is none. `states` are oldest first, and `last` comes after them.
  static func origin(of copy: Columns, among states: [Columns], last: Columns) -> Columns {
    var older = states[...]
    var newest = last
    while let before = older.popLast() {
      if older.allSatisfy({ newest.addsWords(to: $0, in: copy) }), newest.addsWords(to: before, in: copy) { break }
      newest = before
    }
    return newest
  }

  /// True if the copy has words in a column that these columns have there, and `old` has not.
  private func addsWords(to old: Columns, in copy: Columns) -> Bool {
    contains { name, value in
      guard let new = value.text, let text = copy[name]?.text else { return false }
      return TextMerge.sharesNewWord(of: new, since: old[name]?.text ?? "", with: text)
    }
  }
}
