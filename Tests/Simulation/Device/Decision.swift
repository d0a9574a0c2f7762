import OfflineSync
import TableProtocol

/// What was decided about a conflict, and how things stood then.
struct Decision {
  let conflict: Conflict
  let choice: Choice
  /// The rows the device had.
  let known: Set<RecordID>

  init(_ conflict: Conflict, _ choice: Choice, on device: SimulatedDevice) {
    self.conflict = conflict
    self.choice = choice
    known = Set(device.rows.map(\.id))
  }

  var resolution: ConflictResolution {
    switch choice {
    case .mine: return .mine
    case .theirs: return .theirs
    case .both: return .both
    case .merged:
      // With an item that is deleted on one side there is nothing to merge.
      guard let mine = conflict.mine else { return .theirs }
      guard var values = conflict.theirs?.values else { return .mine }
      values[Column.text.rawValue] = mine.values[Column.text.rawValue]
      return .merged(values)
    }
  }
}
