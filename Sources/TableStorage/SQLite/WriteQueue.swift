import GRDB
import Synchronization
import TableProtocol

/// Lets writers that wait at the same time share a commit: a commit waits for the disk, and one wait serves them all.
///
/// Each writer still has a transaction of its own as far as it can see: what it wrote is undone if it throws, and none
/// is told of success before the commit.
final class WriteQueue: Sendable {
  /// Writers that share a commit at most, so that the first of them does not wait for ever.
  static let mostTogether = 256

  typealias Job = WriteJob<SQLiteEditableList>

  private let pool: DatabasePool
  private let onCommit: @Sendable (ListPlace, Timestamp) -> Void
  private let makeList: @Sendable (ListID, Database) throws -> SQLiteEditableList
  private let state = Mutex(State())

  private struct State {
    var waiting: [Job] = []
    var isAtWork = false
  }

  /// `onCommit` is told of each list whose rows were written, with the last moment that one was given.
  init(
    _ pool: DatabasePool, onCommit: @escaping @Sendable (ListPlace, Timestamp) -> Void,
    makeList: @escaping @Sendable (ListID, Database) throws -> SQLiteEditableList
  ) {
    self.pool = pool
    self.onCommit = onCommit
    self.makeList = makeList
  }

  /// How many writers wait for the commit before theirs.
  var waiting: Int { state.withLock { $0.waiting.count } }

  func add(_ job: Job) {
    let mustStart = state.withLock { state in
      state.waiting.append(job)
      defer { state.isAtWork = true }
      return !state.isAtWork
    }
    if mustStart { pool.asyncWriteWithoutTransaction { self.work(in: $0) } }
  }

  private func work(in database: Database) {
    while let jobs = next() { run(jobs, in: database) }
  }

  /// All that wait; nil if there are none, and then the work is over.
  private func next() -> [Job]? {
    state.withLock { state in
      let jobs = Array(state.waiting.prefix(Self.mostTogether))
      state.waiting.removeFirst(jobs.count)
      state.isAtWork = !jobs.isEmpty
      return jobs.isEmpty ? nil : jobs
    }
  }

  /// If the transaction that they share fails as a whole, each gets one of its own: one that fills the disk or meets a
  /// damaged page must not be the failure of the others.
  private func run(_ jobs: [Job], in database: Database) {
    do {
      let outcomes = try together(jobs, in: database)
      for outcome in outcomes { outcome() }
    } catch {
      if database.isInsideTransaction { try? database.rollback() }
      guard jobs.count > 1, !(error is NotBegun) else {
        let cause = (error as? NotBegun)?.cause ?? error
        for job in jobs { job.fail(cause) }
        return
      }
      for job in jobs { run([job], in: database) }
    }
  }

  /// The database is in use: then it is for each of the writers.
  private struct NotBegun: Error {
    let cause: any Error
  }

  private func together(_ jobs: [Job], in database: Database) throws -> [@Sendable () -> Void] {
    do {
      try database.beginTransaction(.immediate)
    } catch {
      throw NotBegun(cause: error)
    }
    var lists: [ListID: SQLiteEditableList] = [:]
    var outcomes: [@Sendable () -> Void] = []
    for job in jobs {
      do {
        outcomes.append(try outcome(of: job, &lists, in: database))
      } catch {
        // Some failures end the transaction, and with it what the others wrote.
        guard database.isInsideTransaction else { throw error }
        outcomes.append { job.fail(error) }
      }
    }
    try database.commit()
    for list in lists.values { if let moment = list.savedMoment { onCommit(list.place, moment) } }
    return outcomes
  }

  /// The tables that new lists get go again if nothing is written to them.
  private func outcome(
    of job: Job, _ known: inout [ListID: SQLiteEditableList], in database: Database
  ) throws -> @Sendable () -> Void {
    let before = job.lists.compactMap { known[$0] }.map { ($0, $0.memory) }
    do {
      let (lists, outcome) = try database.part {
        let lists = try job.lists.map { try known[$0] ?? makeList($0, database) }
        for list in lists { list.renewTime() }
        let outcome = try job.run(lists)
        let isUnwritten = lists.count == 1 && lists[0].isNew
        if !isUnwritten { for list in lists where list.isNew { try list.discard() } }
        return ((lists, outcome), isKept: !isUnwritten)
      }
      for list in lists where !list.isNew { known[list.id] = list }
      return outcome
    } catch {
      for (list, memory) in before { list.memory = memory }
      throw error
    }
  }
}
