import OfflineSync
import TableProtocol

/// A row that a person deletes while the device asks about it does not come back without another question (sync-rules
/// W4).
extension World {
  /// Those of the rows about which the device asks, and that the server lacks. Call before a change.
  ///
  /// A delegate may decide before anybody sees the question that is due, so its device is passed over.
  func rowsLostThere(among ids: [RecordID], of device: SimulatedDevice) -> Set<RecordID> {
    guard settings.edges.contains(.heldDeletions), device.home == .first, settings.deciders[device.number] == nil
    else { return [] }
    let held = device.errors.filter { $0.kind == .held && $0.serverItem?.system.deleted ?? true }.map(\.itemID)
    return Set(held.filter { device.row($0) != nil }).intersection(ids)
  }

  /// Call after the change. A row that went because its change was dropped is not deleted: that is a decision for the
  /// server. A deletion that waits to be sent is no concern of this law, since the server hears of it.
  func noteDeletions(of lost: Set<RecordID>, on device: SimulatedDevice) {
    let pending = lost.isEmpty ? [] : Set(device.operations.map(\.itemID))
    for id in lost where device.row(id) == nil && !pending.contains(id) {
      if device.versions(of: id).last?.origin == .here { device.deletedWhileAsked.insert(id) }
    }
  }

  /// Call after every step.
  func checkHeldDeletions(of device: SimulatedDevice) {
    guard !device.deletedWhileAsked.isEmpty else { return }
    device.deletedWhileAsked.subtract(device.errors.map(\.itemID))
    for id in device.deletedWhileAsked where device.row(id) != nil {
      device.deletedWhileAsked.remove(id)
      blame(.nothingLost, "\(id) was deleted on device \(device.number) and is back there unasked")
    }
  }
}
