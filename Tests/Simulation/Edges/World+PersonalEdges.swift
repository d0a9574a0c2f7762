import OfflineSync
import TableProtocol

/// What a person does at a device, in worlds with an edge.
extension World {
  func performPersonal(_ step: EdgeStep) {
    switch step {
    case .drop(let device, let item): drop(devices[device], SimulatedTable.id(item))
    case .restoreVersion(let device, let item, let back):
      restoreVersion(devices[device], SimulatedTable.id(item), back: back)
    case .addGroup(let device, let count, let serial): addGroup(devices[device], count, serial)
    case .rewriteGroup(let device, let items, let column, let serial):
      rewriteGroup(devices[device], items.map(SimulatedTable.id), column, serial)
    case .completeGroup(let device, let items):
      let (device, ids) = (devices[device], items.map(SimulatedTable.id))
      edit(device, ids) { _ = try device.table.update(ids) { _ in [SimulatedTable.complete: .bool(true)] } }
    case .deleteGroup(let device, let items):
      let (device, ids) = (devices[device], items.map(SimulatedTable.id))
      edit(device, ids) { _ = try device.table.delete(Set(ids).sorted()) }
    case .removeWord(let device, let item, let column, let word):
      changeWords(devices[device], item, column) { if $0.count > 1 { $0.remove(at: word % $0.count) } }
    case .moveWord(let device, let item, let column, let from, let to):
      ledger(of: devices[device]).moves(SimulatedTable.id(item))
      changeWords(devices[device], item, column) { words in
        guard words.count > 1 else { return }
        let word = words.remove(at: from % words.count)
        words.insert(word, at: to % (words.count + 1))
      }
    case .seeAll(let device): seeAll(devices[device])
    case .changeExtent(let device, let extent): devices[device].keep(extent)
    case .whileAsked(let device, let steps): devices[device].whileAsked = steps
    case .undoDecision(let device, let choice): undoDecision(devices[device], choice)
    case .otherUser, .damage, .backUpDevice, .restoreDevice, .days, .forbid, .otherDatabase, .copyServer, .loseDatabase,
      .endOrder,
      .backUpServer, .restoreServer, .restoreUnsaid, .restoreForeign, .notice, .answerRestore, .sendRemovalsBack,
      .fillCache, .answerFromCache, .answerAsBefore, .empty, .stepFarBack, .otherProgram, .removeOthers, .removeList:
      break
    }
  }

  /// Carries out what the person does with an item while the delegate is asked about it.
  func performWhileAsked(_ device: SimulatedDevice, _ id: RecordID) {
    let steps = device.whileAsked
    device.whileAsked = []
    if !steps.isEmpty { device.wasDisturbed = true }
    for step in steps {
      trace?.append("    while device \(device.number) is asked about \(id): \(step)")
      switch step {
      case .rewrite(let column, let serial):
        edit(device, [id]) {
          try device.table.update(id, [column.rawValue: .text(SimulatedTable.words(serial, column))])
        }
      case .toggle:
        let isComplete = device.row(id)?.values[SimulatedTable.complete]?.bool == true
        edit(device, [id]) { try device.table.update(id, [SimulatedTable.complete: .bool(!isComplete)]) }
      case .drop: drop(device, id)
      case .delete: edit(device, [id]) { try device.table.delete(id) }
      case .resolve(let choice): resolve(device, id, choice)
      }
    }
  }

  /// One step of undo brings the conflict back, with both texts.
  private func undoDecision(_ device: SimulatedDevice, _ choice: Choice) {
    guard !device.isDead, !device.program.isSyncing,
      let conflict = (try? device.table.conflicts())?.first(where: { $0.error.kind == .conflict })
    else { return }
    resolve(device, conflict.itemID, choice)
    reverse(device, undoing: true)
    guard !device.isDead else { return }
    let now = (try? device.table.conflicts())?.first { $0.itemID == conflict.itemID }
    if now?.mine?.values.known != conflict.mine?.values.known
      || now?.theirs?.values.known != conflict.theirs?.values.known
    {
      blame(
        .reversals, "device \(device.number) undid a decision about \(conflict.itemID), and the conflict is not back")
    }
  }

  private func drop(_ device: SimulatedDevice, _ id: RecordID) {
    // Of a held row the person gives up what the server lost. It stands here until another device sends an older text.
    if let row = device.row(id), device.errors.contains(where: { $0.itemID == id && $0.kind == .held }) {
      ledger(of: device).remove(row.values.words, by: .device(device.number))
    }
    edit(device, [id]) { _ = try device.table.drop(id) }
  }

  private func restoreVersion(_ device: SimulatedDevice, _ id: RecordID, back: Int) {
    guard let newest = device.versions(of: id).last?.number, newest >= Int64(back) else { return }
    edit(device, [id]) { try device.table.restore(id, toVersion: newest - Int64(back)) }
  }

  /// The ids are known only afterwards.
  private func addGroup(_ device: SimulatedDevice, _ count: Int, _ serial: Int) {
    guard !device.isDead else { return }
    let known = Set(device.rows.map(\.id))
    edit(device, []) {
      _ = try device.table.insert((0..<count).map { SimulatedTable.newRow(0, serial: serial + $0).values })
    }
    for row in device.rows where !known.contains(row.id) {
      device.saw(row.id)
      note(nil, row, row.id, device)
    }
  }

  private func rewriteGroup(_ device: SimulatedDevice, _ ids: [RecordID], _ column: Column, _ serial: Int) {
    let serials = Dictionary(ids.enumerated().map { ($1, serial + $0) }, uniquingKeysWith: { $1 })
    edit(device, ids) {
      _ = try device.table.update(serials.keys.sorted()) { row in
        [column.rawValue: .text(SimulatedTable.words(serials[row.id] ?? serial, column))]
      }
    }
  }

  private func changeWords(
    _ device: SimulatedDevice, _ item: Int, _ column: Column, _ change: (inout [String]) -> Void
  ) {
    self.change(device, item) { row in
      var words = row.values.words(of: column)
      change(&words)
      return [column.rawValue: .text(words.joined(separator: " "))]
    }
  }

  private func seeAll(_ device: SimulatedDevice) {
    guard !device.isDead else { return }
    _ = try? device.store.write { try $0.clear(.arrivals, of: SimulatedTable.name) }
    guard device.arrivals.isEmpty else { return }
    device.memory?.seen = Dictionary(device.rows.map { ($0.id, $0.values) }, uniquingKeysWith: { $1 })
  }
}
