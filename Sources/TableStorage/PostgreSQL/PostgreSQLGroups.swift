import Glibc
import TableProtocol

/// Runs the transactions of writers.
final class PostgreSQLGroups: Sendable {
  /// How often one is tried that met another.
  private static let mostAttempts = 8

  private let connections: PostgreSQLConnections
  private let options: PostgreSQLStorage.Options
  private let exchange: PostgreSQLNotices

  init(_ connections: PostgreSQLConnections, _ options: PostgreSQLStorage.Options, _ exchange: PostgreSQLNotices) {
    self.connections = connections
    self.options = options
    self.exchange = exchange
  }

  /// Two connections are left to readers.
  var writes: PostgreSQLWrites {
    PostgreSQLWrites(most: max(1, options.connections - 2), longest: options.patience.busy) { [self] jobs, writes in
      connections.submit { [self] in
        run(jobs)
        writes.finish(jobs[0].lists)
      }
    }
  }

  /// If the transaction that they share fails as a whole, each gets one of its own: one that fills the disk must not be
  /// the failure of the others.
  private func run(_ jobs: [PostgreSQLWrites.Job]) {
    do {
      for outcome in try together(jobs) { outcome() }
    } catch {
      let failure = GroupFailure(error)
      guard jobs.count > 1, failure.isAboutOne else {
        for job in jobs { job.fail(failure.error) }
        return
      }
      for job in jobs { run([job]) }
    }
  }

  private func together(_ jobs: [PostgreSQLWrites.Job]) throws -> [@Sendable () -> Void] {
    var attempt = 1
    while true {
      do {
        return try connections.use { try transaction(jobs, on: $0) }
      } catch {
        switch GroupFailure(error).kind {
        case .met where attempt < Self.mostAttempts: attempt += 1
        // The connection may have been cut while nobody used it. Nothing was committed.
        case .cut where attempt == 1: attempt = Self.mostAttempts
        case .met, .locked, .cut, .turnedAway, .unknown, .other: throw error
        }
      }
    }
  }

  private func transaction(
    _ jobs: [PostgreSQLWrites.Job], on connection: PostgreSQLConnection
  ) throws -> [@Sendable () -> Void] {
    let transaction = PostgreSQLTransaction(connection, options.patience)
    defer { transaction.end() }
    var outcomes: [@Sendable () -> Void] = []
    do {
      try transaction.begin(jobs[0].lists, goesByDatabaseClock: options.goesByDatabaseClock)
      if let move = options.move {
        try PostgreSQLSchema.checkIsMoving(move, connection, database: connections.address.shown)
      }
      for job in jobs { outcomes.append(try outcome(of: job, in: transaction, isAlone: jobs.count == 1)) }
      guard transaction.isWritten else {
        try connection.run("ROLLBACK")
        return outcomes
      }
      try commit(transaction)
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
    }
    for list in transaction.lists {
      if let moment = list.savedMoment { exchange.post(ListNotice(list: list.id, lastMoment: moment)) }
    }
    return outcomes
  }

  /// Of several each is undone by itself when it throws.
  private func outcome(
    of job: PostgreSQLWrites.Job, in transaction: PostgreSQLTransaction, isAlone: Bool
  ) throws -> @Sendable () -> Void {
    for list in transaction.lists { list.renewTime() }
    if isAlone { return try job.run(transaction.lists) }
    do {
      return try transaction.part { (try job.run(transaction.lists), isKept: true) }
    } catch {
      // A failure of the session is one of all.
      if transaction.connection.isBroken { throw error }
      return { job.fail(GroupFailure(error).error) }
    }
  }

  private func commit(_ transaction: PostgreSQLTransaction) throws {
    // A move has no client that waits.
    if options.move == nil { transaction.connection.allow(options.patience.commit) }
    do {
      // Where one of them fails, those after it are not run.
      try transaction.connection.run(transaction.lastStatements() + [PostgreSQLStatement("COMMIT")])
    } catch {
      guard case .unreachable = error else { throw error }
      // The answer was lost, not necessarily the commit.
      switch PostgreSQLOutcome(of: transaction)?.find(connections, options.patience) ?? .unknown {
      case .committed: return
      case .undone: throw error
      case .unknown: throw PostgreSQLFailure.outcomeUnknown
      }
    }
  }
}

/// Why a transaction of writers failed: the one place that decides what such a failure means.
private struct GroupFailure {
  enum Kind {
    /// Two transactions met, and this one must be repeated.
    case met
    /// Somebody had the lock for too long.
    case locked
    /// There is no connection, or it was cut before the commit.
    case cut
    /// No session could begin, also after a while.
    case turnedAway
    /// It may have been committed.
    case unknown
    case other
  }

  let kind: Kind
  /// As the writers get it.
  let error: any Error

  init(_ error: any Error) {
    self.error = (error as? PostgreSQLFailure)?.error ?? error
    kind =
      switch error {
      case PostgreSQLFailure.again: .met
      case PostgreSQLFailure.refused(state: "55P03", _), StorageError.busy: .locked
      case PostgreSQLFailure.unreachable, StorageError.unreachable: .cut
      case PostgreSQLFailure.turnedAway: .turnedAway
      case PostgreSQLFailure.outcomeUnknown, StorageError.outcomeUnknown: .unknown
      default: .other
      }
  }

  /// False for a failure that each of the writers would meet again, or that leaves open what became of them.
  var isAboutOne: Bool {
    switch kind {
    case .locked, .cut, .turnedAway, .unknown: false
    case .met, .other: true
    }
  }
}

/// The fate of a transaction whose commit had no answer.
///
/// PostgreSQL's `pg_xact_status` does not say so after a crash, since the number of a transaction that left no trace on
/// the disk is given out again. The list says it: whoever writes to it moves its clock, and gives its last row that
/// moment.
struct PostgreSQLOutcome {
  enum Result {
    case committed, undone, unknown
  }

  private let listID: String
  private let last: Timestamp
  private let row: RecordID

  /// Nil if it gave no moment to a row, so that there is nothing to go by.
  init?(of transaction: PostgreSQLTransaction) {
    for list in transaction.lists {
      if let last = list.savedMoment, let row = list.lastRow {
        (listID, self.last, self.row) = (list.header.listID, last, row)
        return
      }
    }
    return nil
  }

  /// Waits for the lock of the list, which the other session may still have.
  func find(_ connections: PostgreSQLConnections, _ patience: PostgreSQLPatience) -> Result {
    Self.find(connections, patience) { try look($0, patience) }
  }

  /// Looks until `look` finds it out, which throws if it can't; so long as a writer waits.
  static func find(
    _ connections: PostgreSQLConnections, _ patience: PostgreSQLPatience,
    _ look: (PostgreSQLConnection) throws -> Result
  ) -> Result {
    let end = ContinuousClock.now + patience.busy
    repeat {
      if let result = try? connections.use(within: patience.longestLock, look) { return result }
      _ = poll(nil, 0, 100)
    } while .now < end
    return .unknown
  }

  /// Commits, though it changed nothing: as it has a lock, that waits for whatever a commit waits for, a synchronous
  /// standby too. Commits follow one another, so that the one that is asked for is as safe then.
  private func look(_ connection: PostgreSQLConnection, _ patience: PostgreSQLPatience) throws -> Result {
    let results = try connection.run([
      PostgreSQLStatement("BEGIN ISOLATION LEVEL READ COMMITTED"), patience.statement(reading: patience.busy),
      PostgreSQLStatement("SELECT last_updated_at FROM ebb_list WHERE list_id = $1::uuid FOR UPDATE", [.text(listID)]),
      PostgreSQLStatement(
        "SELECT id FROM ebb_item WHERE list_id = $1::uuid AND updated_at = $2", [.text(listID), .moment(last)]),
      PostgreSQLStatement("COMMIT"),
    ])
    guard let moment = results[2].moment(0, 0), moment >= last else { return .undone }
    // No two writes ever have the same moment. If no row has it, later writers may have changed ours, or it never was.
    return results[3].text(0, 0).map { RecordID($0) == row ? .committed : .undone } ?? .unknown
  }
}
