package import TableProtocol

/// Compares every row of a table with the server's by id, version and content, and changes neither side.
///
/// It works with any server of the protocol. A server that gives a digest is asked to count it again. The pages come
/// from different moments, so rows that other devices changed since the last pull are reported as different.
struct VerificationRun {
  private let ports: SyncPorts
  private let table: String
  /// The name of the query that the table is pulled with.
  private let queryID: String
  private let cancellation: Cancellation
  private let remote: any RemoteTable

  init(_ ports: SyncPorts, table: String, queryID: String, cancellation: Cancellation) {
    self.ports = ports
    self.table = table
    self.queryID = queryID
    self.cancellation = cancellation
    remote = RetryingRemoteTable(ports.remote, environment: ports.environment, cancellation: cancellation)
  }

  /// Runs the verification. Never throws: the result holds the failure.
  func run(report: @escaping (VerificationEvent) -> Void) -> Result<TableVerification, SyncFailure> {
    do {
      return .success(
        try ports.lock.withLock(
          waiting: cancellation.waiting { report(.waitingForOtherProgram) },
          run: {
            defer { try? ports.log.save(in: ports.store) }
            return try cancellation.interrupting(with: remote.interrupt) { try compare(report) }
          }))
    } catch {
      return .failure(cancellation.isCancelled ? .cancelled : SyncFailure(error))
    }
  }

  private func compare(_ report: (VerificationEvent) -> Void) throws -> TableVerification {
    if remote.server.isEmpty { throw RemoteFailure(.noServer, mayHaveActed: false) }
    _ = try remote.renewSignIn(of: .sameUser)
    let account = AccountCheck(
      store: ports.store, remote: remote, environment: ports.environment, tables: ports.tables,
      settings: ports.settings)
    try account.requireOwner()
    do {
      return try walk(report)
    } catch let failure as RemoteFailure where failure.reason == .otherDatabase {
      throw try account.other()
    }
  }

  /// Walks by id and without `$skip`. An id never changes, so no row is missed if it moves.
  private func walk(_ report: (VerificationEvent) -> Void) throws -> TableVerification {
    var found = try ports.store.read { store in
      let known = try KnownServerRows(of: table, in: store)
      var found = TableVerification(lastPull: try store.deltaToken(table: table, queryID: queryID)?.timestamp)
      (found.here, found.waiting) = (try known.digest(), known.waiting)
      for id in try known.unversioned() { found.here.add(id, KnownServerRows.noVersion) }
      return found
    }
    var walk = IDWalk(ports.settings.limit)
    while !walk.isOver {
      try cancellation.check()
      report(.progress(compared: found.there.count, total: max(found.here.count, found.there.count)))
      let size = pageSize
      let query = walk.page(of: TableQuery(table: table), limit: size, from: remote)
      let page = try remote.page(query, at: nil, verifying: true)
      // The largest page size is known only after the first answer.
      if size != pageSize { continue }
      let news = page.without(walk.seen)
      try walk.advance(past: page, limit: size, saysWhenCut: remote.saysWhenCut(page))
      try ports.store.read { try found.add(news, of: table, $0) }
    }
    return found
  }

  private var pageSize: Int { ports.settings.pageSize(for: remote.protocolVersion) }
}

extension RemotePage {
  /// Without the rows that were seen before, on this page too: a server may list an id twice, and it is one row.
  fileprivate func without(_ seen: Set<RecordID>) -> RemotePage {
    var page = self
    var here: Set<RecordID> = []
    page.records = records.filter { !seen.contains($0.id) && here.insert($0.id).inserted }
    page.unreadable = unreadable.filter { row in
      row.id.map { !seen.contains($0) && here.insert($0).inserted } ?? true
    }
    return page
  }
}

extension TableVerification {
  fileprivate mutating func add(_ page: RemotePage, of table: String, _ store: any StoreReader) throws {
    damaged = page.damaged ?? damaged
    if let newest = page.newest { meet(newest) }
    let rows = page.records.filter { !$0.system.deleted }
    let ids = rows.map(\.id)
    let known = try KnownServerRows(about: ids, of: table, in: store).versions(of: ids)
    let contents = try Self.contents(of: ids, in: table, store)
    for row in rows {
      let version = row.system.version ?? KnownServerRows.noVersion
      there.add(row.id, version)
      if known[row.id] != version { meet(row.system.updatedAt) }
      if let believed = known[row.id] {
        if believed != version {
          different += 1
        } else if let own = contents[row.id], !own.holdsTheSame(as: row) {
          differentContent += 1
        } else {
          same += 1
        }
      } else {
        missingHere += 1
      }
    }
    // A row that can't be stored here is unknown, or known in an older version.
    let named = page.unreadable.compactMap(\.id)
    let older = try KnownServerRows(about: named, of: table, in: store).versions(of: named).count
    unreadable += page.unreadable.count
    different += older
    missingHere += page.unreadable.count - older
  }

  /// The server changed at this moment, perhaps after the last pull.
  private mutating func meet(_ change: Timestamp?) {
    guard let change else { return }
    isBehind = isBehind || lastPull.map { change > $0 } ?? true
  }

  /// Returns the rows here without a pending change. A row with one differs from the server's anyway.
  private static func contents(
    of ids: [RecordID], in table: String, _ store: any StoreReader
  ) throws -> [RecordID: Record] {
    let pending = try store.pendingIDs(among: ids, in: table)
    return try store.records(ids, in: table).reduce(into: [:]) { contents, row in
      let id = row.id
      if !pending.contains(id) { contents[id] = row }
    }
  }
}

extension Record {
  /// Returns true if the columns that this device keeps are equal on the server.
  func holdsTheSame(as server: Record) -> Bool {
    values.allSatisfy { name, value in value.holdsTheSame(as: server.values[name] ?? .null) }
  }
}

extension FieldValue {
  /// Compares texts exactly. A missing or null column equals an empty one: servers leave out defaults
  /// (wire 5), and some columns of a store can't be null.
  fileprivate func holdsTheSame(as other: FieldValue) -> Bool {
    switch (self, other) {
    case (.bool, .integer), (.integer, .bool): bool == other.bool
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)): Double(integer) == real
    case (.null, let value), (let value, .null): value.isEmpty
    case (.bool, _), (.integer, _), (.real, _), (.text, _): self == other
    }
  }

  private var isEmpty: Bool {
    switch self {
    case .null: true
    case .bool(let bool): !bool
    case .integer(let integer): integer == 0
    case .real(let real): real == 0
    case .text(let text): text.isEmpty
    }
  }
}

/// The result of comparing all rows of a table with the server's, one by one.
package struct TableVerification: Sendable, Hashable {
  /// The digest of the rows that this device believes the server to have.
  package var here = TableDigest()
  /// The digest of the rows that the server has.
  package var there = TableDigest()
  /// Rows that the server has and this device does not know.
  package var missingHere = 0
  /// Rows whose versions differ.
  package var different = 0
  /// Rows with the same version and different columns.
  package var differentContent = 0
  /// Rows, tombstones included, of which the server says that they hold something else than it stored. 0 if it does
  /// not look.
  package var damaged = 0
  /// Rows of the server that can't be stored here: see ``UnreadableRow``. They count as missing here or as different.
  package var unreadable = 0
  /// Rows with a change that the server does not have: it waits to be sent, or for a decision. They were compared as
  /// this device believes the server to have them.
  package var waiting = 0
  /// Rows that are the same on both sides.
  package var same = 0
  /// True if the server changed after the last pull: an ordinary pull comes before anything else.
  package var isBehind = false
  /// How far this device has read, in UTC; nil if it never did.
  var lastPull: Timestamp?
  /// Rows that this device believes the server to have, and that the server does not have.
  package var missingThere: Int { here.count - same - different - differentContent }
}

/// An event of a running verification. Reported on the sync queue.
package enum VerificationEvent: Sendable, Hashable {
  case waitingForOtherProgram
  /// The number of compared rows of the server, and about how many there are in total.
  case progress(compared: Int, total: Int)
  /// The end. Comes once, as the last event.
  case finished(Result<TableVerification, SyncFailure>)
}
