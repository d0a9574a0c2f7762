import OfflineSync
import TableProtocol

/// Nothing of one account's list gets to another, unless somebody said so.
extension World {
  /// A device belongs to the server whose list it keeps, and speaks to no other.
  func checkOwner(of device: SimulatedDevice, sending trace: String, to home: Home) {
    if let owner = device.owner, owner.server != address(of: home) {
      blame(.accounts, "device \(device.number) belongs to \(owner.server) and sends \(trace) to \(address(of: home))")
    }
  }

  /// Looks whether the device moved to the other account; it may if it was to take its list along.
  func noteOwner(of device: SimulatedDevice) {
    let home = device.home == .first ? Home.second : .first
    guard device.owner?.server == address(of: home) else { return }
    guard let departure = device.departure else {
      return blame(.accounts, "device \(device.number) went to \(home) by itself")
    }
    let left = ledger(of: device)
    left.dropped(departure, by: .device(device.number))
    losing(from: device) { device.move(to: home) }
    ledger(of: device).take(from: left)
    highest = highest.filter { $0.key.device != device.number }
    for row in device.rows {
      ledger(of: device).obscure(row.id)
      ledger(of: device).wrote(row.id, from: [], to: row.values.words, by: .device(device.number))
    }
  }
}
