import TableProtocol
import TodoCore

/// Keeps a key that was meant for a row from its neighbour: the row under the cursor went, and the next row stands in
/// its place.
///
/// If a change that was not made here took the row away, the first key that acts on the chosen row only says so: until
/// then there was no time to see it. If a key took the row away, the next key that changes an item does nothing if it
/// comes at once: it was meant for the same row. Examples are `dd` as in vim, and `++` under a filter for a priority,
/// which the first `+` changes.
struct LostRow: Equatable, Sendable {
  private var state = State.none

  private enum State: Equatable, Sendable {
    case none
    /// Up to this uptime.
    case until(Int)
    /// Something stands over the list, so that nobody can see it.
    case covered
    /// A key took the row away, as the notice says; up to this uptime, and while the cursor is on `neighbour`.
    case removed(until: Int, neighbour: RecordID, ChangeNotice)
  }

  /// The reason why a command does not act on the chosen row.
  enum Objection: Equatable, Sendable {
    case rowGone
    /// The key came a second time at once, after the change that the notice is about.
    case secondPress(ChangeNotice)
  }

  /// Milliseconds in which a key may have been meant for the row that went.
  static let time = 3_000
  /// Milliseconds in which a second press counts as part of the first.
  static let secondPressTime = 300

  mutating func note(at now: Now) { state = .until(now.uptime + Self.time) }

  /// Notes that a key took the row away. `neighbour` is the item under the cursor now.
  mutating func note(_ change: ChangeNotice, neighbour: RecordID, at now: Now) {
    state = .removed(until: now.uptime + Self.secondPressTime, neighbour: neighbour, change)
  }

  /// The time counts from when the list is in sight.
  mutating func follow(isCovered: Bool, at now: Now) {
    switch state {
    case .none: break
    case .until(let end) where end < now.uptime: state = .none
    case .until: if isCovered { state = .covered }
    case .covered: if !isCovered { note(at: now) }
    case .removed: if isCovered { state = .none }
    }
  }

  /// Returns why the command must not act on the chosen item; nil if it may. Any other command shows that the list was
  /// looked at.
  mutating func objection(to command: Command, on item: RecordID?, hasMarks: Bool, at now: Now) -> Objection? {
    let isObjection: Bool
    switch state {
    case .none: return nil
    case .until(let end): isObjection = now.uptime <= end
    case .covered: isObjection = true
    case .removed(let end, let neighbour, let change):
      // It stays: of three presses at once the third is no more meant than the second.
      if now.uptime < end, neighbour == item, !hasMarks, command.changesItem { return .secondPress(change) }
      isObjection = false
    }
    state = .none
    return isObjection && command.actsOnChosenRow(hasMarks: hasMarks) ? .rowGone : nil
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

  /// It is meant for the item that the row shows, and not only to look at it.
  fileprivate var changesItem: Bool {
    switch self {
    case .item(let command): command.changesItems
    case .list, .open, .move, .pane, .conflict, .answer, .typing, .edit, .common: false
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
