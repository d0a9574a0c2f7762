import OfflineSync
import TableProtocol

/// A row of which the person at a device is asked whether a server that went back is to have it.
struct HeldRow {
  /// Of both sides.
  let words: Set<String>
  /// What the server had acknowledged and the person gives up by the answer. An edit that was not sent may still show
  /// it, in a conflict with the server's copy.
  let givenUp: Set<String>
}

/// The server is put back from a backup, or the list is removed from it, and what the people at the devices say about
/// that (sync-rules W4 to W6).
extension World {
  /// What no device has is gone for good, and what was deleted since is back.
  ///
  /// A device that misses an epoch can't tell what it missed from an older copy, so nobody misses one.
  func putServerBack() {
    guard nobodyMissesEpoch, let rows = server.restore() else { return }
    noteLoss(rows)
  }

  /// Lists of others are removed, and this one loses nothing. No device may sleep through more removals than the server
  /// can name: it would be asked as after a restore.
  func removeOthers(_ times: Int) {
    for _ in 0..<times where server.epoch.number <= SimulatedServer.mostNamed { server.removeOthers() }
  }

  /// This list is removed, as its user is, and people say that it is wanted again: a device that sends its rows begins
  /// another one. It is as if an empty server was put back, and each device is asked.
  func removeList() {
    guard nobodyMissesEpoch else { return }
    server.removeList()
    noteLoss([:])
  }

  /// In worlds with removals an epoch may have begun that no restore did, and a device may have missed that one too.
  private var nobodyMissesEpoch: Bool {
    let own = devices.filter { $0.home == .first && $0.hasPulled }
    guard settings.edges.contains(.removedLists) else { return own.allSatisfy { knowsEpoch($0) } }
    return own.allSatisfy { epochKnown(to: $0) == server.announcedEpoch }
  }

  /// What is lost with the old database, and no device has, is gone for good; what was deleted may be back.
  ///
  /// A device that keeps a part of the rows does not ask about the others, so it has not compared all it has.
  func loseDatabase() {
    let own = devices.filter { $0.home == .first && $0.hasPulled }
    guard !hasOtherDatabase, own.allSatisfy({ knowsEpoch($0) && !$0.extent.isPartial && !$0.wasPartial }) else {
      return
    }
    delayed.removeAll { $0.home == .first }
    server.begin(at: serverClock)
    copies += 1
    moveServer()
    noteLoss(server.rows)
  }

  /// The same, and nobody raises the epoch. Only who is the first to meet such a server, and knows of later rows, can
  /// notice: a write of anybody else puts its clock past all that it lost, and nothing tells any more. So the device
  /// that has sent what is lost meets it at once, in fair weather, and nobody else has heard of that.
  func putServerBack(unsaid device: SimulatedDevice, _ parts: SyncParts) {
    guard let backup = server.backup, mayNoticeLoss(device, parts, since: backup),
      let rows = server.restore(isSaid: false)
    else { return }
    delayed.removeAll { $0.home == .first }
    noteLoss(rows)
    device.disarm()
    sync(device, parts)
  }

  /// If it does not pull, only its rows say how far it has read: a deletion leaves none.
  private func mayNoticeLoss(
    _ device: SimulatedDevice, _ parts: SyncParts, since backup: SimulatedServer.Backup
  ) -> Bool {
    let own = devices.filter { $0.home == .first }
    let knowsServer = own.allSatisfy { knowsEpoch($0) && $0.owner.map { $0.server == address(of: .first) } ?? true }
    let reached = parts.pulls ? device.token?.timestamp : device.rows.compactMap(\.system.updatedAt).max()
    let hasRead = reached.map { $0.milliseconds > backup.stamp / 1_000 + 1 } ?? false
    let open = Set(device.errors.map(\.itemID))
    guard device.home == .first, hasRead, knowsServer, !hasOtherDatabase,
      device.operations.contains(where: { !open.contains($0.itemID) })
    else { return false }
    return own.allSatisfy { $0 === device || $0.knowsNothing(after: backup) }
  }

  private func noteLoss(_ rows: [RecordID: ServerRow], keeping held: Set<String>? = nil) {
    hasGoneBack = true
    ledger.forget(except: (held ?? heldWords()).union(rows.values.flatMap(\.values.words)))
    // Devices may send back what they had not heard to be deleted.
    for id in ledger.items where rows[id]?.deleted == false || devices.contains(where: { $0.row(id) != nil }) {
      ledger.revived(id)
    }
    ledger.obscureAll()
    highest = highest.filter { devices[$0.key.device].home != .first }
  }

  /// The same of a server without epochs, which only its rows tell (sync-rules row-w4-others). The device that knows of
  /// something that is lost meets it at once. What others alone have heard of may be lost: later copies hide it.
  func putForeignServerBack(_ device: SimulatedDevice, _ parts: SyncParts) {
    guard let backup = server.backup, let lost = promisedSigns(for: device, parts, since: backup), !lost.isEmpty
    else { return }
    let waiting = devices.filter { $0.home == .first && $0 !== device }.map { Waiting(on: $0, server).words }
    guard let rows = server.restore() else { return }
    delayed.removeAll { $0.home == .first }
    // Nothing tells which of two states of one millisecond is the newer one.
    let doubtful = device.rows.filter { row in
      rows[row.id].map { Timestamp(milliseconds: $0.updated / 1_000) >= row.system.updatedAt ?? .epoch } ?? false
    }
    let known = heldWords(by: [device]).subtracting(doubtful.flatMap(\.values.words))
    noteLoss(rows, keeping: waiting.reduce(known) { $0.union($1) })
    for other in devices where other.home == .first { other.gaps.insert(.list) }
    device.disarm()
    let before = Dictionary(device.rows.map { ($0.id, $0.values) }, uniquingKeysWith: { $1 })
    let failure = sync(device, parts)?.failure
    // A pull that would remove most of the list stops before it has seen all; that question comes first.
    let isStopped = if case .massRemoval = failure { true } else { false }
    // Until then others may write over what was lost, and nothing tells any more.
    if isStopped { forgetUnnoticed(by: device) }
    let held = Set(device.errors.filter { $0.kind == .held }.map(\.itemID))
    for id in lost {
      // Nobody is asked about a row that the server has again as it is here, in an older state: an edit was taken back.
      let isSame = rows[id].map { !$0.deleted && $0.values.known == before[id] } ?? false
      if isSame || isStopped || held.contains(id), device.row(id)?.values == before[id] { continue }
      blame(.restores, "device \(device.number) was not asked about \(id), which the server lost")
    }
  }

  /// The rows that this device has in another state than a server that is put back now, by more than rows may be late;
  /// nil if nothing promises that the device notices.
  private func promisedSigns(
    for device: SimulatedDevice, _ parts: SyncParts, since backup: SimulatedServer.Backup
  ) -> [RecordID]? {
    let token = device.token?.timestamp.milliseconds ?? .min
    let isOwn = device.home == .first && device.owner.map { $0.server == address(of: .first) } ?? false
    guard isOwn, !hasOtherDatabase, device.errors.isEmpty, !device.extent.isPartial, !device.program.isSyncing,
      device.hasPulled, !device.needsComparison
    else { return nil }
    let pending = Set(device.operations.map(\.itemID))
    let rows = device.rows.filter { !pending.contains($0.id) && $0.system.version != nil }
    let lost = rows.filter { row in
      guard let time = row.system.updatedAt?.milliseconds else { return false }
      let old = backup.rows[row.id]?.updated
      return time <= serverClock / 1_000_000 * 1_000 && old.map { $0 / 1_000 + settings.overlap < time } ?? true
    }
    let undone = undoneDeletions(of: device, since: backup)
    let isTold = undone.contains { $0.isSameState } || lost.contains { backup.rows[$0.id] != nil }
    guard isTold else { return nil }
    // A pull that does not compare all rows looks for the newest one.
    let newest = rows.filter { $0.system.updatedAt.map { $0.milliseconds <= token } ?? false }
      .max { ($0.system.updatedAt ?? .epoch) < ($1.system.updatedAt ?? .epoch) }?.system.updatedAt
    let isSought =
      lost.contains { $0.system.updatedAt == newest }
      && !rows.contains { row in row.system.updatedAt == newest && !lost.contains { $0.id == row.id } }
    let ids = lost.map(\.id) + undone.map(\.id)
    return parts.isFull || device.extent == .allCompared || isSought ? ids : nil
  }

  /// Rows that the person at this device deleted, and that live in the backup as they were then or before.
  private func undoneDeletions(
    of device: SimulatedDevice, since backup: SimulatedServer.Backup
  ) -> [(id: RecordID, isSameState: Bool)] {
    let pending = Set(device.operations.map(\.itemID))
    return backup.rows.values.filter { !$0.deleted && device.row($0.id) == nil && !pending.contains($0.id) }
      .compactMap { row in
        guard let last = device.versions(of: row.id).last, last.origin == .here, let deleted = last.before?.system,
          let time = deleted.updatedAt, Timestamp(milliseconds: row.updated / 1_000) <= time
        else { return nil }
        // A state dated after the server's own clock tells nothing.
        let isPast = time.milliseconds <= serverClock / 1_000_000 * 1_000
        return (row.id, isPast && row.version.version == deleted.version)
      }
  }

  /// Call before the list gets another address. Then a device that has not compared all rows since a server without
  /// epochs was put back no longer notices that: the times of one address say nothing about those of another (W2).
  func noteUnnoticedRestore() {
    guard hasGoneBack, server.announcedEpoch == nil else { return }
    for device in devices where device.home == .first && device.needsComparison { forgetUnnoticed(by: device) }
  }

  /// What only this device still has of a server that was put back, and does not know to be lost.
  private func forgetUnnoticed(by device: SimulatedDevice) {
    let there = Set(server.rows.values.flatMap(\.values.words))
    let kept = Set(device.operations.map(\.itemID) + device.errors.map(\.itemID))
    let unnoticed = device.rows.filter { !kept.contains($0.id) }.flatMap(\.values.words)
    ledger.forget(Set(unnoticed).subtracting(there))
  }

  /// Call before and after a device loses its list in another way than by a sync: what the server lost too is gone
  /// then.
  func losing(from device: SimulatedDevice, _ body: () -> Void) {
    guard hasGoneBack, device.home == .first else { return body() }
    let before = heldWords(by: [device])
    body()
    let lost = before.subtracting(heldWords()).subtracting(server.rows.values.flatMap(\.values.words))
    ledger.forget(lost)
  }

  /// All that devices hold of the first server's list.
  private func heldWords(by some: [SimulatedDevice]? = nil) -> Set<String> {
    (some ?? devices).filter { $0.home == .first }.reduce(into: []) { words, device in
      words.formUnion(device.rows.flatMap(\.values.words))
      // What the other side of an open conflict had is no edit that was acknowledged to the device.
      for error in device.errors where error.kind != .conflict {
        words.formUnion(error.item?.values.words ?? [])
        words.formUnion(error.serverItem?.values.words ?? [])
      }
      for operation in device.operations { words.formUnion(operation.sent?.values.words ?? []) }
    }
  }

  func answerRestore(_ device: SimulatedDevice, _ answer: RestoreAnswer) {
    var parts = SyncParts(pushes: true, pulls: true, pageSize: 100)
    parts.afterRestore = answer
    sync(device, parts)
  }

  /// Whoever was stopped and wants the list back wants all of it as it is here, also what others have deleted or take
  /// out before it arrives.
  func sendRemovalsBack(_ device: SimulatedDevice) {
    var parts = SyncParts(pushes: true, pulls: true, pageSize: 100)
    parts.sendsRemovalsBack = true
    let stop = try? device.store.read { try MassRemoval(of: SimulatedTable.name, in: $0) }
    if stop ?? nil != nil {
      for row in device.rows {
        ledger(of: device).revived(row.id)
        ledger(of: device).returned(row.values.words, to: row.id)
      }
    }
    sync(device, parts)
  }

  /// Notes what the person is about to give up, or to take back, by the answer.
  func noteQuestion(of device: SimulatedDevice, _ answer: RestoreAnswer?) {
    guard answer != nil else { return }
    device.heldRows = [:]
    for error in device.errors where error.kind == .held {
      device.heldRows[error.itemID] = HeldRow(
        words: (device.row(error.itemID)?.values.words ?? []).union(error.serverItem?.values.words ?? []),
        givenUp: answer == .keepServers ? error.item?.values.words ?? [] : [])
    }
  }

  /// The ledger learns of the answer when it is on the disk. Call before anything else happens to the rows.
  func noteAnswer(of device: SimulatedDevice) {
    guard !device.heldRows.isEmpty else { return }
    let open = Set(device.errors.filter { $0.kind == .held }.map(\.itemID))
    let ledger = ledger(of: device)
    for (id, held) in device.heldRows where !open.contains(id) {
      device.heldRows[id] = nil
      let after = device.row(id)
      // A row that goes by what the person gave up does not go by a pull.
      if after == nil { device.firstStop?.rows.remove(id) }
      // One side gives way to the other as a whole, whatever it was.
      let given = held.words.subtracting(after?.values.words ?? []).union(held.givenUp)
      ledger.remove(given, by: .device(device.number))
      device.saw(id)
    }
  }
}

extension SimulatedDevice {
  /// True if it has nothing that the server wrote after the backup, nor has read that far: a deletion leaves no copy.
  /// And it can't have sent anything.
  fileprivate func knowsNothing(after backup: SimulatedServer.Backup) -> Bool {
    if let token, token.timestamp.milliseconds > backup.stamp / 1_000 { return false }
    let copies = rows + operations.compactMap(\.base) + errors.compactMap(\.serverItem)
    return !operations.contains(where: \.isMarked)
      && copies.allSatisfy { VersionNumber($0.system.version, of: home).map { $0.number <= backup.version } ?? true }
  }
}
