/// What each event makes of each state of a row, parsed from ``RowTable/cells``.
///
/// A line of the text names events, states, the circumstances it needs, and what the row becomes, with `|` between.
/// Of the lines that name a cell, the first whose circumstances all hold decides.
struct RowTable {
  struct Line: Hashable {
    let events: [RowEvent]
    let states: [RowState]
    let circumstances: [Circumstance]
    let outcome: Outcome
  }

  enum Outcome: Hashable {
    /// The row is in this state then. `isSent`: it goes out again in the same push.
    case becomes(RowState, isSent: Bool)
    case stays
    /// The cell of another event says what happens.
    case like([RowEvent])
    case impossible(String)
  }

  let lines: [Line]
  /// Lines of the text that say nothing that can be read.
  let unreadable: [String]

  static let all = RowTable(RowTable.cells)

  init(_ text: String) {
    var lines: [Line] = []
    var unreadable: [String] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if let parsed = Line(line) { lines.append(parsed) } else { unreadable.append(String(line)) }
    }
    self.lines = lines
    self.unreadable = unreadable
  }

  /// The line that decides about a cell under these circumstances. A refused change that is under way again counts as
  /// one that was never refused, unless the table names it.
  func line(_ event: RowEvent, _ state: RowState, kind: RowState?, _ circumstances: Set<Circumstance>) -> Line? {
    let own = lines.filter { $0.events.contains(event) && $0.states.contains(state) }
    if own.isEmpty, state == .s25, let kind { return line(event, kind, kind: nil, circumstances) }
    return own.first { $0.circumstances.allSatisfy(circumstances.contains) }
  }

  /// The lines of a cell, in order.
  func lines(_ event: RowEvent, _ state: RowState) -> [Line] {
    let own = lines.filter { $0.events.contains(event) && $0.states.contains(state) }
    guard own.isEmpty, state == .s25 else { return own }
    return lines.filter { $0.events.contains(event) && !$0.states.allSatisfy { !RowState.sent.contains($0) } }
  }
}

extension RowState {
  /// The states with one change under way.
  static let sent: [RowState] = [.s7, .s8, .s9, .s10]
}

extension RowTable.Line {
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimming }
    guard parts.count == 4, let outcome = RowTable.Outcome(parts[3]) else { return nil }
    let events = parts[0].split(separator: " ").map { RowEvent.range($0) }
    let states = parts[1].split(separator: " ").map { RowState.range($0) }
    let circumstances = parts[2].split(separator: ",").map { Circumstance(rawValue: $0.trimming) }
    guard !events.contains(nil), !states.contains(nil), !circumstances.contains(nil) else { return nil }
    self.init(
      events: events.compactMap(\.self).flatMap(\.self), states: states.compactMap(\.self).flatMap(\.self),
      circumstances: circumstances.compactMap(\.self), outcome: outcome)
  }
}

extension RowTable.Outcome {
  init?(_ text: String) {
    if text == "stays" {
      self = .stays
    } else if text.hasPrefix("- ") {
      self = .impossible(String(text.dropFirst(2)))
    } else if text.hasPrefix("like ") {
      let events = text.dropFirst(5).split(separator: " ").map { RowEvent($0) }
      guard !events.contains(nil) else { return nil }
      self = .like(events.compactMap(\.self))
    } else {
      let words = text.split(separator: " ")
      guard let state = words.first.flatMap({ RowState($0) }), words.dropFirst().allSatisfy({ $0 == "!" }) else {
        return nil
      }
      self = .becomes(state, isSent: words.count == 2)
    }
  }
}

extension RowEvent {
  /// One event, or a run of them: `A1-A16`.
  fileprivate static func range(_ text: some StringProtocol) -> ArraySlice<RowEvent>? {
    let ends = text.split(separator: "-").map { RowEvent($0).flatMap(allCases.firstIndex) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else { return nil }
    return allCases[first...last]
  }
}

extension RowState {
  /// One state, or a run of them: `S3-S6`.
  fileprivate static func range(_ text: some StringProtocol) -> [RowState]? {
    let ends = text.split(separator: "-").map { RowState($0) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2 else { return nil }
    return RowState.allCases.filter { first.rawValue <= $0.rawValue && $0.rawValue <= last.rawValue }
  }
}

extension StringProtocol {
  var trimming: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
