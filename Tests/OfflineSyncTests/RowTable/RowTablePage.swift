/// The page of the documentation about the states of a row, printed from the table that the tests walk.
enum RowTablePage {
  static let path = "Resources/docs/row-states.md"

  static var text: String {
    ([introduction, states, events, circumstances, cells].joined(separator: "\n") + "\n")
  }

  private static let introduction = """
    # The states of a row

    This page is printed from the table in `Tests/OfflineSyncTests/RowTable`. A test walks the table: it makes a row in
    each state, lets each event happen to it, and compares what the rules in `Sources/OfflineSync/Row` make of it with
    the cell. Another test fails if this page is not what the table prints. `EBB_UPDATE_DOCS=1 swift test --filter
    RowTable` prints it again.

    Signs in the list: ↑ waits, … is sent, ≠ conflict, ! refused. A row under way shows … only while a sync runs on this
    device, else ↑.

    """

  private static var states: String {
    var text = "## The states\n"
    for group in RowState.Group.allCases {
      text += "\n### \(group.rawValue)\n\n"
      text += "| state | what it is | the list shows | the outbox shows |\n|---|---|---|---|\n"
      for state in RowState.allCases where state.group == group {
        let words = state.words
        text += "| \(state.name) | \(words.title) | \(words.list) | \(words.outbox) |\n"
      }
    }
    return text
  }

  private static var events: String {
    var text = "## The events\n"
    for group in RowEvent.Group.allCases {
      text += "\n### \(group.rawValue)\n\n"
      for event in RowEvent.allCases where event.group == group { text += "- \(event.name): \(event.words)\n" }
    }
    return text
  }

  private static var circumstances: String {
    var text = "## The circumstances\n\n| if | it means |\n|---|---|\n"
    for circumstance in Circumstance.allCases
    where RowTable.all.lines.contains(where: { $0.circumstances.contains(circumstance) }) {
      text += "| \(circumstance.rawValue) | \(circumstance.words) |\n"
    }
    return text
  }

  private static var cells: String {
    var text = """
      ## The table

      The first line whose circumstances all hold decides. "!" means that the row is sent again in the same push. "As A5"
      means that the cell of A5 says what happens. A row in S25 behaves as the state of its change, S7 to S10, unless it
      is named. After M3 the next attempt counts as sent before. W1 is refused if anything waits: then every row stays.

      """
    for event in RowEvent.allCases {
      text += "\n### \(event.name): \(event.words)\n\n| state | if | then |\n|---|---|---|\n"
      for line in RowTable.all.lines where line.events.contains(event) {
        let conditions = line.circumstances.map(\.rawValue).joined(separator: ", ")
        text += "| \(names(line.states)) | \(conditions) | \(line.outcome.words) |\n"
      }
    }
    return text
  }

  /// The names of states, with runs of three and more as such.
  private static func names(_ states: [RowState]) -> String {
    var runs: [ClosedRange<Int>] = []
    for state in states {
      if let last = runs.last, last.upperBound + 1 == state.rawValue {
        runs[runs.count - 1] = last.lowerBound...state.rawValue
      } else {
        runs.append(state.rawValue...state.rawValue)
      }
    }
    return runs.map { run in
      run.count > 2 ? "S\(run.lowerBound)–S\(run.upperBound)" : run.map { "S\($0)" }.joined(separator: " ")
    }.joined(separator: " ")
  }
}

extension RowTable.Outcome {
  fileprivate var words: String {
    switch self {
    case .becomes(let state, let isSent): state.name + (isSent ? " !" : "")
    case .stays: "stays"
    case .like(let events): "as " + events.map(\.name).joined(separator: ", ")
    case .impossible(let reason): "cannot happen: " + reason
    }
  }
}
