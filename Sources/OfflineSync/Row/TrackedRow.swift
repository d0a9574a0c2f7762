package import TableProtocol

/// The user's columns of a row, by name.
package typealias Columns = [String: FieldValue]

/// One row as this device tracks it: what the list shows, what the server has, and what has to happen between the two.
///
/// Every rule of a row is a function over this value. A rule knows no store, no clock and no request;
/// `Resources/docs/sync-rules.md` lists the rules, `Resources/docs/row-states.md` what each event makes of each state.
///
/// A second change is not stored. It is the difference between `local` and what is under way, so an edit that is put
/// back and an insert that is deleted again need no rule of their own. Nothing is set aside either: a copy that
/// arrives under a change is judged at once.
package struct TrackedRow: Sendable, Hashable {
  package let id: RecordID
  /// The columns that the list shows. Nil if the row is not in the list.
  package var local: Columns?
  /// When the row was made, UTC: by the server if it said so, else by this device.
  package var createdAt: Timestamp?
  /// The copy that `local` was made from. It stays while an attempt is under way.
  ///
  /// It is something else after a server went back to an older state (W4): in a held row, the older copy that the
  /// server has now, and in a conflict about a copy that the server lost, what the server has instead (`isAboutLost`).
  package var base: ServerSide
  /// The newest copy that this device heard of. It differs from `base` only in a conflict (I2).
  ///
  /// In a conflict about a copy that the server lost, it is that copy. So ask `there` what the server has now.
  package var server: ServerSide
  /// The change that is being sent or may have been sent, and has no answer yet.
  package var underWay: Attempt?
  /// Why a person is asked. A conflict and a held row are not sent meanwhile. A refused change is sent again with each
  /// push, after all others (Q2).
  package var attention: Attention?
  package var places: Places
  /// The states that the row had here before it was sent as a new one, or before its last copy of a database that the
  /// list has left; oldest first. Read from the past versions if a server turns out to have another copy, and never
  /// saved.
  package var earlier: [Columns] = []
  /// True if the row meets a copy of another database than its own: both rows may have begun with one of the `earlier`
  /// states. Set with them by ``recalling(_:)``, and never saved.
  package var looksForAncestor = false

  package init(
    id: RecordID, local: Columns? = nil, createdAt: Timestamp? = nil, base: ServerSide = .never,
    server: ServerSide? = nil, underWay: Attempt? = nil, attention: Attention? = nil, places: Places = Places()
  ) {
    self.id = id
    self.local = local
    self.createdAt = createdAt
    self.base = base
    self.server = server ?? base
    self.underWay = underWay
    self.attention = attention
    self.places = places
  }
}

/// A change that is being sent or may have been sent: the durable mark that is committed before the first byte leaves
/// (Q10). After a crash nothing says whether a byte left.
package struct Attempt: Sendable, Hashable {
  /// The columns that were sent; nil for a delete. Sent again unchanged until an answer settles it.
  package let want: Columns?
  /// True if an earlier attempt may have reached the server.
  package var isRepeat: Bool

  package init(want: Columns?, isRepeat: Bool = true) {
    self.want = want
    self.isRepeat = isRepeat
  }
}

/// A question to a person, or a refusal that a person should know.
package enum Attention: Sendable, Hashable {
  /// `base`, `local` and `server` do not fit together. `sent` is what an attempt may have left on the server.
  case conflict(sent: Columns?)
  /// The server refused the change: the HTTP status and its own words.
  case refused(status: Int, message: String)
  /// The server went back to an older state. `acknowledged` is what this device had from it before; nil if the row
  /// was deleted.
  case held(acknowledged: Columns?)
}

/// The places of a row's changes in the journal: the order in which they are sent. A change keeps its place while it
/// becomes another one (Q15).
package struct Places: Sendable, Hashable {
  package var underWay: Int64?
  package var waiting: Int64?

  package init(underWay: Int64? = nil, waiting: Int64? = nil) {
    self.underWay = underWay
    self.waiting = waiting
  }
}

/// The kind of a change that is sent to the server.
package enum ChangeKind: Sendable, Hashable, CaseIterable {
  case insert, update, delete
  /// Makes a deleted row live again.
  case revival
}

extension TrackedRow {
  /// The columns that the server has once the attempt under way has arrived; nil for no row.
  package var expected: Columns? {
    if let underWay { underWay.want } else { base.live }
  }

  /// True if something has to be sent, or stands behind what is under way.
  package var waits: Bool { !Columns.agree(local, expected) }

  /// True if nothing waits, nothing is under way and nobody has to decide.
  package var isAtRest: Bool { underWay == nil && attention == nil && !waits }

  package var isConflict: Bool {
    if case .conflict = attention { true } else { false }
  }

  package var isHeld: Bool {
    if case .held = attention { true } else { false }
  }

  package var isRefused: Bool {
    if case .refused = attention { true } else { false }
  }

  /// The server's row, as far as this device knows; nil if the server has no live row.
  package var theirs: Record? { server.isLive ? server.record : nil }

  /// The kind of a change that leads to these columns; nil for a delete.
  package func kind(to want: Columns?) -> ChangeKind {
    guard want != nil else { return .delete }
    return switch base {
    case .never: .insert
    case .known: .update
    case .tombstone, .unknown: .revival
    }
  }
}

/// The state of a row towards the server, and the sum of its changes. A row in a conflict, a refused row and one
/// that is held have a change too, which waits for a person or for the next push.
package enum RowStatus: Sendable, Hashable {
  /// The server has what is shown, and nobody has to decide.
  case synced
  /// The change waits to be sent.
  case waiting(ChangeKind)
  /// The change is being sent or may have been sent, and its outcome is not known yet.
  case underWay(ChangeKind)
  /// The server's copy changed too; a person has to choose.
  case conflict(ChangeKind)
  /// The server went back to an older state; a person has to say which side is right.
  case held(ChangeKind)
  /// The server refused the change: the HTTP status and its own words.
  case refused(ChangeKind, status: Int, message: String)

  /// The change that the server has not accepted yet; nil if there is none.
  package var change: ChangeKind? {
    switch self {
    case .synced: nil
    case .waiting(let kind), .underWay(let kind), .conflict(let kind), .held(let kind), .refused(let kind, _, _): kind
    }
  }
}

extension TrackedRow {
  package var status: RowStatus {
    switch attention {
    case .conflict: .conflict(change)
    case .held: .held(change)
    case .refused(let status, let message): .refused(change, status: status, message: message)
    case nil where underWay != nil: .underWay(change)
    case nil: waits ? .waiting(change) : .synced
    }
  }

  /// The change under way and the one behind it as one change: an insert that was sent and edited since is still an
  /// insert.
  private var change: ChangeKind {
    guard local != nil else { return .delete }
    guard let underWay else { return kind(to: local) }
    return underWay.want == nil ? .update : kind(to: underWay.want)
  }
}

/// The decision of a rule about a change.
package enum Verdict: Sendable, Hashable {
  /// The attempt is over and nothing more has to be sent.
  case settled
  /// The row has a change that has to be sent in this push.
  case sendAgain
  /// The row has a conflict or a refusal now.
  case needsDecision
  /// The attempt is still under way, or goes out with the next push.
  case open
}

extension Columns {
  /// True if every column that both have holds the same. A table with fewer columns does not differ by that; a copy
  /// of which no column is known agrees with nothing.
  package func agrees(with other: Columns) -> Bool {
    self == other || isEmpty == other.isEmpty && allSatisfy { name, value in other[name].map { $0 == value } ?? true }
  }

  /// The same for rows that may be absent; two absent rows agree.
  package static func agree(_ left: Columns?, _ right: Columns?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.agrees(with: right)
    case (nil, _?), (_?, nil): false
    }
  }

  /// True if a copy of the server shows that an attempt for these columns arrived (Q6). `base` is what the attempt was
  /// made from. The copy may lack a column that the attempt did not change. If it lacks one that the attempt changed,
  /// it proves nothing: the server may not show that column, or may not have heard of the attempt.
  package func areShown(in copy: Columns, since base: Columns?) -> Bool {
    agrees(with: copy) && allSatisfy { name, value in copy[name] != nil || base?[name] == value }
  }

  /// These columns, with what `newer` has for them. Columns that are new here are added only to an empty row: the
  /// others are of no interest to this table.
  package func updated(from newer: Columns) -> Columns {
    isEmpty || self == newer ? newer : reduce(into: self) { $0[$1.key] = newer[$1.key] ?? $1.value }
  }
}

extension TrackedRow {
  /// The row as the list has it: its columns, and of the server's copy what the table keeps. Nil if it is not in the
  /// list.
  package var shown: Record? {
    local.map { values in
      let copy = base.isLive ? base.record?.system : nil
      return Record(
        id: id, values: values,
        system: SystemProperties(createdAt: createdAt, updatedAt: copy?.updatedAt, version: copy?.version))
    }
  }

  /// The tombstone of a row that was just deleted here; nil if no server has heard of the row. Its version is not
  /// known yet; its time is that of the copy it replaces. Without it a row that is added again would pass for a new
  /// one.
  package var trace: Record? {
    switch base {
    case .never where underWay == nil: nil
    case .never, .known:
      Record(
        id: id, values: underWay?.want ?? base.live ?? [:],
        system: SystemProperties(createdAt: createdAt, updatedAt: base.updatedAt, deleted: true))
    case .tombstone(let copy): copy
    case .unknown: .unseenTombstone(id)
    }
  }
}
