import TableProtocol

/// Compares every row of a table with the server's by id, version and content, and changes neither side. Any server of
/// the protocol can be asked; it need not give a digest, but one that does is asked to count it again.
///
/// The pages are of different moments: what other devices change meanwhile, or changed since the last pull, is
/// found to be different.
struct VerificationRun {
  private let ports: SyncPorts
  private let table: String
  private let cancellation: Cancellation
  private let remote: any RemoteTable

  init(_ ports: SyncPorts, table: String, cancellation: Cancellation) {
    self.ports = ports
    self.table = table
    self.cancellation = cancellation
    remote = RetryingRemoteTable(ports.remote, environment: ports.environment, cancellation: cancellation)
  }

  /// Never throws: what went wrong is in the last event.
  func run(report: @escaping (VerificationEvent) -> Void) -> Result<TableVerification, SyncFailure> {
    do {
      return .success(
        try ports.lock.withLock(
          waiting: cancellation.waiting { report(.waitingForOtherProgram) },
          run: {
            defer { try? ports.log.keep(in: ports.store) }
            return try cancellation.interrupting(with: remote.interrupt) { try compare(report) }
          }))
    } catch {
      return .failure(cancellation.isCancelled ? .cancelled : SyncFailure(error))
    }
  }

  private func compare(_ report: (VerificationEvent) -> Void) throws -> TableVerification {
    if remote.server.isEmpty { throw RemoteFailure(.noServer, mayHaveActed: false) }
    let account = AccountCheck(
      store: ports.store, remote: remote, environment: ports.environment, tables: ports.tables)
    try account.requireOwner()
    do {
      return try walk(report)
    } catch let failure as RemoteFailure where failure.reason == .otherDatabase {
      throw try account.other()
    }
  }

  /// By id, which no row changes, and without `$skip`, so that no row is missed that moves meanwhile.
  private func walk(_ report: (VerificationEvent) -> Void) throws -> TableVerification {
    var found = TableVerification()
    found.here = try ports.store.read { try ServerBelief(of: table, in: $0).digest() }
    var walk = IDWalk()
    while !walk.isOver {
      try cancellation.check()
      report(.progress(compared: found.there.count, total: max(found.here.count, found.there.count)))
      let size = pageSize
      let page = try remote.page(query(walk.condition, size), at: nil, verifying: true)
      // Only with the first answer is it known how large a page may be.
      if size != pageSize { continue }
      try walk.advance(past: page, limit: size, saysWhenCut: remote.saysWhenCut(page))
      try ports.store.read { try found.add(page, of: table, $0) }
    }
    return found
  }

  private func query(_ condition: Filter?, _ size: Int) -> TableQuery {
    TableQuery(
      table: table, filter: condition, order: [SortKey(SystemColumn.id)], limit: size,
      includesTotalCount: remote.mayCutSilently)
  }

  private var pageSize: Int { ports.settings.pageSize(for: remote.protocolVersion) }
}

extension TableVerification {
  fileprivate mutating func add(_ page: RemotePage, of table: String, _ store: any StoreReader) throws {
    let rows = page.records.filter { !$0.system.deleted }
    let ids = rows.map(\.id)
    let known = try ServerBelief(about: ids, of: table, in: store).versions(of: ids)
    let contents = try Self.contents(of: ids, in: table, store)
    for row in rows {
      guard let version = row.system.version else {
        throw RemoteFailure(.badAnswer("its items have no version"), mayHaveActed: false)
      }
      there.add(row.id, version)
      if let believed = known[RecordID(row.id)] {
        if believed != version {
          different += 1
        } else if let own = contents[RecordID(row.id)], !own.holdsTheSame(as: row) {
          differentContent += 1
        } else {
          same += 1
        }
      } else {
        missingHere += 1
      }
    }
    // A row that can't be stored here is not known, or only in an older version.
    let unreadable = page.unreadable.compactMap(\.id)
    let older = try ServerBelief(about: unreadable, of: table, in: store).versions(of: unreadable).count
    different += older
    missingHere += page.unreadable.count - older
  }

  /// The rows as they are here, but none with a pending change: what the server has of that is not what is here.
  private static func contents(
    of ids: [String], in table: String, _ store: any StoreReader
  ) throws -> [RecordID: Record] {
    let pending = Set(try store.operations(ofItems: ids, in: table).map { RecordID($0.itemID) })
    return try store.records(ids, in: table).reduce(into: [:]) { contents, row in
      let id = RecordID(row.id)
      if !pending.contains(id) { contents[id] = row }
    }
  }
}

extension Record {
  /// True if the columns that this device keeps hold the same on the server.
  fileprivate func holdsTheSame(as server: Record) -> Bool {
    values.allSatisfy { name, value in value.holdsTheSame(as: server.values[name] ?? .null) }
  }
}

extension FieldValue {
  /// Compares texts exactly. A column that is left out or null holds what an empty one does: servers leave out defaults
  /// (table-protocol 5), and a store has columns that can't be null.
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
