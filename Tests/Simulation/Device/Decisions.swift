import OfflineSync
import TableProtocol

/// What a person decides about conflicts. The ledger learns of it when it is on the disk.
extension World {
  func resolve(_ device: SimulatedDevice, _ id: String, _ choice: Choice) {
    guard let conflict = (try? device.table.conflicts())?.first(where: { $0.itemID == id }) else { return }
    let known = Set(device.rows.map(\.id))
    _ = try? device.table.resolve(id, resolution(choice, of: conflict))
    guard !device.errors.contains(where: { $0.id == conflict.error.id }) else { return }
    let party = Party.device(device.number)
    let seen = (conflict.mine?.values.words ?? []).union(conflict.theirs?.values.words ?? [])
    if let after = device.row(id) {
      ledger.wrote(id, from: seen, to: after.values.words, by: party)
      ledger.undeleted(id, by: party)
    } else {
      ledger.deleted(id, seeing: seen, by: party)
    }
    guard choice == .both, let mine = conflict.mine else { return }
    for copy in device.rows where !known.contains(copy.id) && copy.id != id {
      let kept = mine.values.words.subtracting(conflict.theirs?.values.words ?? [])
      ledger.moved(kept.intersection(copy.values.words), to: copy.id, by: party)
    }
  }

  private func resolution(_ choice: Choice, of conflict: Conflict) -> ConflictResolution {
    switch choice {
    case .mine: return .mine
    case .theirs: return .theirs
    case .both: return .both
    case .merged:
      guard var values = (conflict.theirs ?? conflict.mine)?.values else { return .theirs }
      values[Column.text.rawValue] = conflict.mine?.values[Column.text.rawValue] ?? values[Column.text.rawValue]
      return .merged(values)
    }
  }

  /// Decides everything that waits; false when there was nothing.
  func resolveAll(round: Int) -> Bool {
    var decided = false
    for device in devices {
      for (index, error) in device.errors.enumerated() {
        resolve(device, error.itemID, Choice.allCases[(round + index + device.number) % Choice.allCases.count])
        decided = true
      }
      checkStep()
    }
    return decided
  }
}
