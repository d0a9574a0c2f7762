/// The user's answer about all rows that are newer here than on a server that went back to an older state.
public enum RestoreAnswer: Sendable, Hashable {
  /// Send them to the server again (W5).
  case sendBack
  /// Take the server's older copies (W6). A change that was not sent before is judged as an edit of this device's copy.
  case keepServers
}

/// The server went back to an older state, and the user has not decided yet about the rows that are newer here. All
/// other rows were synced.
public struct ServerWentBack: Error, Sendable, Hashable {
  /// The number of rows that are newer here, or deleted here and present there again.
  public let items: Int

  package init(items: Int) { self.items = items }
}

/// The held rows of some tables.
struct HeldRows {
  let tables: [String]

  func count(in store: any StoreReader) throws -> Int { try errors(in: store).count }

  /// Applies the answer to all held rows, as one step of undo.
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
