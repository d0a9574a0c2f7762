/// What a person says about all rows that are newer here than on a server that went back to an older state.
package enum RestoreAnswer: Sendable, Hashable {
  /// They are sent to the server again (W5).
  case sendBack
  /// The server's older copies come here (W6). What was not sent before is judged as an edit of what this device had.
  case keepServers
}

/// The server went back to an older state, and nobody has said yet what becomes of the rows that are newer here.
/// Everything else was synced.
package struct ServerWentBack: Error, Sendable, Hashable {
  /// The rows that are newer here, or deleted here and back there.
  package let items: Int

  package init(items: Int) { self.items = items }
}

/// The rows of some tables that are held.
struct HeldRows {
  let tables: [String]

  func count(in store: any StoreReader) throws -> Int { try errors(in: store).count }

  /// Carries out the answer for all of them, as one step of undo.
  func answer(_ answer: RestoreAnswer, in store: any StoreWriter, _ environment: Environment) throws {
    var changes: [RowChange] = []
    for (table, errors) in Dictionary(grouping: try errors(in: store), by: \.table).sorted(by: { $0.key < $1.key }) {
      let editor = RowEditor(table, in: store, environment)
      let updates = try store.trackedRows(errors.map(\.itemID), in: table).map { row in
        var after = row
        after.resolve(answer == .sendBack ? .mine : .theirs)
        return RowUpdate(row, after)
      }
      try editor.save(updates, .decision(editor.now))
      changes += updates.filter { $0.before.shown != $0.after.shown }.map { editor.change($0) }
    }
    try store.remember(changes)
  }

  private func errors(in store: any StoreReader) throws -> [TableOperationError] {
    try store.operationErrors().filter { $0.kind == .held && tables.contains($0.table) }
  }
}
