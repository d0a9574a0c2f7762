import TableProtocol

/// Past states of a row tell where the copy of a server comes from. They are asked for a new row that was sent
/// (sync-rules D27), and for every row while the list moves to another database (D31).
extension TrackedRow {
  /// True if past states of the row may tell where this copy comes from. For a row that a server gave, this counts only
  /// while the list moves to another database: the caller must check that.
  func asksPast(about copy: Record?) -> Bool {
    guard base == .never || isFromElsewhere, let newest = newestThere, let copy, !copy.values.isEmpty else {
      return false
    }
    return !newest.agrees(with: copy.values)
  }

  /// Returns the row with those of its past states that came before the newest one of a server. `past` are all that are
  /// kept, oldest first.
  func recalling(_ past: [Columns]) -> TrackedRow {
    guard let newest = newestThere else { return self }
    let isNew = base == .never
    // Later states of the row wait behind this one. A new row had it once, another may have had it before.
    let end = isNew ? past.firstIndex(of: newest) : isAtRest ? nil : past.lastIndex(of: newest)
    var row = self
    row.earlier = Array(past[..<(end ?? past.endIndex)])
    row.looksForAncestor = !isNew
    return row
  }

  /// The newest state that a server had, or may have got from here if none gave the row; nil if there is no such state.
  private var newestThere: Columns? { base == .never ? underWay?.want : base.live }
}
