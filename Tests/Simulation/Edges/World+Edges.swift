import InMemoryStore
import OfflineSync
import TableProtocol

/// What happens only in worlds with an edge.
extension World {
  func perform(_ step: EdgeStep) {
    switch step {
    case .drop, .restoreVersion, .addGroup, .rewriteGroup, .completeGroup, .deleteGroup, .removeWord, .moveWord,
      .seeAll, .changeExtent, .whileAsked, .undoDecision:
      performPersonal(step)
    case .otherUser(let device): syncAsOther(devices[device])
    case .damage(let device, let item): damage(devices[device], SimulatedTable.id(item))
    case .backUpDevice(let device): devices[device].backUp()
    case .restoreDevice(let device): putBack(devices[device])
    case .days(let days): pass(days: days)
    case .forbid(let items, let isForbidden): forbid(items.map(SimulatedTable.id), isForbidden)
    case .otherDatabase(let isOther): hasOtherDatabase = isOther
    case .copyServer: copyServer()
    case .loseDatabase: loseDatabase()
    case .endOrder: server.isOrdered = false
    case .backUpServer: server.backUp()
    case .restoreServer: putServerBack()
    case .restoreUnsaid(let device, let parts): putServerBack(unsaid: devices[device], parts)
    case .restoreForeign(let device, let parts): putForeignServerBack(devices[device], parts)
    case .fillCache: server.fillCache()
    case .answerFromCache(let device, let lists): devices[device].staleLists += lists
    case .answerAsBefore(let device, let changes): devices[device].otherAnswers += changes
    case .empty(let isEmpty): isEmpty ? server.empty() : refillServer()
    case .stepFarBack(let days):
      server.followsClock = true
      perform(Step.setServerClock(milliseconds: -days * 86_400_000))
    case .otherProgram(let device): devices[device].window = 1 - devices[device].window
    case .sendRemovalsBack(let device): sendRemovalsBack(devices[device])
    case .notice(let device, let fate): notice(devices[device], fate)
    case .answerRestore(let device, let sendsBack): answerRestore(devices[device], sendsBack ? .sendBack : .keepServers)
    case .removeOthers(let times): removeOthers(times)
    case .removeList: removeList()
    }
  }

  /// By an older list a device may take an item for deleted already, or be asked about one that is not.
  func noteOldList(_ changed: [RecordID]) { for id in changed { ledger.revived(id) } }

  /// A row that is deleted, and that a device takes for live by an older list: the next list takes it away, also if the
  /// person there has added it again meanwhile.
  func noteBelievedRows(of device: SimulatedDevice) {
    let pending = Set(device.operations.map(\.itemID))
    for row in device.rows where !pending.contains(row.id) && server(of: device).rows[row.id]?.deleted ?? true {
      ledger(of: device).remove(row.values.words, by: .device(device.number))
    }
  }

  private func forbid(_ ids: [RecordID], _ isForbidden: Bool) {
    if isForbidden { server.forbidden.formUnion(ids) } else { server.forbidden.subtract(ids) }
  }

  /// What was deleted while the server had no rows at all is back.
  func refillServer() {
    guard server.isEmptied else { return }
    let (back, renewed, lost) = server.refill()
    returned.formUnion(back)
    // What devices made anew meanwhile may be what a row was a while ago.
    ledger.obscureAll()
    ledger.forget(lost)
    for id in back {
      ledger.revived(id)
      ledger.obscure(id)
    }
    // An insert whose answer was lost was taken a second time, by a server that knew nothing of its deletion. No device
    // can know of that, and nobody's words are lost: the person sees the item and deletes it again.
    for id in renewed { ledger.revived(id) }
  }

  /// The server keeps tombstones for longer than devices trust it to, so that their clocks may be off by days.
  private func pass(days: Int) {
    deliverDelayed()
    pass(microseconds: Int64(days) * Self.day)
    // A device that never finished a pull does not know how long that is ago (D22).
    guard settings.edges.contains(.neverPulled) || devices.allSatisfy({ $0.hasPulled || $0.rows.isEmpty }) else {
      return
    }
    let pending = Set(devices.flatMap(\.operations).map(\.itemID))
    let newest = server.newest
    let forgotten = server.forgetTombstones(before: serverClock - 100 * Self.day)
    // With its newest row gone it looks like one that went back, and devices may send back what they have.
    let hasNothingAsNew = server.announcedEpoch != nil && server.newest != newest
    for id in forgotten where hasNothingAsNew || pending.contains(id) {
      // A change that may have arrived can make the row again: nothing is left that speaks against it.
      ledger.revived(id)
      ledger.obscure(id)
    }
  }

  private static let day: Int64 = 86_400_000_000

  /// What is under way to the old address does not arrive any more.
  private func copyServer() {
    // A copy does not say what its list had lost before.
    guard !hasOtherDatabase, devices.allSatisfy({ knowsEpoch($0) }) else { return }
    delayed.removeAll { $0.home == .first }
    server.renumber(at: serverClock)
    copies += 1
    moveServer()
  }

  /// Nothing may be asked of the server: the list is not theirs.
  private func syncAsOther(_ device: SimulatedDevice) {
    guard device.owner != nil, !device.isDead, !device.program.isSyncing else { return }
    device.user = "somebody else"
    defer { device.user = "" }
    let requests = device.requests
    let report = device.sync(SyncParts(pushes: true, pulls: true, pageSize: 100), with: device.home, nil, in: self)
    if device.requests > requests { blame(.accounts, "device \(device.number) syncs for somebody else") }
    if report.failure == nil { blame(.accounts, "device \(device.number) takes somebody else for its owner") }
  }

  private func damage(_ device: SimulatedDevice, _ id: RecordID) {
    guard !device.program.isSyncing, device.row(id) != nil, !device.operations.contains(where: { $0.itemID == id })
    else { return }
    _ = try? device.disk.write { store in
      try store.remove([id], from: SimulatedTable.name)
      try store.removeArrivals(ofItems: [id], in: SimulatedTable.name)
    }
    device.memory = nil
    // It did not go by a pull.
    device.firstStop?.rows.remove(id)
    device.damagedRows += 1
  }

  /// What waited when it was backed up is said anew, also where the person has taken it back since.
  private func redo(of device: SimulatedDevice, _ ledger: Ledger) {
    for operation in device.operations {
      let isGone = server(of: device).rows[operation.itemID] == nil
      if isGone, operation.kind != .delete { ledger.revived(operation.itemID) }
      let before = (operation.base?.values.words ?? []).union(operation.sent?.values.words ?? [])
      ledger.remove(before.subtracting(device.row(operation.itemID)?.values.words ?? []), by: .device(device.number))
    }
  }

  /// What only the device had since it was backed up is gone.
  private func putBack(_ device: SimulatedDevice) {
    guard !device.program.isSyncing, device.hasBackup else { return }
    noteDecision(of: device)
    let ledger = ledger(of: device)
    ledger.dropped(Waiting(on: device, server(of: device)), by: .device(device.number))
    ledger.obscureAll()
    losing(from: device) { device.restoreBackup(in: self) }
    device.unsent = Set(device.operations.filter { $0.kind == .insert && !$0.isMarked }.map(\.itemID))
    redo(of: device, ledger)
    highest = highest.filter { $0.key.device != device.number }
  }
}
