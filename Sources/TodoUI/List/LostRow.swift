import TodoCore

/// Keeps a key that was meant for a row from its neighbour: the row under the cursor went by a change that was not made
/// here, and the next row stands in its place.
///
/// Until then nobody had time to see that. The first key that acts on the chosen row only says so.
struct LostRow: Equatable, Sendable {
  private var state = State.none

  private enum State: Equatable, Sendable {
    case none
    /// Up to this uptime.
    case until(Int)
    /// Something stands over the list, so that nobody can see it.
    case covered
  }

  /// Milliseconds in which a key may have been meant for the row that went.
  static let time = 3_000

  mutating func note(at now: Now) { state = .until(now.uptime + Self.time) }

  /// The time counts from when the list is in sight.
  mutating func follow(isCovered: Bool, at now: Now) {
    switch state {
    case .none: break
    case .until(let end) where end < now.uptime: state = .none
    case .until: if isCovered { state = .covered }
    case .covered: if !isCovered { note(at: now) }
    }
  }

  /// True once, for a command that acts on the chosen row. Any command shows that the list was looked at.
  mutating func stops(_ command: Command, hasMarks: Bool, at now: Now) -> Bool {
    defer { state = .none }
    let isAlive =
      switch state {
      case .none: false
      case .until(let end): now.uptime <= end
      case .covered: true
      }
    return isAlive && command.actsOnChosenRow(hasMarks: hasMarks)
  }
}

extension Command {
  /// Marks stand before the chosen row.
  fileprivate func actsOnChosenRow(hasMarks: Bool) -> Bool {
    switch self {
    case .item: !hasMarks
    case .list(let command): command.actsOnChosenRow
    case .open, .move, .pane, .conflict, .answer, .typing, .edit, .common: false
    }
  }
}

extension ListCommand {
  fileprivate var actsOnChosenRow: Bool {
    switch self {
    case .addInGroup, .edit, .editNote, .mark, .markRange: true
    case .add, .undo, .redo, .filter, .savedFilter, .saveFilter, .agenda, .nextView, .previousView, .sort, .panel,
      .togglePanel, .nextGroup, .previousGroup, .markAll, .nextArrival, .previousArrival, .verify, .dismiss,
      .toggleMouse, .theme, .resume, .quit:
      false
    }
  }
}
