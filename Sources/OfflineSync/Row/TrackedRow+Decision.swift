public import TableProtocol

/// A person's decision about a conflict, a refusal or a held row.
public enum ConflictResolution: Sendable, Hashable {
  /// The row on this device is sent to the server and replaces its copy.
  case mine
  /// The server's copy becomes the row on this device, and the local change is dropped.
  case theirs
  /// The server's copy stays, and mine becomes a row of its own. Not for a refused change.
  case both
  /// These columns, here and there.
  case merged([String: FieldValue])
}

extension TrackedRow {
  /// True if `both` makes sense: two live texts, or mine against a deletion. A refused row would be refused as a copy
  /// too.
  package var offersBoth: Bool { (isConflict || isHeld) && local != nil }

  /// Carries out a decision about the copy that was shown; nil for the newest one. That copy becomes the base, so that
  /// one nobody has seen is never overwritten: the row is judged again if the server has moved on since.
  package mutating func resolve(_ resolution: ConflictResolution, shown: ServerSide? = nil) {
    switch attention {
    case nil: return
    case .refused: resolveRefusal(resolution)
    case .held(let acknowledged): resolveHeld(resolution, acknowledged: acknowledged)
    case .conflict(let sent): resolveConflict(resolution, shown: shown ?? server, sent: sent)
    }
  }

  private mutating func resolveConflict(_ resolution: ConflictResolution, shown: ServerSide, sent: Columns?) {
    switch resolution {
    case .mine:
      local = local.map { withUntouchedColumns(of: $0, from: shown, sent: sent) }
    case .theirs, .both:
      local = shown.live.map { (local ?? [:]).updated(from: $0) }
    case .merged(let values):
      let mine = local.map { withUntouchedColumns(of: $0, from: shown, sent: sent) } ?? shown.live ?? base.live ?? [:]
      local = mine.merging(values) { $1 }
    }
    createdAt = createdAt ?? shown.record?.system.createdAt
    if isAboutLost { return goOn(from: base, places) }
    base = shown
    judge()
  }

  /// Columns that I did not change are the server's, whoever wins the others.
  private func withUntouchedColumns(of mine: Columns, from shown: ServerSide, sent: Columns?) -> Columns {
    guard let old = base.live, let theirs = shown.live else { return mine }
    return mine.reduce(into: [:]) { kept, column in
      let isUntouched = old[column.key] == column.value && (sent.map { $0[column.key] == column.value } ?? true)
      kept[column.key] = isUntouched ? theirs[column.key] ?? column.value : column.value
    }
  }

  /// The change may be on its way again. Then what was decided waits behind it, and is final all the same (D9).
  private mutating func resolveRefusal(_ resolution: ConflictResolution) {
    switch resolution {
    case .mine: attention = nil
    case .theirs: drop()
    // Nothing is decided: a copy would be refused too, and to drop the change would lose its text.
    case .both: return
    case .merged(let values):
      attention = nil
      edit(to: (local ?? base.live ?? [:]).merging(values) { $1 })
    }
  }

  private mutating func resolveHeld(_ resolution: ConflictResolution, acknowledged: Columns?) {
    switch resolution {
    case .mine: attention = nil
    case .theirs, .both: keepServer(acknowledged)
    case .merged(let values):
      attention = nil
      edit(to: (local ?? server.live ?? [:]).merging(values) { $1 })
    }
  }

  /// Takes a decision back: the row and its base become what they were, and are judged against what the server has
  /// now. If it was not sent yet, the same conflict is open again. `shown` is the copy that was decided about, `sent`
  /// what an attempt may have left on the server then. In a conflict about a copy that the server has lost since,
  /// neither copy of the decision is the server's: it becomes an edit. `isOpen` is false if it is the taking back that
  /// is undone: a deletion that was decided about is not asked about again. `createdAt` is for a row that is not in the
  /// list.
  package mutating func reopen(
    local: Columns?, base: ServerSide, shown: ServerSide, sent: Columns? = nil, isOpen: Bool = true,
    createdAt: Timestamp? = nil
  ) {
    if local != nil { self.createdAt = self.createdAt ?? createdAt }
    guard underWay == nil, !isAboutLost else { return edit(to: local) }
    if isUntracked {
      // The row is gone on both sides: a live copy that was shown then is no longer there. A copy that the server had
      // lost before is in question again.
      let wasLost = shown.isLostCopy && !base.isLive
      guard local != nil || wasLost else { return }
      server = wasLost ? base : shown.isLive ? .unknown : shown
    }
    let isUnsent = server.isSameCopy(as: base)
    self.local = local
    self.base = base
    guard shown.isLostCopy, isUnsent else { return judge(sent: sent, isOpen: isOpen) }
    server = shown
    attention = .conflict(sent: sent)
  }
}
