import OfflineSync
import TableProtocol

extension World {
  /// One sync with the server the device belongs to.
  @discardableResult
  func sync(_ device: SimulatedDevice, _ parts: SyncParts) -> SyncReport? {
    // A device that belongs to nobody would take any database for its own, which is its right.
    if hasOtherDatabase, device.home == .first, !knowsDatabase(device) { return nil }
    let hasMoved = !hasOtherDatabase && device.owner.map { $0.server != address(of: device.home) } ?? false
    return sync(device, parts, with: device.home, hasMoved && parts.knowsAddress ? .sameList : nil)
  }

  private func knowsDatabase(_ device: SimulatedDevice) -> Bool {
    guard let owner = device.owner else { return false }
    return settings.edges.contains(.unnamedDatabase) || device.knownDatabase(of: owner.server) != nil
  }

  /// A change arrives. If it leaves a row, or a place in its text, as it was before a change of another device that got
  /// no answer to that, then that device can't tell this from a change that never arrived, and its own goes out again.
  func apply(_ change: RemoteChange, meant: Meant, to server: SimulatedServer, by party: Party) -> RemoteAnswer {
    let before = server.rows[change.id]
    // Of a tombstone that is forgotten, all that it may have had.
    let old = before?.values.words ?? server.words[change.id] ?? []
    let answer = server.apply(change, meant: meant, at: serverClock, by: party)
    noteSurprise(of: server)
    guard let row = server.rows[change.id], row.version != before?.version, !row.deleted, server !== stranger
    else {
      return answer
    }
    if before?.deleted ?? true {
      ledgers[server.home.rawValue].revived(without: old.subtracting(row.values.words), by: party)
    }
    let writers = Set(server.history[row.id, default: []].map(\.party)).subtracting([party])
    for device in devices where device.home == server.home && writers.contains(.device(device.number)) {
      noteReturn(of: row, for: device)
    }
    return answer
  }

  /// Our server's own code takes whatever comes from a device.
  func noteSurprise(of server: SimulatedServer) {
    if let surprise = server.surprise { blame(.service, surprise) }
  }

  private func noteReturn(of row: ServerRow, for device: SimulatedDevice) {
    guard let operation = device.operations.first(where: { $0.itemID == row.id }), let base = operation.base?.values
    else { return }
    let asked = device.errors.first { $0.itemID == row.id }?.sent
    guard let sent = operation.isMarked ? operation.sent ?? device.row(row.id) : asked else { return }
    for column in Column.allCases {
      let (before, after) = (Set(base.words(of: column)), Set(sent.values.words(of: column)))
      // Of a text, the place that was changed counts.
      guard before.subtracting(after).isSubset(of: row.values.words(of: column)) else { continue }
      ledger(of: device).returned(after.subtracting(before), to: row.id)
    }
  }

  /// One sync with the other account configured. A device that belongs to nobody would just go there, which is
  /// its right, and is left out.
  func sync(_ device: SimulatedDevice, _ parts: SyncParts, takesAlong: Bool) {
    guard device.home == .first, !device.isDead, !device.program.isSyncing, device.owner != nil else { return }
    if takesAlong {
      // A request may arrive after the device has left. What was put back here meanwhile can't be put back there.
      for operation in device.operations where operation.isMarked {
        guard let row = device.row(operation.itemID), let sent = operation.sent else { continue }
        let putBack = row.values.words.subtracting(sent.values.words)
        ledgers[Home.first.rawValue].remove(putBack, by: .device(device.number))
      }
      device.departure = Waiting(on: device, server(of: device))
      // Whoever takes a list along wants all of it there, also what another who did so has deleted there since.
      for row in device.rows { ledgers[Home.second.rawValue].revived(row.id) }
    }
    if takesAlong { device.memory = nil }
    sync(device, parts, with: .second, takesAlong ? .takeAlong : nil)
    if takesAlong { device.memory = nil }
    device.departure = nil
  }

  private func noteWholePull(of device: SimulatedDevice, _ parts: SyncParts) {
    device.isPulledOnce = true
    device.isAmidEpoch = false
    device.firstStop = nil
    guard !device.metOldList else { return }
    device.isStale = false
    if device.operations.isEmpty { device.mayMistake = false }
    // It has compared all of its own accord then.
    if device.hasHeardStep { device.gaps.remove(.clock) }
    device.hasHeardStep = false
    guard parts.isFull, !server(of: device).isEmptied else { return }
    (device.damagedRows, device.gaps) = (0, [])
    if !device.extent.isPartial { device.wasPartial = false }
  }

  @discardableResult
  private func sync(
    _ device: SimulatedDevice, _ parts: SyncParts, with home: Home, _ change: AccountChange?
  ) -> SyncReport? {
    guard !device.isDead, !device.program.isSyncing else { return nil }
    noteDecision(of: device)
    noteQuestion(of: device, parts.afterRestore)
    let known = Set(device.errors.map(\.id))
    let isAllowed = parts.allowsMassRemoval || change != nil || parts.afterRestore == .keepServers
    let before = Set(device.rows.map(\.id))
    let pending = device.operations.map(\.itemID)
    let epoch = epochKnown(to: device)
    let program = device.programs.count
    let wasAmidEpoch = device.isAmidEpoch
    device.isAmidEpoch = wasAmidEpoch || epoch != server(of: device).announcedEpoch
    let report = device.sync(parts, with: home, change, in: self)
    noteAnswer(of: device)
    if device.metOldList { noteBelievedRows(of: device) }
    guard program == device.programs.count else { return report }
    noteDecision(of: device)
    noteOwner(of: device)
    guard !device.isDead else { return report }
    if report.failure == nil { checkDenial(of: device) }
    if !device.wasDisturbed {
      noteStop(of: device, before, pending: pending, report)
      if !isAllowed, pending.isEmpty { checkMassDeletion(of: device, before) }
      if change == nil, !parts.sendsRemovalsBack, !wasAmidEpoch {
        checkNoQuestion(of: device, since: epoch, known, pending: pending)
      }
    }
    if parts.pulls, report.failure == nil { noteWholePull(of: device, parts) }
    // After a restore all is compared, which finds conflicts as a pull does, also if it is cut. A push alone asks for
    // no list but then, whether the restore was said or noticed.
    if !device.wasDisturbed, !device.gotList, change == nil, parts.pushes, !parts.pulls {
      checkTally(of: device, report, known)
    }
    checkComparison(of: device)
    checkStranger()
    return report
  }

  /// Call after a sync that says it was a whole one.
  private func checkDenial(of device: SimulatedDevice) {
    // A row without a trace looks like a server that went back: then the denied change may turn out to be done.
    let traceless = server(of: device).hardDeleted.union(server(of: device).forgotten)
    // It was sent again after that, unless something waits without an answer.
    let answered = Set(device.errors.map(\.itemID))
    let mayBeDone = device.operations.allSatisfy { answered.contains($0.itemID) } && !traceless.isEmpty
    // What was denied may have arrived before, and the pull has shown it.
    if device.isDenied, !mayBeDone {
      blame(.denials, "device \(device.number) was denied and takes it for a sync")
    }
  }
}
