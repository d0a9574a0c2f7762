import TableProtocol

@testable import OfflineSync

extension Scenario {
  /// What a page of a pull may have of the row.
  static func pages(for row: TrackedRow) -> [Scenario] {
    var scenarios = known(row) + older(row)
    let isUnderWay = row.underWay != nil
    for copy in ServerCopy.all(for: row, mayHaveArrived: isUnderWay) {
      let event: RowEvent = copy.event == .a9 ? .p4 : .p2
      let circumstances = copy.circumstances.union(isUnderWay ? [.again] : [])
      scenarios.append(
        .change(event, row, circumstances, likes: [copy.event]) { $0.receive(page: copy.record, isOrdered: true) })
    }
    scenarios.append(.change(.p5, row) { $0.receiveAbsence() })
    return scenarios
  }

  private static func known(_ row: TrackedRow) -> [Scenario] {
    let copies = [row.there.record, row.underWay == nil ? nil : row.base.record]
    return copies.compactMap(\.self).filter { $0.system.version.map { $0 != TrackedRow.voidVersion } ?? false }.map {
      copy in
      .change(.p1, row) { $0.receive(page: copy, isOrdered: true) }
    }
  }

  private static func older(_ row: TrackedRow) -> [Scenario] {
    var copies: [(Record, RowEvent)] = []
    if let time = row.server.updatedAt, time > Copy.born {
      copies = [(Copy.live(row.origin.fitting, at: 0), .p2), (Copy.tombstone(at: 0), .p4)]
    }
    // The copy that a deletion replaced.
    if let last = row.server.deletedAfter, !row.isConflict {
      copies.append((Copy.live(row.server.saidColumns ?? .base, at: last.milliseconds / 1000), .p2))
    }
    let mine = row.isConflict && !copies.isEmpty ? row.local.map { Copy.live($0, at: 0) } : nil
    let cached = mine.map { copy in
      Scenario.change(.p3, row, [.unordered, .equal], likes: [.p2]) { $0.receive(page: copy, isOrdered: false) }
    }
    let others = copies.flatMap { copy, like -> [Scenario] in
      [
        .change(.p3, row, [.ordered], likes: [like]) { $0.receive(page: copy, isOrdered: true) },
        .change(.p3, row, [.unordered, .fits], likes: [like]) { $0.receive(page: copy, isOrdered: false) },
      ]
    }
    return [cached].compactMap(\.self) + others
  }

  /// What happens to the whole list.
  static func listChanges(of row: TrackedRow) -> [Scenario] {
    let purges = [false, true].map { isForced in
      Scenario.change(.w1, row, isForced ? [.forced] : []) { row in
        if isForced || row.isAtRest { row = TrackedRow(id: row.id) }
      }
    }
    return purges + [
      .change(.w2, row) { $0.voidVersions() },
      .change(.w3, row) { $0.takeAlong() },
    ] + restores(of: row) + removals(of: row)
  }

  /// A pull would remove the row, and was stopped by its guard.
  private static func removals(of row: TrackedRow) -> [Scenario] {
    guard row.isAtRest, row.local != nil else { return [] }
    let copies: [ServerSide] = [.unknown, .tombstone(Copy.tombstone(at: row.nextTime))]
    return copies.map { copy in .change(.w7, row) { $0.sendBack(over: copy) } }
  }

  /// The server goes on from the state of this moment.
  private static let since = Timestamp(milliseconds: 500)

  private static func restores(of row: TrackedRow) -> [Scenario] {
    let isOrdinary = row.server.updatedAt == nil && !(row.isAtRest && row.local == nil && row.base != .never)
    if isOrdinary { return ordinary(row, since: since) }
    var scenarios = row.server.updatedAt == nil ? [] : ordinary(row, since: Timestamp(milliseconds: 1_000_000))
    func add(_ copy: Record?, _ circumstances: Set<Circumstance>, likes: [RowEvent] = [], _ time: Timestamp?) {
      scenarios.append(
        .change(.w4, row, circumstances, likes: likes) { $0.serverWentBack(to: copy, since: time) })
    }
    for time in [since, nil] {
      add(nil, [.absent], time)
      let other = Columns.text("sell the small bank")
      add(Copy.live(other, at: 0), [.older, .clashes], likes: [.p2, .a8], time)
      if let mine = row.local { add(Copy.live(mine, at: 0), [.older, .equal], likes: [.p2, .a5], time) }
      if let base = row.base.live, base != row.local {
        add(Copy.live(base, at: 0), [.older, .acknowledged, .baseColumns], likes: [.p2, .a6], time)
      }
      if let want = row.underWay?.want, want != row.local {
        add(Copy.live(want, at: 0), [.older, .sentColumns], likes: [.a5], time)
      }
    }
    let other = Columns.text("sell the small bank")
    add(Copy.live(other, at: row.nextTime), [.after, .clashes], likes: [.p2, .a8], since)
    return scenarios
  }

  /// The server has not forgotten what this device knows of the row.
  private static func ordinary(_ row: TrackedRow, since: Timestamp) -> [Scenario] {
    let isUnderWay = row.underWay != nil
    let more: Set<Circumstance> = isUnderWay ? [.remembered, .again] : [.remembered]
    var scenarios = ServerCopy.live(for: row, isUnderWay).map { copy in
      Scenario.change(.w4, row, copy.circumstances.union(more), likes: [.p2, copy.event]) {
        $0.serverWentBack(to: copy.record, since: since)
      }
    }
    scenarios.append(
      .change(.w4, row, [.absent, .remembered], likes: [.p5]) { $0.serverWentBack(to: nil, since: since) })
    return scenarios
  }
}
