import OfflineSync
import TableProtocol

/// The laws that hold after every step.
extension World {
  func checkStep() {
    for device in devices {
      checkJournal(of: device)
      checkVersions(of: device)
      checkToken(of: device)
      checkConflicts(of: device)
    }
  }

  private func checkJournal(of device: SimulatedDevice) {
    var last: [String: TableOperation] = [:]
    for operation in device.operations {
      if let first = last[operation.itemID], !first.isFrozen {
        blame(
          .journal, "device \(device.number) has two operations of \(operation.itemID), and the first can be changed")
      }
      last[operation.itemID] = operation
    }
    for operation in last.values where (device.row(operation.itemID) == nil) != (operation.kind == .delete) {
      blame(.journal, "device \(device.number): \(operation.kind) of \(operation.itemID) does not fit its row")
    }
  }

  private func checkVersions(of device: SimulatedDevice) {
    for row in device.rows {
      guard let version = VersionNumber.number(row.system.version) else { continue }
      let key = Holding(device: device.number, item: row.id)
      if version < highest[key, default: 0] {
        blame(.versions, "device \(device.number) held v\(highest[key, default: 0]) of \(row.id) and now v\(version)")
      }
      highest[key] = max(version, highest[key, default: 0])
    }
  }

  /// Rows that may still be committed late, or under a clock that stepped back, need not be there yet.
  private func checkToken(of device: SimulatedDevice) {
    guard let token = device.token else { return }
    let isExact = settings.server.hasRisingClock && !hadLateWrites
    let limit = (token.timestamp.milliseconds - (isExact ? 0 : settings.overlap)) * 1_000
    let pending = Set(device.operations.map(\.itemID))
    for row in server.rows.values where row.updated < limit && !pending.contains(row.id) {
      let held = device.row(row.id)
      let knows = row.deleted ? held == nil : VersionNumber.number(held?.system.version) ?? 0 >= row.version
      if !knows {
        blame(
          .token, "the token of device \(device.number) is past v\(row.version) of \(row.id), which it does not have")
      }
    }
  }

  private func checkConflicts(of device: SimulatedDevice) {
    for error in device.errors where error.kind == .conflict && knownErrors.insert(error.id).inserted {
      let operation = device.operations.first { $0.id == error.operationID }
      let start = VersionNumber.number(operation?.base?.system.version) ?? 0
      let theirs = VersionNumber.number(error.serverItem?.system.version)
      let others = server.history[error.itemID, default: []].contains {
        $0.party != .device(device.number) && ($0.version > start || $0.version == theirs)
      }
      if !others && !server.hardDeleted.contains(error.itemID) {
        blame(.conflictsAreReal, "device \(device.number) has a conflict over \(error.itemID) with nobody but itself")
      }
      if EngineAbilities.mergesColumns, let operation, !operation.clashes(in: error) {
        blame(.conflictsAreReal, "device \(device.number) has a conflict over \(error.itemID), and nothing clashes")
      }
    }
  }
}

extension TableOperation {
  /// True when both sides changed a column of the row, to different values, or one side deleted it.
  fileprivate func clashes(in error: TableOperationError) -> Bool {
    guard kind == .update, let base, let mine = error.item, let theirs = error.serverItem, !theirs.system.deleted
    else { return true }
    return mine.values.contains { name, value in
      let other = theirs.values[name] ?? .null
      return value != base.values[name] && other != base.values[name] && other != value
    }
  }
}

/// A row on a device.
struct Holding: Hashable {
  let device: Int
  let item: String
}
