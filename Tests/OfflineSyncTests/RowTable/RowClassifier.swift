import TableProtocol

@testable import OfflineSync

/// Says in which state a row is, and what is wrong with it.
enum RowClassifier {
  static func state(of row: TrackedRow) -> RowState {
    switch row.attention {
    case .conflict: conflict(row)
    case .held: .s26
    case .refused: row.underWay == nil ? refused(row) : .s25
    case nil: row.underWay.map { underWay($0, row) } ?? waiting(row)
    }
  }

  private static func conflict(_ row: TrackedRow) -> RowState {
    if row.local == nil { return .s20 }
    return row.server.isLive ? .s18 : .s19
  }

  private static func refused(_ row: TrackedRow) -> RowState {
    switch row.kind(to: row.local) {
    case .insert: .s21
    case .update: .s22
    case .delete: .s23
    case .revival: .s24
    }
  }

  private static func underWay(_ attempt: Attempt, _ row: TrackedRow) -> RowState {
    let kind = row.kind(to: attempt.want)
    if !row.waits { return sole(kind) }
    return switch kind {
    case .insert: row.local == nil ? .s12 : .s11
    case .update: row.local == nil ? .s14 : .s13
    case .delete: .s15
    case .revival: row.local == nil ? .s17 : .s16
    }
  }

  /// The state of a row with one change of this kind under way.
  static func sole(_ kind: ChangeKind) -> RowState {
    switch kind {
    case .insert: .s7
    case .update: .s8
    case .delete: .s9
    case .revival: .s10
    }
  }

  private static func waiting(_ row: TrackedRow) -> RowState {
    guard !row.waits else {
      return switch row.kind(to: row.local) {
      case .insert: .s3
      case .update: .s4
      case .delete: .s5
      case .revival: .s6
      }
    }
    if row.local != nil { return .s1 }
    return row.base == .never ? .s0 : .s2
  }
}

extension RowClassifier {
  /// The invariants of one row that are broken, in words (I1 to I6).
  static func faults(of row: TrackedRow) -> [String] {
    var faults: [String] = []
    func check(_ holds: Bool, _ fault: String) { if !holds { faults.append(fault) } }
    check(row.isConflict || row.server == row.base, "I1, I2: server and base differ outside a conflict")
    check(!row.isConflict || row.underWay == nil, "I3: a conflict is under way")
    check(!row.isConflict || !Columns.agree(row.local, row.server.live), "I4: a conflict about nothing")
    if let attempt = row.underWay, attempt.want == nil {
      check(row.base.isLive, "I5: a delete is under way from a row that is not known to live")
    }
    if case .held = row.attention { check(row.underWay == nil, "a held row is under way") }
    check((row.places.underWay != nil) == (row.underWay != nil), "the place of the attempt")
    if row.isAtRest { check(row.places == Places(), "a row at rest has a place in the journal") }
    if row.waits, row.underWay == nil, row.base == .never { check(row.local != nil, "a delete of what never was") }
    return faults
  }

  /// The invariants of a step that are broken (I7 to I9).
  static func faults(from before: TrackedRow, to after: TrackedRow, by event: RowEvent) -> [String] {
    var faults: [String] = []
    if let old = before.underWay, let new = after.underWay, old.want == new.want, event != .w2 {
      if before.base != after.base { faults.append("I7: the base of an attempt changed") }
    }
    // The other side of a conflict about a lost copy is what the server had before.
    if let old = before.there.updatedAt, let new = after.there.updatedAt, new < old {
      let mayGoBack = [.w4, .p3, .a17].contains(event) || before.server.version == TrackedRow.voidVersion
      if !mayGoBack { faults.append("I8: the server's copy went back") }
    }
    if before.underWay != nil, after.underWay == nil {
      switch event.group {
      case .local: faults.append("I9: the mark was taken off by a change here")
      case .sending where event != .m4 || before.underWay?.isRepeat == true:
        faults.append("I9: the mark was taken off without an answer")
      case .sending, .answer, .page, .list: break
      }
    }
    if event.group != .list, !keepsPlace(before, after) { faults.append("Q15: a change lost its place") }
    return faults
  }

  /// A change keeps its place in the journal while it becomes another one.
  private static func keepsPlace(_ before: TrackedRow, _ after: TrackedRow) -> Bool {
    let old = [before.places.underWay, before.places.waiting].compactMap(\.self)
    guard !old.isEmpty, after.waits || after.attention != nil || after.underWay != nil else { return true }
    let first = after.places.underWay ?? after.places.waiting
    return first.map(old.contains) ?? false
  }

  /// The verdict that a row calls for.
  static func expectedVerdicts(of row: TrackedRow) -> [Verdict] {
    if row.underWay != nil { return [.open] }
    if row.attention != nil { return [.needsDecision, .open] }
    return row.waits ? [.sendAgain, .open] : [.settled, .open]
  }
}
