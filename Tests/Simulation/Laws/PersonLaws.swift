import OfflineSync
import TableProtocol

/// Laws about what a person asked for.
extension World {
  /// Undoing touches only what is still as the change left it.
  func checkReversal(of left: Record?, _ before: Record, _ after: Record, _ device: SimulatedDevice) {
    for (name, value) in before.values where after.values[name] != value && left?.values[name] != value {
      blame(.reversals, "device \(device.number) undid the \(name) of \(before.id), which had changed since")
    }
  }

  /// Call after a sync of a device that had nothing to send.
  func checkBrake(of device: SimulatedDevice, _ before: Set<String>) {
    let removed = before.subtracting(device.rows.map(\.id)).count
    if before.count >= 20, removed * 2 > before.count {
      blame(.brake, "a sync of device \(device.number) removed \(removed) of \(before.count) rows unasked")
    }
  }
}
