import OfflineSync
import TableProtocol

extension World {
  /// Empties a device.
  func purge(_ device: SimulatedDevice, _ extent: PurgeExtent) {
    guard !device.isDead, !device.program.isSyncing else { return }
    noteDecision(of: device)
    device.memory = nil
    device.firstStop = nil
    let waiting = Waiting(on: device, server(of: device))
    let before = (device.rows, device.operations)
    let owner = device.owner
    losing(from: device) { device.purge(forced: extent == .everything, in: self) }
    // Without rows it forgets all the same: what it has deleted is new to it.
    guard before != (device.rows, device.operations) || owner != device.owner else { return }
    device.deletedRows = [:]
    device.deletedWhileAsked = []
    // An id that it uses again meets what it once sent itself.
    device.hasForgotten = true
    guard !before.1.isEmpty else { return }
    if extent == .everything {
      ledger(of: device).dropped(waiting, by: .device(device.number))
    } else {
      blame(.journal, "device \(device.number) was purged of changes that waited")
    }
  }
}
