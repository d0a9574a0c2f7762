import OfflineSync
import TableProtocol

/// What a person does at a device. The ledger learns of it when it is on the disk, which it may be
/// although the program died with it.
extension World {
  func add(_ device: SimulatedDevice, _ item: Int, _ serial: Int) {
    let new = SimulatedTable.newRow(item, serial: serial)
    // Ids are drawn by chance: a device that was purged never draws one that it has sent before.
    if device.hasForgotten, server(of: device).rows[new.id] != nil { return }
    edit(device, new.id) {
      // An id that the device has used before is one that its person chooses.
      guard device.versions(of: new.id).isEmpty else { return try device.table.insert(new) }
      guard device.row(new.id) == nil else { return }
      device.nextID = new.id.text
      try device.table.insert(new.values)
    }
    device.nextID = nil
  }

  func change(_ device: SimulatedDevice, _ item: Int, _ values: (Record) -> [String: FieldValue]) {
    let id = SimulatedTable.id(item)
    guard let row = device.row(id) else { return }
    edit(device, id) { try device.table.update(id, values(row)) }
  }

  func editWord(_ device: SimulatedDevice, _ item: Int, _ column: Column, _ word: Int, _ serial: Int) {
    change(device, item) { row in
      var words = row.values.words(of: column)
      if words.isEmpty { words = [""] }
      words[word % words.count] = "w\(serial)\(column.rawValue.prefix(1))"
      return [column.rawValue: .text(words.joined(separator: " "))]
    }
  }

  func revert(_ device: SimulatedDevice, _ item: Int) {
    let operation = device.operations.last { $0.itemID == SimulatedTable.id(item) }
    guard operation?.kind == .update, let base = operation?.base else { return }
    change(device, item) { _ in base.values }
    // What was taken out since is in it again, on the server too if nothing is left to be sent.
    ledger(of: device).obscure(SimulatedTable.id(item))
  }

  func delete(_ device: SimulatedDevice, _ item: Int) {
    let id = SimulatedTable.id(item)
    edit(device, id) { try device.table.delete(id) }
  }

  func undelete(_ device: SimulatedDevice, _ item: Int) {
    let id = SimulatedTable.id(item)
    guard let row = device.deletedRows[id] else { return }
    edit(device, id) { try device.table.insert(row) }
  }

  /// Takes back the newest change, or does the last one that was taken back again.
  func reverse(_ device: SimulatedDevice, undoing: Bool) {
    let step = device.undoStep(undone: !undoing)
    guard !step.isEmpty else { return }
    let ids = step.map(\.itemID)
    let open = Set(device.errors.map(\.itemID))
    let before = Dictionary(ids.map { ($0, device.row($0)) }, uniquingKeysWith: { $1 })
    edit(device, ids) { _ = undoing ? try device.table.undo() : try device.table.redo() }
    // With nothing left to send, what was kept aside of the server's is applied.
    let pending = Set(device.operations.map(\.itemID))
    // A decision that is undone puts both sides to the person again, with the server's copy of now.
    let asked = open.union(device.errors.filter { $0.kind == .conflict }.map(\.itemID))
    for change in step where undoing && change.decision != nil && asked.subtracting(open).contains(change.itemID) {
      let (was, now) = (before[change.itemID] ?? nil, device.row(change.itemID))
      let hidden = now.map { (was?.values.words ?? []).subtracting($0.values.words) } ?? []
      ledger(of: device).undecided(change.itemID, hiding: hidden, by: .device(device.number))
    }
    for change in step where pending.contains(change.itemID) && !asked.contains(change.itemID) {
      guard let before = before[change.itemID] ?? nil, let after = device.row(change.itemID) else { continue }
      // A decision that is undone after the server moved on is judged against its copy of now, and may merge with it
      // (L15).
      if let decision = change.decision, decision.after.version != before.system.version { continue }
      checkReversal(of: undoing ? change.after : change.before, before, after, device)
    }
  }

  private func edit(_ device: SimulatedDevice, _ id: RecordID, _ body: () throws -> Void) { edit(device, [id], body) }

  /// Changes rows in one transaction.
  func edit(_ device: SimulatedDevice, _ ids: [RecordID], _ body: () throws -> Void) {
    guard !device.isDead else { return }
    noteDecision(of: device)
    let ids = Set(ids).sorted()
    let before = ids.map { device.row($0) }
    let lost = rowsLostThere(among: ids, of: device)
    // A change that is refused is none; one whose program died may have been made.
    try? body()
    for (id, before) in zip(ids, before) {
      device.saw(id)
      note(before, device.row(id), id, device)
    }
    noteDeletions(of: lost, on: device)
  }

  /// The words that a row has, or is about to get, without what this device made of it: those on the server, or if
  /// another client removed it there without a trace, those of devices that do not know yet whether their insert
  /// arrived.
  func wordsOfOthers(_ id: RecordID, than device: SimulatedDevice) -> Set<String> {
    if let row = server(of: device).rows[id] { return row.values.words }
    let others = devices.filter { $0.number != device.number && $0.home == device.home }
    return others.reduce(into: []) { words, other in
      for operation in other.operations where operation.itemID == id && operation.kind == .insert {
        words.formUnion((operation.sent ?? other.row(id))?.values.words ?? [])
      }
    }
  }

  private func noteTakenBack(_ before: Record, _ after: Record, _ device: SimulatedDevice) {
    let past = device.versions(of: after.id).compactMap(\.before?.values)
    for column in Column.allCases {
      let (old, new) = (before.values.words(of: column), after.values.words(of: column))
      guard old != new, past.contains(where: { $0.words(of: column) == new }) else { continue }
      ledger(of: device).tookBack(Set(old).subtracting(new), from: after.id)
    }
  }

  func note(_ before: Record?, _ after: Record?, _ id: RecordID, _ device: SimulatedDevice) {
    let ledger = ledger(of: device)
    let party = Party.device(device.number)
    let operation = device.operations.first { $0.itemID == id }
    // What is taken back behind a request that was made on an older copy goes with that request (P13).
    let isTakenBack = device.mayMistake && operation?.base?.values == after?.values
    let isSaid = operation != nil && !isTakenBack
    switch (before, after) {
    case (nil, nil): break
    case (let before?, nil):
      device.deletedRows[id] = before
      device.firstStop?.rows.remove(id)
      ledger.obscureCompletion(id)
      // What the row was before was seen too, and another device may have put it back meanwhile.
      let past = device.versions(of: id).compactMap(\.before).flatMap(\.values.words)
      ledger.deleted(id, seeing: before.values.words.union(past), by: party)
      ledger.droppedEdit(of: id, leaving: wordsOfOthers(id, than: device))
      // With nothing to send, the deletion stays on this device: the server's row comes with the next pull.
      if device.unsent.contains(id), operation == nil { ledger.revived(id) }
      noteUnsaidDeletion(of: id, on: device)
      // What a server seemed to have lost is deleted here alone, and may come back with the server's rows.
      if device.needsComparison, settings.edges.contains(.emptiedServer) {
        ledger.revived(id)
        ledger.obscure(id)
      }
    case (nil, let after?):
      device.deletedWhileAsked.remove(id)
      device.firstStop?.since.insert(id)
      ledger.undeleted(id, by: party)
      ledger.wrote(id, from: [], to: after.values.words, by: party, isSaid: isSaid)
      // A row that comes back as it was says nothing of what others made of it.
      if device.deletedRows[id] != nil || ledger.revivals.contains(id) { ledger.obscure(id) }
    case (let before?, let after?):
      ledger.wrote(id, from: before.values.words, to: after.values.words, by: party, isSaid: isSaid)
      noteTakenBack(before, after, device)
      if before.values.isComplete != after.values.isComplete {
        ledger.completed(id, after.values.isComplete, by: party)
        // On an older copy a change that is taken back changes nothing, whatever the row is by now.
        if device.mayMistake { ledger.obscureCompletion(id) }
      }
    }
  }
}
