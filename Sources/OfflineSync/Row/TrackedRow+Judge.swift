import TableProtocol

/// The rules for a row whose copy on the server is another than its base. The names J1 to J5 are those of
/// `Resources/docs/sync-rules.md`.
extension TrackedRow {
  /// Meets a copy of another version than the base's. `mayHaveArrived` says that an attempt may have reached the server
  /// before the copy was made: it was repeated, or the copy came by a page or a read.
  mutating func meet(_ copy: ServerSide, mayHaveArrived: Bool) -> Verdict {
    let copy = completed(copy)
    findAncestor(of: copy)
    guard let attempt = underWay else {
      meetWaiting(copy)
      return verdict
    }
    let origin = mayHaveArrived ? origin(of: copy) : nil
    let isOwnInsert = copy.isLive && origin == .sent
    if isOwnInsert || isFulfilled(attempt.want, by: copy) { return accept(copy, isDirect: false) }
    if case .earlier(let state) = origin { base = .known(Record(id: id, values: state)) }
    takeAttemptOff()
    server = copy
    judge(sent: mayHaveArrived ? attempt.want : nil)
    return verdict
  }

  /// True if the server has what was sent: its answer was lost the first time (Q5, Q6, Q7).
  func isFulfilled(_ want: Columns?, by copy: ServerSide) -> Bool {
    guard let want else { return !copy.isLive }
    return copy.live.map { want.areShown(in: $0, since: base.saidColumns) } ?? false
  }

  /// The copy, with the columns that it does not show as they were in the copy that the row was made from. So a change
  /// of such a column is not taken for arrived, nor for what others made of the row.
  func completed(_ copy: ServerSide) -> ServerSide { copy.completed(from: base.live ?? [:]) }

  /// A change that waits, or a conflict. A row that is held stays held unless the copy ends the question.
  mutating func meetWaiting(_ copy: ServerSide) {
    let before = attention
    // The server's copy differs from the one in question by its version alone.
    if isAboutLost, Columns.agree(copy.live, base.live) {
      base = copy
      return
    }
    server = copy
    switch before {
    case .conflict(let sent): judge(sent: sent, isOpen: true)
    case .refused, nil: judge()
    case .held:
      judge()
      if attention == nil, waits { attention = before }
      // Nothing says whether the server's new text was made from its older copy or from what it has lost.
      if isConflict, local != nil, server.isLive { base = .unknown }
    }
  }

  /// Decides what has to be done, with nothing under way. `sent` is what an attempt may have left on the server.
  /// `isOpen` says that a person was asked already: a deletion there does not answer the question for them.
  mutating func judge(sent: Columns? = nil, isOpen: Bool = false) {
    attention = nil
    if agreesWithServer {
      rest()  // J1
    } else if isOpen, isDeletedThere {
      attention = .conflict(sent: sent)
    } else if server.isSameCopy(as: base) {
      server = base  // J2
    } else if local == nil {
      judgeDelete(sent)  // J3
    } else if server.isLive {
      judgeEdit(sent)  // J5
    } else {
      judgeAgainstDeletion(sent)  // J4
    }
  }

  /// J1. Both sides deleted the row, or both hold the same (D12).
  var agreesWithServer: Bool {
    guard let local else { return !server.isLive }
    guard let theirs = server.live else { return false }
    return base.isLive ? local.agrees(with: theirs) : local.areShown(in: theirs, since: base.saidColumns)
  }

  /// A row that is here and deleted there, and no copy says what it was made from.
  private var isDeletedThere: Bool {
    guard local != nil, !base.isLive else { return false }
    return switch server {
    case .tombstone, .unknown: true
    case .never, .known: false
    }
  }

  /// The row is what the server has. Protocol 3.0.0 does not say when a row was made: the first change of it that this
  /// device saw stands in, so that lists have an order that stays.
  mutating func rest() {
    // A copy without any column says nothing against those that are here, and nothing of them waits.
    if case .known(var copy) = server, copy.values.isEmpty, let local {
      copy.values = local
      server = .known(copy)
    }
    base = server
    attention = nil
    places = Places()
    createdAt = server.record?.system.createdAt ?? createdAt ?? server.updatedAt
    local = server.live.map { (local ?? [:]).updated(from: $0) }
  }

  /// J3: deleted here, live there. A delete is never merged: the other's edit is worth a question.
  private mutating func judgeDelete(_ sent: Columns?) {
    let known = [knownColumns(sent), sent].compactMap(\.self)
    if let copy = server.live, known.contains(where: copy.look(like:)) {
      base = server
    } else {
      attention = .conflict(sent: sent)
    }
  }

  /// J4: live here, deleted there.
  private mutating func judgeAgainstDeletion(_ sent: Columns?) {
    switch base {
    case .known(let copy):
      // Nothing of mine stands against the deletion, if the row holds what it was made from. Columns that were put back
      // after they were sent do: whoever deleted the row may have seen only what was sent.
      let isMine = !Columns.lookAlike(local, copy.values) || !Columns.lookAlike(local, sent ?? local)
      if isMine { attention = .conflict(sent: sent) } else { rest() }
    case .never:
      judgeNewAgainstDeletion(sent)
    case .tombstone, .unknown:
      if sent != nil, isDeletedAgain { attention = .conflict(sent: sent) } else { base = server }
    }
  }

  /// True if the server's tombstone is another than the one that the row was to live again from. If the list has
  /// another address since, its version says nothing, and the columns decide (W2).
  private var isDeletedAgain: Bool {
    guard let started = base.version, server.version != nil else { return false }
    guard started == Self.voidVersion else { return true }
    guard let last = base.saidColumns, let now = server.saidColumns else { return false }
    return last != now
  }

  /// A new row that the server has as deleted. It had arrived: somebody saw it and deleted it, or it was sent from a
  /// copy of this store (D10). Only words that nobody can have seen are asked about.
  private mutating func judgeNewAgainstDeletion(_ sent: Columns?) {
    // A row that nobody has proves nothing: it goes out as it is.
    if server == .unknown {
      server = base
      return
    }
    let seen = sent ?? server.saidColumns ?? local
    if Columns.lookAlike(local, seen) { return rest() }
    if let sent { base = .known(Record(id: id, values: sent)) }
    attention = .conflict(sent: nil)
  }

  /// The columns that a live copy may have without anybody having written something new: those of the base. If a server
  /// gave the base as a tombstone, nobody here has seen them, and they count only if half of a revival may have
  /// arrived.
  private func knownColumns(_ sent: Columns?) -> Columns? {
    if case .tombstone = base, base.version != nil, sent == nil { return nil }
    return base.saidColumns
  }

  /// J5: live here and there.
  private mutating func judgeEdit(_ sent: Columns?) {
    guard let local, let theirs = server.live else { return }
    if case .tombstone = base, theirs == knownColumns(sent) {
      // Half of a revival, or somebody revived what was here (D13).
      server = completed(server, under: local)
      base = server
      return
    }
    switch RecordMerge.of(base: base.live, sent: sent, mine: local, theirs: theirs) {
    case .merged(let values): keep(values, over: server)
    case .clash: attention = .conflict(sent: sent)
    }
  }

  /// The row holds these columns, made from the server's copy. It is at rest if they are the server's.
  mutating func keep(_ values: Columns, over copy: ServerSide) {
    let mine = (local ?? [:]).updated(from: values)
    local = mine
    server = completed(copy, under: mine)
    base = server
    createdAt = copy.record?.system.createdAt ?? createdAt
    if agreesWithServer { rest() }
  }

  /// The copy as the base of what is here. A column that no copy ever showed waits: the server has to answer for it.
  private func completed(_ copy: ServerSide, under mine: Columns) -> ServerSide {
    let old = base.saidColumns ?? [:]
    return copy.completed(from: mine.reduce(into: [:]) { $0[$1.key] = old[$1.key] ?? .null })
  }

  /// The attempt ended without effect: what waits behind it takes its place in the journal.
  mutating func takeAttemptOff() {
    underWay = nil
    places = Places(waiting: places.underWay ?? places.waiting)
  }

  /// The work that remains for the row.
  var verdict: Verdict {
    if attention != nil { return .needsDecision }
    if underWay != nil { return .open }
    return waits ? .sendAgain : .settled
  }
}
