package import TableProtocol

/// The rules for a row whose server was put back to an older state (sync-rules W4).
///
/// Nothing of it is applied without a person: what this device had from the server is held as an edit of the older
/// copy until somebody says which side is right.
extension TrackedRow {
  /// Compares the row with the copy that the restored server has of it; nil if it has none.
  ///
  /// `since` is the last moment of the state that the server goes on from. It is nil if that is not known, and in a
  /// comparison of the whole list also for a row that ``isLost(on:)``: that was lost then, whatever the moment. A row
  /// that the server has not forgotten is judged as by any page. `deleted` is the tombstone that the past versions have
  /// of a row that is gone here: only with it a person is asked whether the row stays deleted.
  package mutating func serverWentBack(to copy: Record?, since: Timestamp?, deleted: ServerSide? = nil) {
    if isUntracked, let deleted { learn(deleted) }
    let copy = completed(ServerSide(copy))
    if isUnchanged(copy) { return }
    guard hasForgotten(copy, since: since) else { return meetOrdinary(copy) }
    if let attempt = underWay, settles(attempt, with: copy) { return }
    if isConflict, !isWritten(copy, after: since) { return stayInConflict(over: copy) }
    server = copy
    if agreesWithServer { return rest() }
    if local == nil {
      if isWritten(copy, after: since) { judgeWithoutBase() } else { holdDeletion(copy) }
    } else if isHeld {
      base = copy
    } else if let acknowledged = base.live {
      hold(acknowledged, over: copy, since: since)
    } else if copy.isLive {
      meetWaiting(copy)
    } else {
      // It was to live again, and still is.
      base = copy
    }
  }

  /// A question that was open stays open, with both texts: the answer about the whole list must not give away what
  /// somebody else wrote. The person's decision is a change of the copy that the server has now.
  mutating func stayInConflict(over copy: ServerSide) {
    if Columns.agree(copy.live, server.live) { return meetWaiting(copy) }
    // The server's copy now need not be the one that `local` was made from: then it is no ancestor for a merge.
    base = Columns.agree(copy.live, base.live) ? copy : copy.withoutColumns
    server = server.withVersion(Self.lostVersion)
  }

  /// True for a row at rest that the server gave and has no trace of now, or has in an older state. A server with
  /// epochs lost it then, however late its epoch was raised: tombstones stay (wire 11.6).
  package func isLost(on copy: Record?) -> Bool {
    if let copy { return isAtRest && isAhead(of: ServerSide(copy)) }
    return isAtRest && local != nil && server.updatedAt != nil && server.version != Self.voidVersion
  }

  /// The same version is not enough: a server that went back may give it a second time, to something else.
  private func isUnchanged(_ copy: ServerSide) -> Bool {
    copy.version != nil && copy.isSameCopy(as: there) && copy.updatedAt == there.updatedAt
      && Columns.agree(copy.live, there.live)
  }

  /// True if the server lost what this device had heard of the row: in a conflict about a copy that it lost before,
  /// also what it had instead.
  private func hasForgotten(_ copy: ServerSide, since: Timestamp?) -> Bool {
    guard let heard = [server.updatedAt, there.updatedAt].compactMap(\.self).max() else {
      return isAtRest && local == nil && base != .never
    }
    // The times of another server say nothing about this one.
    if server.version == Self.voidVersion { return false }
    if let since { return heard > since }
    return copy.updatedAt.map { $0 < heard } ?? true
  }

  /// Keeps a row at rest that the server deleted or has no trace of, and that must be sent back to it (W7).
  mutating func sendBack(over copy: ServerSide) {
    server = copy
    base = copy
  }

  private mutating func meetOrdinary(_ copy: ServerSide) {
    guard let record = copy.record else { return receiveAbsence() }
    if copy.isLive, !isAtRest, there.updatedAt == nil {
      // A copy that a deletion replaced is no old list then: the server has it again.
      _ = meet(copy, mayHaveArrived: true)
    } else {
      receive(page: record, isOrdered: true)
    }
  }

  /// Returns true if the attempt under way decides what the row becomes. Else it is taken off: it can arrive no more.
  private mutating func settles(_ attempt: Attempt, with copy: ServerSide) -> Bool {
    if isFulfilled(attempt.want, by: copy) {
      _ = accept(copy, isDirect: false)
      return true
    }
    if attempt.want != nil, !base.isLive {
      // It may be on its way still.
      if copy == .unknown { return true }
      if copy.isLive {
        _ = meet(copy, mayHaveArrived: true)
        return true
      }
    }
    takeAttemptOff()
    return false
  }

  /// A delete that waits goes out as before. A delete that was done and is undone by the restore is asked about.
  private mutating func holdDeletion(_ copy: ServerSide) {
    let wasDone = underWay == nil && attention == nil && !base.isLive
    base = copy
    if wasDone {
      attention = .held(acknowledged: nil)
    } else if !isHeld {
      attention = nil
    }
  }

  /// True for a copy that somebody made who did not know what the server has lost. It has no ancestor in common with
  /// what this device has.
  private func isWritten(_ copy: ServerSide, after since: Timestamp?) -> Bool {
    guard let since, copy.isLive, let written = copy.updatedAt else { return false }
    return written > since
  }

  /// Call it before the row meets a live copy that a server without epochs answers to the change under way. `lateness`
  /// is by how many milliseconds a row may be dated before one that came earlier (P6).
  ///
  /// If the copy is older than the base by more than that, and has other columns, the server was put back. The words of
  /// the base that it lacks were lost, and nobody took them out. So the base is no ancestor of the two sides, and a
  /// person is asked (D38).
  mutating func loseAncestor(to copy: ServerSide, lateness: Int64) {
    guard underWay != nil, base.isLive, copy.isLive, isAhead(of: copy, byMoreThan: lateness),
      !Columns.agree(base.live, completed(copy).live)
    else { return }
    base = .unknown
  }

  private mutating func judgeWithoutBase() {
    base = .unknown
    judge()
  }

  /// Holds the acknowledged columns as an edit of the older copy. There is no question if the older copy looks the
  /// same.
  private mutating func hold(_ acknowledged: Columns, over copy: ServerSide, since: Timestamp?) {
    let looksDifferent = copy.live.map { !acknowledged.look(like: $0) } ?? true
    // If somebody has sent again what mine was made from, it still is that.
    if looksDifferent, isWritten(copy, after: since) { return judgeWithoutBase() }
    // Nothing was changed here since: what was acknowledged is no edit then.
    if !looksDifferent, Columns.agree(local, acknowledged) { return rest() }
    base = copy
    attention = looksDifferent ? .held(acknowledged: acknowledged) : nil
  }
}

extension TrackedRow {
  /// True for a row that is here and that the server lacks, as far as this device knows. If the person here deletes it,
  /// nothing is left to be sent, and no other device hears of that. So the deletion is remembered as one of a lost row:
  /// another device may send its copy again.
  var isMissingThere: Bool {
    guard local != nil, underWay == nil else { return false }
    return isHeld ? !base.isLive : base == .unknown && server == .unknown
  }
}

/// The past version of a row that the server lacked when it was deleted here.
extension Record {
  /// The same text as ``TrackedRow/lostVersion``, and it must stay that: stores have it, and a deletion that decides a
  /// conflict about a lost copy leaves that very copy as the past version, which says the same.
  private static let deletedWhileLost = TrackedRow.lostVersion

  var markedAsDeletedWhileLost: Record {
    var marked = self
    marked.system.version = Self.deletedWhileLost
    return marked
  }

  var wasDeletedWhileLost: Bool { system.version == Self.deletedWhileLost }
}

/// A conflict about a copy that the server has lost since.
///
/// `server` is that copy, with a version that no server gives; `base` is what the server has instead.
extension TrackedRow {
  /// A version that no server gives: that of a copy which the server has lost.
  static let lostVersion = RecordVersion("lost")

  package var isAboutLost: Bool { isConflict && server.isLostCopy }

  /// The server's side now.
  var there: ServerSide { isAboutLost ? base : server }

  /// Judges a change that the person here made in a conflict. If it ends one about a lost copy, it is a change of what
  /// the server has instead.
  mutating func judgeConflict(_ sent: Columns?) {
    guard isAboutLost else { return judge(sent: sent, isOpen: true) }
    let (copy, places) = (base, places)
    judge(sent: sent, isOpen: true)
    if attention == nil { goOn(from: copy, places) }
  }

  /// The row waits, as it is, as a change of this copy.
  mutating func goOn(from copy: ServerSide, _ places: Places) {
    attention = nil
    base = copy
    server = copy
    self.places = places
    if agreesWithServer { rest() }
  }
}

extension ServerSide {
  /// True for the copy of a conflict that the server has lost since.
  var isLostCopy: Bool { version == TrackedRow.lostVersion }

  /// A live copy of which only the version is of interest.
  fileprivate var withoutColumns: ServerSide {
    guard case .known(var copy) = self else { return self }
    copy.values = [:]
    return .known(copy)
  }

  func withVersion(_ version: RecordVersion) -> ServerSide {
    guard var copy = record else { return self }
    copy.system.version = version
    return switch self {
    case .known: .known(copy)
    case .tombstone: .tombstone(copy)
    case .never, .unknown: self
    }
  }
}
