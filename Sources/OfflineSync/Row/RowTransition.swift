package import TableProtocol

/// A change of the columns of a row, as it is saved. It is derived from the row before and after.
struct RowTransition {
  let before: Record?
  let after: Record?
  /// When it was changed: by this device's clock if the change was made here, else by the server's.
  let changedAt: Timestamp?
  let origin: RowOrigin
  /// True if the row did not change, and its conflict ended with what others did: news, but no version (T8).
  var endsConflict = false
  /// True for a copy of the server that the list never showed: a version, but no news (T5).
  var isOverruled = false

  var id: RecordID { after?.id ?? before?.id ?? "" }
}

extension RowTransition {
  /// The changes that lead from one state of a row to another: none if its columns stay, two if somebody else's copy
  /// came between (T2, T3). `old` and `new` are the row as the list shows it.
  static func list(
    from before: TrackedRow, to after: TrackedRow, showing old: Record?, _ new: Record?, _ cause: ChangeCause
  ) -> [RowTransition] {
    guard old?.values != new?.values else {
      return overruled(from: before, to: after, cause) + conflictEnded(from: before, to: after, cause)
    }
    switch cause {
    case .person(let now, _):
      if new == nil, before.isHeld, case .known(let theirs) = before.server {
        return transitions(from: old, over: theirs, to: nil, now)
      }
      let left = new == nil && before.isMissingThere ? old?.markedAsDeletedWhileLost : old
      return [RowTransition(before: left, after: new, changedAt: now, origin: .here)]
    case .decision(let now), .sync(let now, _):
      let theirs = after.base
      if Columns.agree(after.local, theirs.live) {
        return [RowTransition(before: old, after: new, changedAt: theirs.updatedAt, origin: .server)]
      }
      guard case .known(let seen) = theirs, !cause.isOwn || theirs != before.base else {
        return [RowTransition(before: old, after: new, changedAt: now, origin: cause.isOwn ? .here : .merge)]
      }
      guard seen.values != old?.values else {
        return [RowTransition(before: old, after: new, changedAt: now, origin: .merge)]
      }
      return [
        RowTransition(before: old, after: seen, changedAt: seen.system.updatedAt, origin: .server),
        RowTransition(before: seen, after: new, changedAt: now, origin: .merge),
      ]
    }
  }

  /// The person here, or a delegate, kept the row against the server's copy. The copy becomes a version, so that it can
  /// be restored after the decision was sent (T5, L15).
  private static func overruled(
    from before: TrackedRow, to after: TrackedRow, _ cause: ChangeCause
  ) -> [RowTransition] {
    guard before.isConflict, !after.isConflict, case .known(let theirs) = before.server, theirs.values != after.local
    else { return [] }
    switch cause {
    case .decision(let now) where after.base == before.server || before.isAboutLost:
      return transitions(from: before.shown, over: theirs, to: after.shown, now)
    case .sync(let now, _) where isDecided(from: before, to: after):
      return transitions(from: before.shown, over: theirs, to: after.shown, now).map { transition in
        var transition = transition
        transition.isOverruled = true
        return transition
      }
    case .decision, .sync, .person: return []
    }
  }

  /// True if a delegate decided about a conflict in a sync: only that makes the row here a change of the very copy in
  /// question. All else that ends a conflict there brings another copy.
  private static func isDecided(from before: TrackedRow, to after: TrackedRow) -> Bool {
    before.isConflict && !after.isConflict && after.base == before.server
  }

  /// A row that the person here put in the place of the server's copy, which becomes a version if it is another.
  private static func transitions(
    from old: Record?, over theirs: Record, to new: Record?, _ now: Timestamp
  ) -> [RowTransition] {
    guard theirs.values != old?.values else {
      return [RowTransition(before: old, after: new, changedAt: now, origin: .here)]
    }
    return [
      RowTransition(before: old, after: theirs, changedAt: theirs.system.updatedAt, origin: .server),
      RowTransition(before: theirs, after: new, changedAt: now, origin: .here),
    ]
  }

  /// A conflict ended without a decision, and the row stays as it is. It must not end silently (T8). If both sides
  /// deleted the row, the news shows the copy that the question was about.
  private static func conflictEnded(
    from before: TrackedRow, to after: TrackedRow, _ cause: ChangeCause
  ) -> [RowTransition] {
    guard case .sync(let now, _) = cause, before.isConflict, !after.isConflict, !isDecided(from: before, to: after),
      let shown = before.shown ?? before.server.record
    else { return [] }
    return [RowTransition(before: shown, after: after.shown, changedAt: now, origin: .merge, endsConflict: true)]
  }
}

/// Why a row changes. This decides what is remembered of the change.
package enum ChangeCause: Sendable, Hashable {
  /// The person at this device changed it, at this moment of the device's clock. One of many rows of an import is not
  /// remembered as a version: a long list must not push out what other rows were.
  case person(Timestamp, isOneOfMany: Bool = false)
  /// The person at this device decided about a conflict, or took a decision back.
  case decision(Timestamp)
  /// A sync changed it. `isNews` is false while a device receives its list for the first time.
  case sync(Timestamp, isNews: Bool = true)
}

extension ChangeCause {
  package var now: Timestamp {
    switch self {
    case .person(let now, _), .decision(let now), .sync(let now, _): now
    }
  }

  /// True if the person here has seen the row by making the change.
  package var isOwn: Bool {
    switch self {
    case .person, .decision: true
    case .sync: false
    }
  }
}
