import OfflineSync
import TableProtocol

/// What syncs report, and what devices keep of it.
extension World {
  /// Call after a push during which nothing else happened, and which no pull followed: that finds conflicts too, also
  /// about what was refused. `known` are the conflicts and refusals from before it. A whole push reports all refusals,
  /// since what was refused before is sent again.
  func checkTally(of device: SimulatedDevice, _ report: SyncReport, _ known: Set<String>) {
    let errors = device.errors
    let conflicts = errors.filter { $0.kind == .conflict && !known.contains($0.id) }.count
    let refused = errors.filter { $0.kind == .refused }
    let fewest = report.failure == nil ? refused.count : refused.filter { !known.contains($0.id) }.count
    if report.push.conflicts != conflicts || !(fewest...refused.count).contains(report.push.refused) {
      blame(
        .tally,
        "device \(device.number) reports \(report.push.conflicts) conflicts and \(report.push.refused) refusals, "
          + "the store shows \(conflicts) and \(refused.count)")
    }
  }

  /// Another database at the server's address gets nothing.
  func checkStranger() {
    if !stranger.history.isEmpty { blame(.accounts, "a list was sent to another database") }
  }

  /// A server that does not say when a row was made: what stands in for it stays, also while the row is deleted here
  /// and the server does not know of that. Once it does, another client may bring the row back, as a new one to this
  /// device.
  func checkBirths(of device: SimulatedDevice, _ operations: [TableOperation]) {
    guard !settings.server.tellsBirth else { return }
    let rows = device.rows
    for row in rows {
      guard let birth = row.system.createdAt else { continue }
      // The server knows of the deletion, and an older list brought the row back as a new one.
      if device.isStale, server(of: device).rows[row.id]?.deleted ?? true { continue }
      guard let known = device.births[row.id], known.time != birth else { continue }
      let wasDeletedThere = server(of: device).deletions[row.id, default: []].contains { $0 > known.version }
      if wasDeletedThere, known.isDeleted || wasAbsent(row.id, on: device) { continue }
      blame(.birth, "device \(device.number) takes \(row.id) for made at another time than before")
    }
    let waiting = Set(operations.map(\.itemID))
    let here = Set(rows.map(\.id))
    device.births = device.births.filter { waiting.contains($0.key) }
    for id in device.births.keys where !here.contains(id) { device.births[id]?.isDeleted = true }
    for row in rows {
      guard let time = row.system.createdAt else { continue }
      let version = VersionNumber(row.system.version, of: device.home)?.number ?? 0
      device.births[row.id] = Birth(time: time, version: version)
    }
  }
}

extension World {
  /// True if the row was not in the list for a while since the last step. Call before the versions of this step are
  /// noted.
  private func wasAbsent(_ id: RecordID, on device: SimulatedDevice) -> Bool {
    let last = device.memory?.numbers[id] ?? 0
    return device.versions(of: id).contains { $0.number > last && $0.before == nil }
  }
}

/// When a row was made, as a device that has it says.
struct Birth {
  let time: Timestamp
  /// Of the server's copy that it has.
  let version: Int
  /// True while the row is deleted on the device.
  var isDeleted = false
}
