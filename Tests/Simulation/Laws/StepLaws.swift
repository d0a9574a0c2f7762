import OfflineSync
import TableProtocol

/// The laws that hold after every step.
extension World {
  func checkStep() {
    for device in devices {
      let operations = device.operations
      checkJournal(of: device, operations)
      checkVersions(of: device, operations)
      checkToken(of: device, operations)
      checkBirths(of: device, operations)
      checkMemory(of: device)
      checkHeldDeletions(of: device)
      let errors = device.errors
      guard !errors.isEmpty else { continue }
      checkConflicts(of: device, errors)
      checkRefusals(of: device, errors)
    }
  }

  private func checkJournal(of device: SimulatedDevice, _ operations: [TableOperation]) {
    var last: [RecordID: TableOperation] = [:]
    for operation in operations {
      if let first = last[operation.itemID], !first.isMarked {
        blame(
          .journal, "device \(device.number) has two operations of \(operation.itemID), and the first can be changed")
      }
      last[operation.itemID] = operation
    }
    for operation in last.values where (device.row(operation.itemID) == nil) != (operation.kind == .delete) {
      blame(.journal, "device \(device.number): \(operation.kind) of \(operation.itemID) does not fit its row")
    }
  }

  private func checkVersions(of device: SimulatedDevice, _ operations: [TableOperation]) {
    if device.home == .first, hasGoneBack { return }
    // An older list shows older versions.
    if device.isStale || device.mayMistake {
      highest = highest.filter { $0.key.device != device.number }
      return
    }
    if copies > 0, device.versionsOf != device.owner?.server {
      highest = highest.filter { $0.key.device != device.number }
      device.versionsOf = device.owner?.server
    }
    // A row that is being added again says nothing of what the server has.
    var added = Set(operations.filter { $0.kind == .insert }.map(\.itemID))
    // A decision that is undone brings back the copy that the conflict began with.
    added.formUnion(device.errors.filter { $0.kind == .conflict }.map(\.itemID))
    for row in device.rows where !added.contains(row.id) && !(device.home == .first && returned.contains(row.id)) {
      guard let version = VersionNumber(row.system.version, of: device.home)?.number else { continue }
      let key = Holding(device: device.number, item: row.id)
      if version < highest[key, default: 0] {
        blame(.versions, "device \(device.number) held v\(highest[key, default: 0]) of \(row.id) and now v\(version)")
      }
      highest[key] = max(version, highest[key, default: 0])
    }
  }

  /// Rows that may still be committed late, or under a clock that stepped back, need not be there yet.
  private func checkToken(of device: SimulatedDevice, _ operations: [TableOperation]) {
    let server = server(of: device)
    // A server that was put back may have lost what the token speaks of.
    guard let token = device.token, knowsEpoch(device), !device.isDamaged, !device.needsComparison
    else { return }
    let isExact = settings.server.hasRisingClock && !hadLateWrites
    let limit = (token.timestamp.milliseconds - (isExact ? 0 : settings.overlap)) * 1_000
    let pending = Set(operations.map(\.itemID))
    for row in server.rows.values
    where row.updated < limit && !server.untimed.contains(row.id) && !pending.contains(row.id)
      && device.extent.holds(row.values)
    {
      let held = device.row(row.id)
      let knows = row.deleted ? held == nil : version(held, on: device) >= row.version.number
      if !knows {
        blame(
          .token,
          "the token of device \(device.number) is past v\(row.version.number) of \(row.id), which it does not have")
      }
    }
  }

  /// True once it has compared all that it has with the state that the server went back to, if that ever happened.
  func knowsEpoch(_ device: SimulatedDevice) -> Bool {
    !hasGoneBack || device.home != .first || epochKnown(to: device) == server.announcedEpoch
  }

  /// Of the server whose list it keeps.
  func epochKnown(to device: SimulatedDevice) -> DatabaseEpoch? {
    device.owner.flatMap { device.knownEpoch(of: $0.server) }
  }

  private func version(_ record: Record?, on device: SimulatedDevice) -> Int {
    VersionNumber(record?.system.version, of: device.home)?.number ?? 0
  }

  private func checkRefusals(of device: SimulatedDevice, _ errors: [TableOperationError]) {
    // 200 is of an answer that shows the row as it was: then the status is the reason, and the server has no words.
    let known = [400, 403, 500] + (settings.edges.contains(.otherAnswers) ? [200] : [])
    for error in errors where error.kind == .refused {
      // A server that fails, and of whose act nothing is to be seen since another client removed the row without a
      // trace, looks like one that would not have the change.
      let hasNoTrace = error.status == 500 && server(of: device).hardDeleted.contains(error.itemID)
      if !hasNoTrace, !refusals.contains(Holding(device: device.number, item: error.itemID)) {
        blame(.conflictsAreReal, "the server never refused \(error.itemID) of device \(device.number)")
      } else if !known.contains(error.status) || error.message.isEmpty != (200..<300).contains(error.status) {
        blame(.journal, "device \(device.number) does not know why \(error.itemID) was refused")
      }
    }
  }

  private func checkConflicts(of device: SimulatedDevice, _ errors: [TableOperationError]) {
    for error in errors where error.kind == .conflict && error.item == nil && error.serverItem?.system.deleted ?? true {
      blame(.bothGone, "device \(device.number) has a conflict over \(error.itemID), which both sides deleted")
    }
    for error in errors where error.kind == .conflict && knownErrors.insert(error.id).inserted {
      let operation = device.operations.first { $0.id == error.operationID }
      let start = version(operation?.base, on: device)
      let theirs = version(error.serverItem, on: device)
      let server = server(of: device)
      // It may have been shown an older list, or one without the row.
      let mayHaveMissed = device.needsComparison || device.mayMistake
      let others = server.history[error.itemID, default: []].contains {
        $0.party != .device(device.number) && ($0.version.number > start || $0.version.number == theirs)
      }
      // A row that seemed to be gone, that a person decided to send again, and that is back with the database.
      let isBack = device.home == .first && returned.contains(error.itemID) && operation?.base?.system.version == nil
      // What a device was made to forget, or does not expect any more, may still arrive, and is a stranger's change by
      // then.
      let isStray = device.hasForgotten || strays.contains(Holding(device: device.number, item: error.itemID))
      if !others && !isStray && !isBack && !server.hardDeleted.contains(error.itemID) && !hasGoneBack && !mayHaveMissed
      {
        blame(.conflictsAreReal, "device \(device.number) has a conflict over \(error.itemID) with nobody but itself")
      }
      // A conflict that was open when the server went back stays as it was: its copy has a version that no server
      // gives, and its base is what the server has instead, which says nothing of who changed what.
      let isAboutLost = error.serverItem?.system.version == RecordVersion("lost")
      if let operation, !isAboutLost, !operation.clashes(in: error) {
        blame(.conflictsAreReal, "device \(device.number) has a conflict over \(error.itemID), and nothing clashes")
      }
    }
  }
}

extension TableOperation {
  /// True when both sides changed a column of the row, to different values, or one side deleted it. A column that was
  /// put back after it was sent was changed too: somebody may have seen what was sent.
  fileprivate func clashes(in error: TableOperationError) -> Bool {
    guard kind == .update, let base, let mine = error.item, let theirs = error.serverItem, !theirs.system.deleted
    else { return true }
    return mine.values.contains { name, value in
      let other = theirs.values[name] ?? .null
      let wasSent = error.sent?.values[name].map { $0 != base.values[name] } ?? false
      return (value != base.values[name] || wasSent) && other != base.values[name] && other != value
    }
  }
}

/// A row on a device.
struct Holding: Hashable {
  let device: Int
  let item: RecordID
}
