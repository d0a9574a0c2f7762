import OfflineSync
import TableProtocol

/// Notices of a server, on connections that keep nothing they promise. A device does nothing because of them that a
/// person might not do at that moment: it syncs.
extension World {
  private static let parts = SyncParts(pushes: true, pulls: true, pageSize: 100)

  func notice(_ device: SimulatedDevice, _ fate: NoticeFate) {
    guard !device.isDead, !device.program.isSyncing else { return }
    let level = ListLevel(
      updatedAt: server(at: device.home).lastMoment, database: database(at: device.home) ?? "none",
      epoch: server(at: device.home).epoch.number)
    let before = device.lastLevel
    device.lastLevel = level
    tell(device, .start)
    switch fate {
    case .arrives: say([level], to: device)
    case .lost: break
    case .doubled: say([level, level], to: device)
    case .late: say([before ?? level], to: device)
    case .cut:
      tell(device, .heard(.ended(.failed(.unreachable("connection cut", kind: .cut))), connection: device.line.number))
      pass(milliseconds: 300_000, of: device)
      say([level], to: device)
    case .silent:
      pass(milliseconds: NoticeLine.silence, of: device)
      pass(milliseconds: 300_000, of: device)
    case .foreign:
      say([ListLevel(updatedAt: .epoch, database: "nobody's", epoch: 7)], to: device)
    case .flood:
      for moment in 0..<50 {
        let other = ListLevel(updatedAt: Timestamp(milliseconds: Int64(moment)), database: "nobody's", epoch: moment)
        say([other, level], to: device)
        pass(milliseconds: 10, of: device)
      }
    }
    pass(milliseconds: NoticeLine.collecting, of: device)
  }

  private func say(_ levels: [ListLevel], to device: SimulatedDevice) {
    for level in levels { tell(device, .heard(.level(level), connection: device.line.number)) }
  }

  private func pass(milliseconds: Int, of device: SimulatedDevice) {
    device.uptime += milliseconds
    tell(device, .tick)
  }

  private func tell(_ device: SimulatedDevice, _ event: NoticeLine.Event) {
    for action in device.line.hear(event, at: device.uptime, chance: 1) {
      switch action {
      case .open(let number): tell(device, .heard(.asked, connection: number))
      case .close: break
      case .compare(let level): if !isAt(level, device) { pull(device) }
      case .refresh: pull(device)
      }
    }
  }

  private func isAt(_ level: ListLevel, _ device: SimulatedDevice) -> Bool {
    let (query, server) = (device.extent.query, address(of: device.home))
    if breakage.believesNotices, let queryID = query.queryID {
      try? device.store.write {
        try $0.setDeltaToken(DeltaToken(level.updatedAt), table: query.table, queryID: queryID)
      }
      return true
    }
    return (try? device.store.read { try ListPosition(of: query, at: server, in: $0) }.isAt(level)) ?? false
  }

  private func pull(_ device: SimulatedDevice) {
    tell(device, .refreshBegan)
    let report = sync(device, Self.parts)
    guard !device.isDead else {
      device.line = NoticeLine()
      return
    }
    tell(device, .refreshEnded(hasWorked: report.map { $0.failure == nil } ?? false, isByHand: false))
  }
}
