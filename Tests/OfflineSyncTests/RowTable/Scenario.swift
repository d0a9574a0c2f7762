import TableProtocol

@testable import OfflineSync

/// One event on one row.
struct Scenario {
  let event: RowEvent
  let row: TrackedRow
  /// What the table may ask about.
  let circumstances: Set<Circumstance>
  /// The events whose cells may stand in for this one's, the next first.
  let likes: [RowEvent]
  /// Carries the event out. Returns the verdict of an answer.
  let apply: (inout TrackedRow) -> Verdict?

  init(
    _ event: RowEvent, _ row: TrackedRow, _ circumstances: Set<Circumstance> = [], likes: [RowEvent] = [],
    without: Set<Circumstance> = [], apply: @escaping (inout TrackedRow) -> Verdict?
  ) {
    self.event = event
    self.row = row
    self.circumstances = Self.circumstances(of: row).subtracting(without).union(circumstances)
    self.likes = likes
    self.apply = apply
  }

  /// An event without an answer.
  static func change(
    _ event: RowEvent, _ row: TrackedRow, _ circumstances: Set<Circumstance> = [], likes: [RowEvent] = [],
    _ apply: @escaping (inout TrackedRow) -> Void
  ) -> Scenario {
    Scenario(event, row, circumstances, likes: likes) {
      apply(&$0)
      return nil
    }
  }

  /// Every event that can happen to this row, in every way that the table tells apart.
  static func all(for row: TrackedRow) -> [Scenario] {
    edits(of: row) + decisions(about: row) + sending(of: row) + answers(to: row) + pages(for: row)
      + listChanges(of: row)
  }

  /// What can be seen of the row itself.
  private static func circumstances(of row: TrackedRow) -> Set<Circumstance> {
    var found: Set<Circumstance> = [row.local == nil ? .gone : .live]
    switch row.kind(to: row.underWay.map(\.want) ?? row.local) {
    case .insert: found.insert(.insert)
    case .update: found.insert(.update)
    case .delete: found.insert(.delete)
    case .revival: found.insert(.revival)
    }
    switch row.base {
    case .tombstone: if row.base.version != nil { found.insert(.versioned) }
    case .unknown: found.insert(.bare)
    case .never, .known: break
    }
    if row.base.live == nil { found.insert(.noAncestor) }
    if row.base == .never, row.underWay != nil, !row.earlier.isEmpty { found.insert(.retyped) }
    if case .conflict(.some) = row.attention { found.insert(.again) }
    if row.isAboutLost { found.insert(.lost) }
    if let attempt = row.underWay {
      found.insert(attempt.isRepeat ? .again : .first)
      if row.base.isLive, Columns.agree(row.local, row.base.live) { found.insert(.putBack) }
    }
    return found
  }
}

extension TrackedRow {
  /// Later than every copy that the row knows: the time, and the number of the version, of the next copy.
  var nextTime: Int64 {
    let times = [base.updatedAt, server.updatedAt, server.deletedAfter]
    let known = times.compactMap { $0?.milliseconds }.max() ?? 0
    return known / 1000 + 1
  }

  /// The columns that somebody else's copy of the row is most likely made from.
  var origin: Columns { base.live ?? base.saidColumns ?? underWay?.want ?? local ?? .base }
}

/// A copy of a row on the server, and the answer that would bring it.
struct ServerCopy {
  let event: RowEvent
  let circumstances: Set<Circumstance>
  let record: Record

  /// Copies that the server may have of a row now. `mayHaveArrived`: also those that somebody made of what was sent.
  static func all(for row: TrackedRow, mayHaveArrived: Bool) -> [ServerCopy] {
    live(for: row, mayHaveArrived) + tombstones(for: row)
  }

  static func live(for row: TrackedRow, _ mayHaveArrived: Bool) -> [ServerCopy] {
    var copies: [ServerCopy] = []
    let wanted = row.underWay.map(\.want) ?? row.local
    let isPutBack = row.underWay != nil && row.base.isLive && Columns.agree(row.local, row.base.live)
    func add(_ event: RowEvent, _ circumstance: Circumstance, _ values: Columns) {
      let isEqual = wanted.map { $0 == values } ?? false
      guard !isEqual || circumstance == .equal else { return }
      copies.append(
        ServerCopy(event: event, circumstances: [circumstance], record: Copy.live(values, at: row.nextTime)))
    }
    if let wanted { add(.a5, .equal, wanted) }
    let earlier = row.underWay == nil ? nil : row.earlier.first
    if let base = row.base.saidColumns ?? earlier { add(.a6, .baseColumns, base) }
    add(.a7, .fits, row.origin.fitting)
    if let local = row.local, !isPutBack { add(.a7, .theirs, local.fitting) }
    if !isPutBack { add(.a8, .clashes, row.origin.clashing) }
    if mayHaveArrived, let want = row.underWay?.want, want != row.local, row.base.isLive {
      add(.a7, .sentColumns, want.fitting)
    }
    return copies
  }

  static func tombstones(for row: TrackedRow) -> [ServerCopy] {
    var copies = [ServerCopy(event: .a9, circumstances: [.noWords], record: Copy.tombstone(at: row.nextTime))]
    copies.append(
      ServerCopy(event: .a9, circumstances: [.otherWords], record: Copy.tombstone(.new, at: row.nextTime)))
    if let mine = row.local {
      copies.append(ServerCopy(event: .a9, circumstances: [.myWords], record: Copy.tombstone(mine, at: row.nextTime)))
    }
    return copies
  }
}
