import Testing

@testable import OfflineSync

@Suite("The table of the states of a row")
struct RowTableTests {
  private static let table = RowTable.all

  /// Every scenario of the rows in this state.
  private static func scenarios(in state: RowState) -> [Scenario] {
    // The stories tell what the undo of a decision about a lost copy does.
    let conflicts = [RowState.s18, .s19, .s20].flatMap(RowVariants.rows).filter { !$0.isAboutLost }
    let undone = conflicts.flatMap(Scenario.undoneDecisions)
    let others = RowVariants.rows(in: state).flatMap(Scenario.all)
    return others + undone.filter { RowClassifier.state(of: $0.row) == state }
  }

  @Test("can be read to the last line")
  func readable() {
    #expect(Self.table.unreadable == [])
  }

  @Test("is walked from rows that are in the state they are meant for, and sound", arguments: RowState.allCases)
  func variants(state: RowState) {
    for row in RowVariants.rows(in: state) {
      #expect(RowClassifier.state(of: row) == state)
      #expect(RowClassifier.faults(of: row) == [])
    }
  }

  @Test("says what each event makes of each state", arguments: RowState.allCases)
  func cells(state: RowState) {
    let scenarios = Dictionary(grouping: Self.scenarios(in: state), by: \.event)
    for event in RowEvent.allCases {
      let ways = scenarios[event, default: []]
      let lines = Self.table.lines(event, state)
      #expect(!lines.isEmpty, "the table says nothing about \(state.name) × \(event.name)")
      #expect(ways.isEmpty == lines.allSatisfy(\.isImpossible), "\(state.name) × \(event.name): \(ways.count) ways")
      for scenario in ways { check(scenario, in: state) }
    }
  }

  private func check(_ scenario: Scenario, in state: RowState) {
    let name = "\(state.name) × \(scenario.event.name) \(scenario.circumstances.map(\.rawValue).sorted())"
    guard let outcome = Self.table.outcome(of: scenario, in: state)?.outcome else {
      Issue.record("the table has no line for \(name)")
      return
    }
    var after = scenario.row
    let verdict = scenario.apply(&after)
    let expected: (state: RowState, isSent: Bool?)
    switch outcome {
    case .becomes(let state, let isSent): expected = (state, isSent)
    case .stays: expected = (state, nil)
    case .like, .impossible:
      Issue.record("\(name) cannot happen, says the table")
      return
    }
    let result = RowClassifier.state(of: after)
    #expect(result == expected.state, "\(name): \(result.name), not \(expected.state.name)\n\(scenario.row)\n\(after)")
    #expect(RowClassifier.faults(of: after) == [], "\(name)\n\(after)")
    #expect(RowClassifier.faults(from: scenario.row, to: after, by: scenario.event) == [], "\(name)\n\(after)")
    if let verdict {
      #expect(RowClassifier.expectedVerdicts(of: after).contains(verdict), "\(name): \(verdict)")
      if let isSent = expected.isSent, scenario.event.group == .answer, verdict != .open {
        #expect((verdict == .sendAgain) == isSent, "\(name): \(verdict)")
      }
    }
  }

  @Test("has no line that decides nothing")
  func used() {
    var used: Set<RowTable.Line> = []
    for state in RowState.allCases {
      for scenario in Self.scenarios(in: state) {
        used.formUnion(Self.table.outcome(of: scenario, in: state)?.lines ?? [])
      }
    }
    for line in Self.table.lines where !line.isImpossible && !used.contains(line) {
      Issue.record(
        "unused: \(line.events.map(\.name)) \(line.states.map(\.name)) \(line.circumstances.map(\.rawValue))")
    }
  }
}

extension RowTable.Line {
  var isImpossible: Bool {
    if case .impossible = outcome { true } else { false }
  }
}

extension RowTable {
  /// What the table says about a scenario, and the lines that say it.
  func outcome(of scenario: Scenario, in state: RowState) -> (outcome: Outcome, lines: [Line])? {
    let kind = scenario.row.underWay.map { RowClassifier.sole(scenario.row.kind(to: $0.want)) }
    var event = scenario.event
    var lines: [Line] = []
    while let line = line(event, state, kind: kind, scenario.circumstances) {
      lines.append(line)
      guard case .like(let events) = line.outcome else { return (line.outcome, lines) }
      guard let next = scenario.likes.first(where: events.contains) else { return nil }
      event = next
    }
    return nil
  }
}
