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
        if let since = watch.since(epoch) {
          try store.note(LostState(since: since, foundAt: environment.now()), of: table)
        }
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
      try meet(page.records, in: table, watch.since(epoch))
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

/// The loss of a server that was put back, as this device remembers it.
struct LostState {
  /// The server's time: what was later is lost.
  let since: Timestamp
  /// This device's time.
  let foundAt: Timestamp
}

extension StoreWriter {
  fileprivate func note(_ lost: LostState, of table: String) throws {
    try setFact(SyncFact.restoration(of: table), "\(lost.since.text) \(lost.foundAt.text)")
  }
}

extension StoreReader {
  func lostState(of table: String) throws -> LostState? {
    let moments = try fact(SyncFact.restoration(of: table))?.split(separator: " ").compactMap { Timestamp($0) } ?? []
    return moments.count == 2 ? LostState(since: moments[0], foundAt: moments[1]) : nil
  }

  /// Returns the tombstones of rows that the person here had deleted before the server went back, and that another
  /// device, which had not heard of that, has sent again since. The restored server showed no trace of them, so that
  /// nobody was asked then.
  func lostTombstones(
    among records: [Record], in table: String, _ lost: LostState
  ) throws -> [RecordID: ServerSide] {
    let deleted = try lastVersions(of: records, in: table).filter { _, version in
      version.origin == .here && version.changedAt.map { $0 <= lost.foundAt } ?? false
        && version.before?.system.updatedAt.map { $0 > lost.since } ?? false
    }
    return try tombstones(among: deleted.map(\.0), in: table, since: lost.since)
  }

  /// Returns the tombstones of rows that are live on the server and deleted here, if the past versions show that the
  /// server lost the deletion: this copy or a later one was deleted, or one that is later than what the server went back
  /// to. In the second case the copy is from somebody who did not know of the deletion. No given row may be here.
  func tombstones(
    among records: [Record], in table: String, since: Timestamp? = nil
  ) throws -> [RecordID: ServerSide] {
    var tombstones: [RecordID: ServerSide] = [:]
    for (record, version) in try lastVersions(of: records, in: table) {
      guard let before = version.before else { continue }
      let isLost = since.map { since in before.system.updatedAt.map { $0 > since } ?? false } ?? false
      guard isLost || record.isNotLater(than: before) else { continue }
      tombstones[record.id] = .tombstone(
        Record(id: record.id, values: before.values, system: SystemProperties(deleted: true)))
    }
    return tombstones
  }

  /// The last remembered change of those of the rows that are live on the server.
  fileprivate func lastVersions(of records: [Record], in table: String) throws -> [(Record, PastVersion)] {
    let live = records.filter { !$0.system.deleted }
    guard !live.isEmpty else { return [] }
    let versions = try pastVersions(ofItems: live.map(\.id), in: table)
    return live.compactMap { record in versions[record.id]?.last.map { (record, $0) } }
  }

  /// Returns the rows that the person here deleted, and that are live on the server in the state before that. No given
  /// row may be here or have a pending change.
  func lostDeletions(among records: [Record], _ table: String) throws -> [OlderCopy] {
    try lastVersions(of: records, in: table).compactMap { record, version in
      guard version.origin == .here, let before = version.before, let time = before.system.updatedAt else { return nil }
      return OlderCopy(record: record, known: time, hasKnownVersion: record.isSameState(as: before))
    }
  }
}

extension Record {
  /// True if this is the state in which the row was deleted here. If the list had moved to another address before that,
  /// the version was not believed, and time and columns decide (W2).
  fileprivate func isSameState(as deleted: Record) -> Bool {
    guard let version = deleted.system.version else { return false }
    guard version == TrackedRow.voidVersion else { return version == system.version }
    return system.updatedAt == deleted.system.updatedAt && values.agrees(with: deleted.values)
  }

  /// Compares by the server's versions and times. This device's clock has no part in it.
  fileprivate func isNotLater(than deleted: Record) -> Bool {
    if let version = system.version, version == deleted.system.version { return true }
    guard let time = system.updatedAt, let last = deleted.system.updatedAt else { return false }
    return time <= last
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
