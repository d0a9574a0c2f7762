import TableProtocol

/// Compares every row of a table with the server's by id and version, and changes neither side. Any server of the
/// protocol can be asked; it need not tell a digest.
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
    remote = PatientRemoteTable(ports.remote, environment: ports.environment, cancellation: cancellation)
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
    var last = ""
    var narrows = true
    while true {
      try cancellation.check()
      report(.progress(compared: found.there.count, total: max(found.here.count, found.there.count)))
      let size = pageSize
      let answer = Result { () throws(RemoteFailure) in
        try remote.page(query(after: last, narrows: narrows, size))
      }
      if narrows, case .failure(let failure) = answer, failure.isBadRequest {
        // One that knows no `$select`, or not of these columns.
        narrows = false
        continue
      }
      let page = try answer.get()
      // Only now is it known how large a page may be.
      if size != pageSize { continue }
      guard let end = page.records.map(\.id).max(by: Self.precedes), Self.precedes(last, end) else { return found }
      try ports.store.read { try found.take(page.records, of: table, $0) }
      last = end
      if page.records.count < size && !page.hasMore { return found }
    }
  }

  private func query(after last: String, narrows: Bool, _ size: Int) -> TableQuery {
    TableQuery(
      table: table, filter: last.isEmpty ? nil : .compare(SystemColumn.id, .greater, .text(last)),
      order: [SortKey(SystemColumn.id)], limit: size,
      select: narrows ? [SystemColumn.id, SystemColumn.version] : [])
  }

  private var pageSize: Int { ports.settings.pageSize(for: remote.protocolVersion) }

  /// The order of ids on the wire: by code point.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}

extension TableVerification {
  fileprivate mutating func take(_ page: [Record], of table: String, _ store: any StoreReader) throws {
    let rows = page.filter { !$0.system.deleted }
    let ids = rows.map(\.id)
    let known = try ServerBelief(about: ids, of: table, in: store).versions(of: ids)
    for row in rows {
      guard let version = row.system.version else {
        throw RemoteFailure(.badAnswer("its items have no version"), mayHaveActed: false)
      }
      there.add(row.id, version)
      switch known[RecordID(row.id)] {
      case nil: missingHere += 1
      case version: same += 1
      default: different += 1
      }
    }
  }
}

extension RemoteFailure {
  fileprivate var isBadRequest: Bool {
    if case .serverError(status: 400, _) = reason { true } else { false }
  }
}
