import TableProtocol

/// Compares all that is here with a server that went back to an older state (sync-rules W4).
///
/// No token is trusted and nothing is removed. Rows that this device had from the server, and the server lost, are held
/// until a person says which side is right. Rows that the server has not forgotten are left to the pull that follows.
struct ServerRestoration {
  let store: any LocalStore
  let remote: any RemoteTable
  let watch: EpochWatch
  let settings: PullSettings
  let environment: Environment
  let cancellation: Cancellation
  let tables: [String]

  /// Compares all tables. Then saves the epoch and removes the tokens. If it is interrupted, the next sync begins
  /// again, and the rows held so far stay held.
  func run() throws {
    var epoch: DatabaseEpoch?
    for table in tables { epoch = try compare(table, epoch) }
    try store.write { store in
      for table in tables {
        try store.clear(.deltaTokens, of: table)
        try store.removeFact(SyncFact.agreement(on: table))
        try store.noteRestoration(of: table, since: watch.since(epoch), foundAt: environment.now())
      }
      if let epoch { try store.setFact(SyncFact.epoch(of: remote.server), epoch.text) }
    }
  }

  /// Walks over a table by id, as a complete comparison does. Returns the epoch of the pages.
  private func compare(_ table: String, _ earlier: DatabaseEpoch?) throws -> DatabaseEpoch? {
    var epoch = earlier
    var walk = IDWalk(settings.limit)
    while !walk.isOver {
      try cancellation.check()
      let size = settings.pageSize(for: remote.protocolVersion)
      let page = try remote.page(
        walk.page(of: TableQuery(table: table, includesDeleted: true), limit: size, from: remote))
      // It went back once more meanwhile.
      if let epoch, page.epoch != epoch { throw RemoteFailure(.otherEpoch, mayHaveActed: false) }
      epoch = page.epoch
      try walk.advance(past: page, limit: size, saysWhenCut: remote.saysWhenCut(page))
      for part in page.records.chunked(by: PullStoring.part) { try meet(Array(part), in: table, watch.since(epoch)) }
    }
    try meetAbsence(from: walk.seen, in: table, watch.since(epoch))
    return epoch
  }

  private func meet(_ records: [Record], in table: String, _ since: Timestamp?) throws {
    try store.write { store in
      let deleted = try store.tombstones(among: records, in: table, since: since)
      let rows = try store.trackedRows(records.map(\.id), in: table)
      try save(
        zip(rows, records).map { stored, record in
          let row = try store.recalling(stored, meeting: record, in: table)
          var after = row
          // A row that is new here comes with the pull.
          if !row.isUntracked || deleted[row.id] != nil {
            after.serverWentBack(to: record, since: row.isLost(on: record) ? nil : since, deleted: deleted[row.id])
          }
          return RowUpdate(row, after)
        }, in: table, store)
    }
  }

  /// Compares the rows of which the server has no trace, also those that wait or are held.
  private func meetAbsence(from seen: Set<RecordID>, in table: String, _ since: Timestamp?) throws {
    try cancellation.check()
    try store.write { store in
      let waiting = try store.operations(in: table).map(\.itemID)
      let here = Set(try store.ids(beginning: "", in: table) + waiting)
      let rows = try store.trackedRows(here.subtracting(seen).sorted(), in: table)
      try save(
        rows.map { row in
          var after = row
          after.serverWentBack(to: nil, since: row.isLost(on: nil) ? nil : since)
          return RowUpdate(row, after)
        }, in: table, store)
    }
  }

  /// Saves the updates that remove no row. The pull removes rows, under its guard.
  private func save(_ updates: [RowUpdate], in table: String, _ store: any StoreWriter) throws {
    let news = updates.filter { $0.before != $0.after && ($0.before.local == nil || $0.after.local != nil) }
    guard !news.isEmpty else { return }
    try RowStorage(table, in: store, environment).save(news, .sync(environment.now()))
  }
}

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

  func ids(in store: any StoreReader) throws -> [RecordID] { try errors(in: store).map(\.itemID) }

  /// Applies the answer to all held rows, as one step of undo. Returns how many they were, and how many of them changed
  /// here.
  func answer(
    _ answer: RestoreAnswer, in store: any StoreWriter, _ environment: Environment
  ) throws -> (rows: Int, changed: Int) {
    var changes: [RowChange] = []
    var answered = 0
    for (table, errors) in Dictionary(grouping: try errors(in: store), by: \.table).sorted(by: { $0.key < $1.key }) {
      let editor = RowEditor(table, in: store, environment)
      let updates = try store.trackedRows(errors.map(\.itemID), in: table).map { row in
        var after = row
        after.resolve(answer == .sendBack ? .mine : .theirs)
        return RowUpdate(row, after)
      }
      try editor.save(updates, .decision(editor.now))
      answered += updates.count
      changes += updates.filter { $0.before.shown != $0.after.shown }.map { editor.change($0) }
    }
    try store.remember(changes)
    return (answered, changes.count)
  }

  private func errors(in store: any StoreReader) throws -> [TableOperationError] {
    try store.operationErrors().filter { $0.kind == .held && tables.contains($0.table) }
  }
}
