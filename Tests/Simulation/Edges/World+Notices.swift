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
    case .lies: lie(to: device, level)
    }
    pass(milliseconds: NoticeLine.collecting, of: device)
  }

  /// Pulls that a minute of lies may cost. They double their distance, and begin again with each that brought
  /// something.
  private static let mostPullsOfAMinute = 20

  private func lie(to device: SimulatedDevice, _ level: ListLevel) {
    let before = device.noticedPulls
    for moment in 1...600 where !device.isDead {
      let time = level.updatedAt.advanced(byMilliseconds: Int64(moment))
      say([ListLevel(updatedAt: time, database: level.database, epoch: level.epoch)], to: device)
      pass(milliseconds: 100, of: device)
    }
    let pulls = device.noticedPulls - before
    if pulls > Self.mostPullsOfAMinute { blame(.patience, "device \(device.number) pulls \(pulls) times in a minute") }
  }

  private func say(_ levels: [ListLevel], to device: SimulatedDevice) {
    for level in levels { tell(device, .heard(.level(level), connection: device.line.number)) }
  }

  private func pass(milliseconds: Int, of device: SimulatedDevice) {
    device.uptime += milliseconds
    tell(device, .tick)
  }

  private func tell(_ device: SimulatedDevice, _ event: NoticeLine.Event) {
    for action in device.line.receive(event, at: device.uptime, chance: 1) {
      switch action {
      case .open(let number): tell(device, .heard(.asked, connection: number))
      case .close: break
      case .compare(let level): compare(level, device)
      case .refresh: pull(device)
      }
    }
  }

  private func compare(_ level: ListLevel, _ device: SimulatedDevice) {
    let (query, server) = (device.extent.query, address(of: device.home))
    if breakage.believesNotices, let queryID = query.queryID {
      try? device.store.write {
        try $0.setDeltaToken(DeltaToken(level.updatedAt), table: query.table, queryID: queryID)
      }
      return
    }
    let position = try? device.store.read {
      try ListPosition(of: query, at: server, in: $0, PullSettings(), now: device.environment.now())
    }
    if breakage.pullsForEachNotice { return position?.isAt(level) == true ? () : pull(device) }
    if let position { tell(device, .compared(position, with: level)) }
  }

  private func pull(_ device: SimulatedDevice) {
    device.noticedPulls += 1
    tell(device, .refreshBegan)
    let report = sync(device, Self.parts)
    guard !device.isDead else {
      device.line = NoticeLine()
      return
    }
    let hasWorked = report.map { $0.failure == nil } ?? false
    tell(device, .refreshEnded(hasWorked ? .complete : .incomplete, isByHand: false))
  }
}
