import Synchronization
import TableProtocol

/// A remote table that fails if the server's database went back to an older state (sync-rules W4). It fails before a
/// row or a token of the answer is stored.
///
/// The known epoch is loaded when a sync begins. The first one is saved before anything that belongs to it: from then
/// on every step is noticed. A later epoch is saved only after all rows were compared, so that the next sync notices it
/// again if this one is interrupted.
final class EpochWatch: ForwardingTable {
  private struct State {
    var known: DatabaseEpoch?
    /// True if this device has something from the server.
    var hasRows = false
    /// The latest time up to which a pull has read, by table.
    var reached: [String: Timestamp] = [:]
  }

  let base: any RemoteTable
  private let store: any LocalStore
  private let state = Mutex(State())

  init(_ base: any RemoteTable, _ store: any LocalStore) {
    self.base = base
    self.store = store
  }

  /// Loads what this device knows of `tables`. Throws `RemoteFailure` if the server has already announced another
  /// epoch. `isCompared` says that all rows were compared just now. `early` are changes whose reading has begun.
  func begin(
    _ pulls: [PullQuery], of tables: [String], isCompared: Bool = false, early: EarlyBatch? = nil
  ) throws {
    let begun = try store.read { store in
      var begun = State()
      begun.known = try store.fact(SyncFact.epoch(of: server)).flatMap { DatabaseEpoch($0) }
      begun.hasRows = try begun.known == nil && store.hasServerRows(of: tables)
      for query in pulls {
        guard let queryID = query.queryID else { continue }
        let token = try store.deltaToken(table: query.table, queryID: queryID)?.timestamp
        begun.reached[query.table] = [begun.reached[query.table], token].compactMap(\.self).max()
      }
      return begun
    }
    state.withLock { $0 = begun }
    // A change moves the server's clock. Sent first, it would hide that the server went back.
    let newest = pulls.isEmpty && !isCompared ? try store.read { try $0.newestServerMoment(of: tables) } : nil
    expect(begun.known == nil ? nil : begun.reached.values.max() ?? newest)
    try check(keeping: early)
  }

  /// Returns the newest `updatedAt` of the state that the server went back to: what this device has that is later may be
  /// lost. Nil if the epoch is the one that this device knows: then nobody raised it, and only older copies tell.
  func since(_ epoch: DatabaseEpoch?) -> Timestamp? {
    guard let epoch else { return nil }
    return state.withLock { state in
      if state.known == epoch { return nil }
      // Without an epoch, all that this device has is of the first.
      return epoch.newestKept(since: state.known ?? DatabaseEpoch(number: 1))
    }
  }

  /// Saves the first epoch before what the changes came to. A sync that is cut right after would otherwise have rows of
  /// a state that it cannot name, and the next one would not notice that the server went back.
  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes, starting: starting) { settled in
      let epoch = base.knowledge.epoch
      if !isOther(epoch) { learn(epoch) }
      return settle(settled)
    }
  }

  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? {
    let record = try base.read(id, in: table)
    try check()
    return record
  }

  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    let page = try base.page(query, at: link, verifying: verifying)
    if page.isBehind || isOlder(page, of: query.table) || isOther(page.epoch) { throw .otherEpoch }
    try check()
    learn(page.epoch)
    return page
  }

  /// True if the server has nothing as new as what a pull has brought from it. Only a server with epochs is believed.
  private func isOlder(_ page: RemotePage, of table: String) -> Bool {
    guard page.epoch != nil, let reached = state.withLock({ $0.reached[table] }) else { return false }
    return reached > (page.newest ?? .epoch)
  }

  private func check(keeping early: EarlyBatch? = nil) throws(RemoteFailure) {
    let epoch = base.knowledge.epoch
    if isOther(epoch) { throw .otherEpoch }
    learn(epoch, keeping: early)
  }

  /// Saves the first epoch that the server announces. If that fails, the next answer does it.
  private func learn(_ epoch: DatabaseEpoch?, keeping early: EarlyBatch? = nil) {
    guard let epoch, state.withLock({ $0.known == nil }) else { return }
    do {
      try store.write { store in
        let save = { try store.setFact(SyncFact.epoch(of: self.server), epoch.text) }
        if let early { try early.keep(in: store, save) } else { try save() }
      }
      state.withLock { $0.known = epoch }
    } catch {}
  }

  /// Returns true if this device knows another epoch. A device that knows none, and has something from the server, may
  /// have missed every epoch after the first.
  private func isOther(_ epoch: DatabaseEpoch?) -> Bool {
    guard let epoch else { return false }
    return state.withLock { $0.known.map { $0 != epoch } ?? ($0.hasRows && epoch.number > 1) }
  }
}

extension StoreReader {
  /// Rows that the server has accepted or sent. Those of a list that came from another server prove nothing.
  fileprivate func hasServerRows(of tables: [String]) throws -> Bool {
    if try fact(SyncFact.lastPull) != nil || fact(SyncFact.lastPush) != nil { return true }
    return try tables.contains { try count(TableQuery(table: $0, filter: .ofThisServer)) > 0 }
  }

  /// The newest time that this server gave to one of the rows; nil if there is none.
  fileprivate func newestServerMoment(of tables: [String]) throws -> Timestamp? {
    let order = [SortKey(SystemColumn.updatedAt, ascending: false)]
    return try tables.compactMap { table in
      try records(TableQuery(table: table, filter: .ofThisServer, order: order, limit: 1)).records.first?.system
        .updatedAt
    }.max()
  }
}

extension Filter {
  fileprivate static let ofThisServer = Filter.all([
    .accepted, .compare(SystemColumn.version, .notEqual, .text(TrackedRow.voidVersion.text)),
  ])
}

extension DatabaseEpoch {
  /// The newest `updatedAt` of what a server in this epoch has kept of all that a device got in the epoch `known` or
  /// before it. Later rows may be lost.
  ///
  /// A removal takes whole lists, so a list that is there lost nothing, however many removals the device missed. A
  /// number that is the same or a lower one is that of a backup from before the known epoch, so that the moment is
  /// right too. If the device missed another step, nothing says what was lost then: all that it has may be.
  ///
  /// A server that lies about its removals gains nothing by it. It could send a newer copy of any row in the known
  /// epoch too. A row at rest that it lacks, or has in an older state, is held whatever it says
  /// (``TrackedRow/isLost(on:)``). A server with another database is refused before (Q26). A copy that was put in place
  /// without raising the epoch has the names of the known one: then only the moments of the rows tell, as if there had
  /// been no removal.
  func newestKept(since known: DatabaseEpoch) -> Timestamp {
    // A state without rows has no newest moment: all that the device has is later.
    let newest = from ?? .epoch
    if removals(since: known) != nil || known.removals(since: self) != nil { return newest }
    // The server went back before the removal, and `from` is not about that step. That it went back shows in the names,
    // or in the number if the known epoch has none.
    if beganWithRemoval, known.isNamed || number < known.number { return .epoch }
    return number <= known.number + 1 ? newest : .epoch
  }
}

extension RemoteFailure {
  static let otherEpoch = RemoteFailure(.otherEpoch, mayHaveActed: false)
}
