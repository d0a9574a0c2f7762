import OfflineSync
import TableProtocol

/// Another client of the server, with the rules of protocol 2.0.0: it overwrites what is there.
extension World {
  func perform(_ change: ForeignChange) {
    switch change {
    case .add(let item, let serial): add(item, serial)
    case .rewrite(let item, let column, let serial): rewrite(item, column, serial)
    case .rewriteLate(let item, let column, let serial) where server.isOrdered: rewrite(item, column, serial)
    case .rewriteLate(let item, let column, let serial): beginLate(item, column, serial)
    case .delete(let item): setDeleted(item, true)
    case .undelete(let item): setDeleted(item, false)
    case .hardDelete(let item): hardDelete(item)
    case .addMany(let items, let serial): for item in items { add(item, serial + item - items.lowerBound) }
    case .deleteMany(let items): for item in items { setDeleted(item, true) }
    case .addUntimed(let item, let serial):
      add(item, serial)
      if let row = server.rows[SimulatedTable.id(item)], !row.deleted { server.storeUntimed(row) }
    case .rewriteUntimed(let item, let column, let serial):
      rewrite(item, column, serial)
      if let row = server.rows[SimulatedTable.id(item)] { server.storeUntimed(row) }
    case .paint(let item, let serial): paint(item, serial)
    }
  }

  /// Another client writes into a column of its own.
  private func paint(_ item: Int, _ serial: Int) {
    guard var row = server.rows[SimulatedTable.id(item)], !row.deleted else { return }
    let color = FieldValue.text("color\(serial)")
    row.values[SimulatedTable.color] = color
    row.updated = server.stamp(serverClock)
    server.painted[row.id] = color
    server.store(row, by: .other)
  }

  private func add(_ item: Int, _ serial: Int) {
    let new = SimulatedTable.newRow(item, serial: serial)
    guard server.rows[new.id] == nil else { return }
    let stamp = server.stamp(serverClock)
    server.store(ServerRow(id: new.id, values: new.values, created: stamp, updated: stamp), by: .other)
    ledger.wrote(new.id, from: [], to: new.values.words, by: .other)
  }

  private func rewrite(_ item: Int, _ column: Column, _ serial: Int) {
    guard var row = server.rows[SimulatedTable.id(item)], !row.deleted || server.manners.family == .node else { return }
    let before = row.values.words
    row.values[column.rawValue] = .text(SimulatedTable.words(serial, column))
    row.updated = server.stamp(serverClock)
    server.store(row, by: .other)
    if row.deleted {
      // Nobody sees what a tombstone holds, but what was there before was seen and taken away.
      ledger.remove(before.subtracting(row.values.words), by: .other)
    } else {
      ledger.wrote(row.id, from: before, to: row.values.words, by: .other)
    }
  }

  private func beginLate(_ item: Int, _ column: Column, _ serial: Int) {
    guard let row = server.rows[SimulatedTable.id(item)], !row.deleted else { return }
    server.late.append(
      SimulatedServer.LateWrite(
        item: row.id, column: column, text: SimulatedTable.words(serial, column), stamp: server.stamp(serverClock),
        readVersion: row.version))
  }

  /// A row that was changed since is left alone, as a database that locks it would do.
  func commitLate() {
    for write in server.late {
      guard var row = server.rows[write.item], row.version == write.readVersion else { continue }
      let before = row.values.words
      row.values[write.column.rawValue] = .text(write.text)
      row.updated = write.stamp
      server.store(row, by: .other)
      ledger.wrote(row.id, from: before, to: row.values.words, by: .other)
    }
    server.late = []
  }

  private func setDeleted(_ item: Int, _ deleted: Bool) {
    guard var row = server.rows[SimulatedTable.id(item)], row.deleted != deleted else { return }
    row.deleted = deleted
    row.updated = server.stamp(serverClock)
    server.store(row, by: .other)
    if deleted {
      // It saw what the row was before too, which a device may have put back meanwhile.
      ledger.deleted(row.id, seeing: server.words[row.id] ?? [], by: .other)
    } else {
      ledger.revived(row.id)
      ledger.reopen(row.id)
      ledger.obscureCompletion(row.id)
    }
  }

  /// Our own server keeps a tombstone of whatever is deleted.
  private func hardDelete(_ item: Int) {
    if server.manners.family == .ebb { return setDeleted(item, true) }
    guard let row = server.rows.removeValue(forKey: SimulatedTable.id(item)) else { return }
    server.hardDeleted.insert(row.id)
    // A server that has nothing as new any more looks like one that went back: people may send the row back.
    if !settings.edges.isDisjoint(with: [.restoredServer, .foreignRestore]) { ledger.revived(row.id) }
    server.painted[row.id] = nil
    ledger.obscure(row.id)
    // What may have arrived and left no trace is made again.
    let pending = devices.flatMap(\.operations).map(\.itemID) + delayed.map(\.change.id)
    if pending.contains(row.id) { ledger.revived(row.id) }
    ledger.deleted(row.id, seeing: server.words[row.id] ?? [], by: .other)
  }
}
