package import TableProtocol

/// The edits that the person at this device makes to a row. An edit that changes nothing is no event.
extension TrackedRow {
  /// Sets the columns of the row, or deletes it (nil). Columns that are absent keep what they hold.
  ///
  /// A refusal goes: it spoke of other columns. With nothing under way the row is judged again; what is under way
  /// stays, and the change waits behind it (Q3).
  package mutating func edit(to values: Columns?) {
    let wanted = values.map { (local ?? [:]).merging($0) { $1 } }
    guard wanted != local else { return }
    local = wanted
    if isRefused { attention = nil }
    guard underWay == nil else { return }
    switch attention {
    case .conflict(let sent):
      judgeConflict(sent)
    case .held:
      // Deleting it, or putting it back, answers the question.
      if local == nil || !waits { judge() }
    case .refused, nil:
      judge()
    }
  }

  /// Adds a row that is not in the list. `trace` is what a server may have of it if this device knows nothing else:
  /// `.never` for an id that was just made, the tombstone that the history kept, or `.unknown`.
  package mutating func add(_ values: Columns, createdAt: Timestamp?, trace: ServerSide) {
    if isUntracked { learn(trace) }
    self.createdAt = createdAt ?? self.createdAt
    edit(to: values)
  }

  /// Sets what a server may have of a row about which nothing else is known.
  mutating func learn(_ trace: ServerSide) {
    base = trace
    server = trace
  }

  /// True if nothing is known about the id: no row, no change, no copy.
  package var isUntracked: Bool { local == nil && underWay == nil && attention == nil && base == .never }

  /// Drops what waits. The row becomes what the server has. Nothing that was sent can be unsent: what takes it back
  /// waits behind it as a change of its own (Q10).
  package mutating func drop() {
    if underWay != nil {
      attention = nil
      local = base.live.map { (local ?? [:]).updated(from: $0) }
    } else if case .held(let acknowledged) = attention {
      keepServer(acknowledged)
    } else if isAboutLost {
      resolve(.theirs)
    } else {
      rest()
    }
  }

  /// Puts the server's older copy in place of what this device had from it. An edit that was not sent survives: it is
  /// judged as an edit of what was acknowledged.
  mutating func keepServer(_ acknowledged: Columns?) {
    attention = nil
    if Columns.agree(local, acknowledged) { return rest() }
    base = acknowledged.map { .known(Record(id: id, values: $0)) } ?? .unknown
    judge()
  }
}
