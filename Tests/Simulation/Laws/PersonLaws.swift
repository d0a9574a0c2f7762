import OfflineSync
import TableProtocol

/// Laws about what a person asked for.
extension World {
  /// Undoing touches only what is still as the change left it; of a text, only words that are (sync-rules L9).
  func checkReversal(of left: Record?, _ before: Record, _ after: Record, _ device: SimulatedDevice) {
    for (name, value) in before.values where after.values[name] != value && left?.values[name] != value {
      if let left, let column = Column(rawValue: name) {
        let (was, now) = (Set(left.values.words(of: column)), Set(before.values.words(of: column)))
        let undone = Set(after.values.words(of: column))
        if undone.isSuperset(of: now.subtracting(was)), undone.isDisjoint(with: was.subtracting(now)) { continue }
      }
      blame(.reversals, "device \(device.number) undid the \(name) of \(before.id), which had changed since")
    }
  }

  /// Call after a sync. The first stop is what later ones add to. Rows with a change may go by the push before it.
  func noteStop(
    of device: SimulatedDevice, _ before: Set<RecordID>, pending: [RecordID], _ report: SyncReport
  ) {
    guard case .massRemoval = report.failure, device.firstStop == nil else { return }
    let gone = before.intersection(pending).filter { device.row($0) == nil }
    device.firstStop = (before.subtracting(pending), before.count - gone.count, [])
  }

  /// Call after a sync of a device that had nothing to send.
  func checkMassDeletion(of device: SimulatedDevice, _ before: Set<RecordID>) {
    let rows = Set(device.rows.map(\.id))
    if let first = device.firstStop {
      // Syncs that are stopped one after another are one. Rows that were added meanwhile count against it.
      let since = first.since.union(rows.subtracting(first.rows))
      device.firstStop?.since = since
      let removed = first.rows.subtracting(rows).count - since.count
      // What the person deleted that day counts as a part of the list.
      let total = first.total + device.deletedRows.count
      // A short list is watched only for the loss of all rows; what was deleted before does not make it longer.
      if removed > (first.total < 20 ? total - 1 : total / 2) {
        blame(
          .massDeletion, "device \(device.number) was stopped and lost \(removed) of \(first.total) rows all the same")
      }
    }
    let removed = before.subtracting(rows).count
    // A list that was stopped before counts as long as it was then, also if its disk has lost rows since, or if rows
    // went by a decision.
    let now = before.count + device.deletedRows.count + device.damagedRows
    let total = max(now, device.firstStop?.total ?? 0)
    if (before.count >= 20 && removed * 2 > total) || (before.count >= 5 && removed == before.count) {
      blame(.massDeletion, "a sync of device \(device.number) removed \(removed) of \(before.count) rows unasked")
    }
  }
}
