import OfflineSync

/// The end of every world: the weather clears, everybody syncs until nothing moves, and the laws of the
/// end are looked at.
extension World {
  private static let parts = SyncParts(pushes: true, pulls: true, pageSize: 1_000)

  func becomeQuiet() {
    commitLate()
    delayed = []
    for device in devices { device.disarm() }
    syncAll(times: 3)
    checkAgreement()
    var rounds = 0
    while violation == nil, resolveAll(round: rounds) {
      syncAll(times: 3)
      rounds += 1
      if rounds > 8 { blame(.quiet, "conflicts follow conflicts") }
    }
    if EngineAbilities.reconciles, !server.hardDeleted.isEmpty { syncAll(times: 1, isFull: true) }
    guard violation == nil else { return }
    for device in devices { checkQuiet(device) }
    checkEnd()
  }

  private func syncAll(times: Int, isFull: Bool = false) {
    var parts = Self.parts
    parts.isFull = isFull
    for _ in 0..<times {
      for device in devices where violation == nil {
        let report = device.sync(parts, in: self)
        if let failure = report.failure {
          blame(.quiet, "device \(device.number) can't sync in fair weather: \(failure)")
        }
        checkStep()
      }
    }
  }

  private func checkQuiet(_ device: SimulatedDevice) {
    let before = (device.rows, device.operations, device.errors, device.token)
    for _ in 0..<2 {
      let start = device.requests
      let report = device.sync(Self.parts, in: self)
      let lists = max(1, (server.rows.count + settings.server.pageCap - 1) / settings.server.pageCap)
      let most = settings.server.pageCap > server.rows.count ? 1 : 3 * lists + 3
      if device.requests - start > most || report.pulled > 0 || report.push.accepted > 0 {
        blame(.quiet, "device \(device.number) makes \(device.requests - start) requests with nothing to do")
      }
    }
    if before != (device.rows, device.operations, device.errors, device.token) {
      blame(.quiet, "a sync of device \(device.number) with nothing to do changed something")
    }
  }
}
