import OfflineSync
import TableProtocol

/// What a person, or a delegate, decides about conflicts. The ledger learns of it when it is on the disk.
extension World {
  func resolve(_ device: SimulatedDevice, _ id: RecordID, _ choice: Choice) {
    guard !device.isDead, let conflict = (try? device.table.conflicts())?.first(where: { $0.itemID == id })
    else { return }
    noteDecision(of: device)
    let decision = Decision(conflict, choice, on: device)
    device.decision = decision
    _ = try? device.table.resolve(id, decision.resolution)
    device.saw(id)
    noteDecision(of: device)
  }

  /// Call before anything else happens to the row.
  func noteDecision(of device: SimulatedDevice) {
    guard let decision = device.decision else { return }
    device.decision = nil
    let conflict = decision.conflict
    guard !device.errors.contains(where: { $0.id == conflict.error.id }) else { return }
    let id = conflict.itemID
    device.deletedWhileAsked.remove(id)
    let party = Party.device(device.number)
    let ledger = ledger(of: device)
    // A row that goes by what the person gave up does not go by a pull.
    if device.row(id) == nil || decision.choice == .theirs { device.firstStop?.rows.remove(id) }
    let seen = (conflict.mine?.values.words ?? []).union(conflict.theirs?.values.words ?? [])
    if let after = device.row(id) {
      ledger.decided(
        id, mine: conflict.mine?.values.words, theirs: conflict.theirs?.values.words, to: after.values.words, by: party)
      ledger.undeleted(id, by: party)
      noteCompletion(after, of: conflict, ledger, party)
    } else {
      ledger.deleted(id, seeing: seen, by: party)
      ledger.droppedEdit(of: id, leaving: wordsOfOthers(id, than: device))
      ledger.obscureCompletion(id)
    }
    // By an older list a person may have decided about something that never was.
    if device.needsComparison || device.mayMistake { ledger.obscure(id) }
    guard decision.choice == .both, let mine = conflict.mine else { return }
    for copy in device.rows where !decision.known.contains(copy.id) && copy.id != id {
      let kept = mine.values.words.subtracting(conflict.theirs?.values.words ?? [])
      ledger.moved(kept.intersection(copy.values.words), of: id, to: copy.id, by: party)
    }
  }

  private func noteCompletion(_ after: Record, of conflict: Conflict, _ ledger: Ledger, _ party: Party) {
    guard let mine = conflict.mine, let theirs = conflict.theirs else { return ledger.obscure(conflict.itemID) }
    let isComplete = after.values.isComplete
    if mine.values.isComplete != isComplete || theirs.values.isComplete != isComplete {
      ledger.completed(conflict.itemID, isComplete, by: party)
    }
  }

  /// Decides all conflicts that wait; false when there were none.
  func resolveAll(round: Int) -> Bool {
    var decided = false
    for device in devices {
      for (index, error) in device.errors.filter({ $0.kind == .conflict }).enumerated() {
        resolve(device, error.itemID, Choice.allCases[(round + index + device.number) % Choice.allCases.count])
        decided = true
      }
      checkStep()
    }
    return decided
  }
}
