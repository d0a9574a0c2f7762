import Chance
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("RowTable: whatever happens to a row")
struct RowPropertyTests {
  @Test("400 walks of events and crashes keep the invariants and come to rest, from a printed seed", arguments: 1...4)
  func walks(_ part: Int) {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      guard let problem = walk(&chance) else { continue }
      Issue.record("\(problem), seed \(seed)")
      return
    }
  }

  /// Lets random events happen to a random row. Returns what was wrong, with the events that led there.
  private func walk(_ chance: inout SeededGenerator) -> String? {
    let start = RowState.allCases.randomElement(using: &chance) ?? .s0
    guard var row = RowVariants.rows(in: start).randomElement(using: &chance) else { return "no row in \(start.name)" }
    var events = [start.name]
    for _ in 0..<30 {
      guard let scenario = Scenario.all(for: row).randomElement(using: &chance) else { return "nothing can happen" }
      let before = row
      let verdict = scenario.apply(&row)
      events.append(scenario.event.name)
      row.enterJournal(at: Int64(events.count) + 10)
      events.append(RowClassifier.state(of: row).name)
      let faults = RowClassifier.faults(of: row) + RowClassifier.faults(from: before, to: row, by: scenario.event)
      if let fault = faults.first { return "\(fault) after \(events)\n\(before)\n\(row)" }
      if let verdict, !RowClassifier.expectedVerdicts(of: row).contains(verdict) {
        return "\(verdict) after \(events)"
      }
      if row.stored != row.afterRestart { return "not as it was stored, after \(events)\n\(row)\n\(row.stored)" }
      if Int.random(in: 0..<4, using: &chance) == 0 { row = row.stored }
    }
    return row.comesToRest(&chance) ? nil : "does not come to rest after \(events)\n\(row)"
  }

  @Test("a row of any state is the same after a restart", arguments: RowState.allCases)
  func stored(state: RowState) {
    for row in RowVariants.rows(in: state) {
      #expect(row.stored == row.afterRestart)
    }
  }

  @Test("a change that was marked before a crash counts as sent before", arguments: RowState.allCases)
  func repeated(state: RowState) {
    for row in RowVariants.rows(in: state) {
      var marked = row
      marked.mark()
      guard let attempt = marked.underWay else { continue }
      #expect(attempt.isRepeat == (row.underWay != nil))
      var again = marked.stored
      again.mark()
      #expect(again.underWay == Attempt(want: attempt.want, isRepeat: true))
    }
  }

  @Test(
    "an older version is not believed at another address, and no conflict goes for that", arguments: RowState.allCases)
  func otherAddress(state: RowState) {
    for row in RowVariants.rows(in: state) {
      var voided = row
      voided.voidVersions()
      #expect(RowClassifier.state(of: voided) == state)
      guard let local = voided.local else { continue }
      voided.edit(to: local.merging(Columns.new) { $1 })
      var expected = row
      expected.edit(to: .new)
      #expect(RowClassifier.state(of: voided) == RowClassifier.state(of: expected))
    }
  }
}

extension TrackedRow {
  /// True if the row is at rest once each question is answered and each change accepted.
  fileprivate func comesToRest(_ chance: inout SeededGenerator) -> Bool {
    var row = self
    for step in 0..<6 {
      if row.attention != nil { row.resolve(Bool.random(using: &chance) ? .mine : .theirs) }
      row.enterJournal(at: Int64(step) + 1000)
      row.mark()
      guard let attempt = row.underWay else { continue }
      let copy = attempt.want.map { Copy.live($0, at: row.nextTime) } ?? Copy.tombstone(at: row.nextTime)
      if row.receive(.accepted(copy)) == .open { return false }
    }
    return row.isAtRest
  }

  /// Gives the changes places as the journal does when the row is saved.
  fileprivate mutating func enterJournal(at place: Int64) {
    if underWay != nil {
      places = Places(underWay: places.underWay ?? place, waiting: waits ? places.waiting ?? place + 1 : nil)
    } else {
      places = Places(waiting: waits || attention != nil ? places.waiting ?? place : nil)
    }
  }

  /// What is left of the row after a restart. Whether an attempt was repeated is not stored: it counts as repeated.
  /// When a deleted row was made, its base knows, or what was sent of it. Of a row that both sides deleted only the
  /// history knows.
  var afterRestart: TrackedRow {
    var row = self
    row.earlier = []
    if local == nil {
      row.createdAt = base == .never && underWay == nil ? nil : createdAt ?? base.record?.system.createdAt
      row.base = base.made(at: createdAt)
      if server == base, !isConflict { row.server = row.base }
    }
    if row.underWay != nil { row.underWay?.isRepeat = true }
    guard row.isAtRest else { return row }
    row.places = Places()
    return local == nil ? TrackedRow(id: id) : row
  }
}

extension ServerSide {
  /// The side with the time when the row was made, if it is one that does not say.
  fileprivate func made(at time: Timestamp?) -> ServerSide {
    guard var copy = record, copy.system.createdAt == nil else { return self }
    copy.system.createdAt = time
    return ServerSide(copy)
  }
}
