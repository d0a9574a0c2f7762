import TableProtocol

@testable import OfflineSync

extension Scenario {
  /// What the person here can do to the row.
  static func edits(of row: TrackedRow) -> [Scenario] {
    let targets = targets(of: row)
    var scenarios = targets.map { $0.scenario(as: $0.event, of: row) }
    if row.isUntracked {
      scenarios.append(.change(.l1, row) { $0.add(.mine, createdAt: Copy.born, trace: .never) })
    }
    if row.local != nil {
      scenarios += targets.filter { $0.values != nil }.map { $0.scenario(as: .l8, of: row) }
    }
    return scenarios + targets.map { undo($0, of: row) }
  }

  /// What the row is changed to, and the event that this is.
  private struct Target {
    let event: RowEvent
    let values: Columns?
    var circumstances: Set<Circumstance> = []

    func scenario(as event: RowEvent, of row: TrackedRow) -> Scenario {
      .change(event, row, circumstances, likes: event == self.event ? [] : [self.event]) { changed in
        if changed.local == nil, let values {
          changed.add(values, createdAt: Copy.born, trace: circumstances.contains(.newID) ? .never : .unknown)
        } else {
          changed.edit(to: values)
        }
      }
    }
  }

  private static func targets(of row: TrackedRow) -> [Target] {
    row.local == nil ? additions(of: row) : changes(of: row)
  }

  private static func changes(of row: TrackedRow) -> [Target] {
    var targets = [Target(event: .l2, values: .new), Target(event: .l6, values: nil)]
    if row.isConflict, let base = row.base.live, row.server.isLive {
      targets.append(Target(event: .l2, values: base.fitting, circumstances: [.fits]))
    }
    if let base = row.base.live { targets.append(Target(event: .l3, values: base)) }
    if let want = row.underWay?.want { targets.append(Target(event: .l4, values: want)) }
    if row.isConflict, let theirs = row.server.live { targets.append(Target(event: .l5, values: theirs)) }
    return targets.filter { $0.values != row.local }
  }

  private static func additions(of row: TrackedRow) -> [Target] {
    var targets = [Target(event: .l7, values: .new)]
    if row.isUntracked { targets.append(Target(event: .l7, values: .new, circumstances: [.newID])) }
    if let base = row.base.live { targets.append(Target(event: .l7, values: base, circumstances: [.baseColumns])) }
    if let want = row.underWay?.want {
      targets.append(Target(event: .l7, values: want, circumstances: [.sentColumns]))
    }
    if row.isConflict, let base = row.base.live {
      targets.append(Target(event: .l7, values: base.fitting, circumstances: [.fits]))
    }
    return targets
  }

  /// The same, as the undo of a step that did the opposite.
  private static func undo(_ target: Target, of row: TrackedRow) -> Scenario {
    let before = target.values.map {
      Record(id: row.id, values: $0, system: SystemProperties(createdAt: Copy.born))
    }
    let trace = target.circumstances.contains(.newID) ? nil : Record.unseenTombstone(row.id)
    let step = RowChange(table: "items", itemID: row.id, before: before, after: row.shown ?? trace)
    return .change(.l9, row, target.circumstances, likes: [target.event]) { _ = $0.reverse(step, undoing: true) }
  }
}

extension Scenario {
  /// What the person here can decide.
  static func decisions(about row: TrackedRow) -> [Scenario] {
    var scenarios: [Scenario] = []
    let held = heldCircumstances(of: row)
    if !row.isAtRest { scenarios.append(.change(.l10, row, held, likes: [.w6, .l12]) { $0.drop() }) }
    guard row.attention != nil else { return scenarios }
    scenarios.append(.change(.l11, row, held, likes: [.w5]) { $0.resolve(.mine) })
    scenarios.append(.change(.l12, row, held, likes: [.l10, .w6]) { $0.resolve(.theirs) })
    if !row.isRefused { scenarios.append(.change(.l13, row, held, likes: [.l10, .w6]) { $0.resolve(.both) }) }
    scenarios.append(.change(.l14, row) { $0.resolve(.merged(.new)) })
    if row.isConflict, let theirs = row.server.live {
      scenarios.append(.change(.l14, row, [.theirs]) { $0.resolve(.merged(theirs)) })
    }
    if case .held = row.attention {
      scenarios.append(.change(.w5, row, held) { $0.resolve(.mine) })
      scenarios.append(.change(.w6, row, held) { $0.resolve(.theirs) })
    }
    return scenarios
  }

  /// What "keep the server's" depends on.
  private static func heldCircumstances(of row: TrackedRow) -> Set<Circumstance> {
    guard case .held(let acknowledged) = row.attention, !Columns.agree(row.local, acknowledged), let local = row.local
    else { return [] }
    guard let acknowledged, let theirs = row.server.live else { return [.edited] }
    let merge = RecordMerge.of(base: acknowledged, mine: local, theirs: theirs)
    if case .clash = merge { return [.edited, .clashes] }
    return [.edited]
  }

  /// Decisions about a conflict that are undone: at once, once they are under way, and once they are accepted.
  static func undoneDecisions(about conflict: TrackedRow) -> [Scenario] {
    let edited = Columns.text("mail the bank now about the loan")
    let decisions: [(ConflictResolution, Set<Circumstance>)] = [
      (.mine, []), (.theirs, []), (.merged(edited), [.edited]),
    ]
    return decisions.flatMap { resolution, circumstances in
      var decided = conflict
      decided.resolve(resolution)
      var marked = decided
      marked.mark()
      var sent = marked
      if let attempt = marked.underWay {
        let time = max(conflict.nextTime, marked.nextTime)
        let stored = attempt.want.map { Copy.live($0, at: time) } ?? Copy.tombstone(at: time)
        _ = sent.receive(.accepted(stored))
      }
      var scenarios = [undo(of: conflict, decided, circumstances)]
      if marked.underWay != nil {
        scenarios.append(undo(of: conflict, marked, circumstances))
        scenarios.append(undo(of: conflict, sent, circumstances.union([.sent])))
      }
      return scenarios
    }
  }

  private static func undo(of conflict: TrackedRow, _ decided: TrackedRow, _ circumstances: Set<Circumstance>)
    -> Scenario
  {
    let place: Circumstance = conflict.local == nil ? .gone : .live
    return Scenario(.l15, decided, circumstances.union([place]), without: [.gone, .live]) { row in
      row.reopen(local: conflict.local, base: conflict.base, shown: conflict.server)
      return nil
    }
  }
}
