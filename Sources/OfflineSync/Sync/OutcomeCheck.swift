import TableProtocol

/// Turns the outcome of a request into an answer that can be trusted. Reads the row if the outcome proves too little
/// (sync-rules row-4.5).
///
/// - The answer shows the row unchanged: it may be the answer to an earlier request.
/// - It is accepted without the item that is due (A4), or refused for a copy that the answer does not hold (A10).
/// - The server says that the row is gone (A11): with a wrong address, it says so of every row.
/// - A repeated change is refused (A12): the first attempt may have been accepted.
/// - The server fails over one change (A14): its copy shows whether it accepted the change. If not, the change counts
///   as refused and holds up nothing (Q2).
final class OutcomeCheck {
  private let remote: any RemoteTable
  private let cancellation: Cancellation
  /// The failure after which no more rows are read.
  private var ended: RemoteFailure?
  /// New rows whose ids are taken on the server, which shows no row for them (wire 11.9).
  private var hidden: Set<PushedRow> = []

  init(remote: any RemoteTable, cancellation: Cancellation) {
    self.remote = remote
    self.cancellation = cancellation
  }

  /// Returns the answer, and the failure if the outcome did not settle the change.
  func answer(
    to item: PushItem, _ outcome: Result<RemoteAnswer, RemoteFailure>
  ) -> (answer: Answer, failure: RemoteFailure?) {
    do throws(RemoteFailure) {
      switch outcome {
      case .success(let answer): return (try checked(answer, to: item), nil)
      case .failure(let failure): return (try judged(failure, of: item), nil)
      }
    } catch {
      return (error.mayHaveActed ? .noAnswer : .notActedOn, error)
    }
  }

  private func checked(_ answer: RemoteAnswer, to item: PushItem) throws(RemoteFailure) -> Answer {
    switch answer {
    case .accepted(nil) where item.attempt.want != nil:
      return try read(item, or: .refused(status: 200, message: ""), mayHaveArrived: true)
    case .accepted(let record?) where !item.isAnswered(by: record):
      return try readAccepted(item)
    case .accepted(let record):
      return .accepted(record)
    case .conflict(_, nil):
      return try readConflict(item)
    case .conflict(_, let record?):
      return .met(record, mayHaveArrived: false)
    case .gone(let status):
      if item.row.base == .never, item.attempt.want != nil {
        // 410 to an insert is about the table, not about the row.
        throw RemoteFailure(.serverError(status: status, message: ""), mayHaveActed: false)
      }
      return .met(try copy(of: item), mayHaveArrived: false)
    case .refused(let status, let message):
      let refusal = Answer.refused(status: status, message: message)
      return item.attempt.isRepeat ? try read(item, or: refusal, mayHaveArrived: false) : refusal
    }
  }

  /// Reads the row after an answer that shows it unchanged. A change that has no effect at the second attempt either
  /// counts as refused.
  private func readAccepted(_ item: PushItem) throws(RemoteFailure) -> Answer {
    let server = try copy(of: item)
    let isShown = Columns.agree(item.attempt.want, server.flatMap { $0.system.deleted ? nil : $0.values })
    if isShown || !item.isUntouched(server) { return .met(server, mayHaveArrived: true) }
    if item.attempt.isRepeat { return .refused(status: 200, message: "") }
    throw RemoteFailure(.alteredAnswer(.otherRequest), mayHaveActed: true, concernsAll: false)
  }

  /// Reads the row after a 409 or 412 without a copy that can be trusted. If the server shows no row for an insert, the
  /// insert is sent once more. If that fails too, the id belongs to a row that this user may not see.
  private func readConflict(_ item: PushItem) throws(RemoteFailure) -> Answer {
    let server = try copy(of: item)
    if server == nil, item.row.base == .never, item.attempt.want != nil {
      guard hidden.insert(PushedRow(item)).inserted else { return .refused(status: 409, message: "") }
    }
    return .met(server, mayHaveArrived: false)
  }

  /// Returns the answer that a failure over one change amounts to. Throws if it proves nothing.
  private func judged(_ failure: RemoteFailure, of item: PushItem) throws(RemoteFailure) -> Answer {
    guard failure.mayHaveActed, !failure.concernsAll else { throw failure }
    switch failure.reason {
    case .serverError(let status, let message):
      return try read(item, or: .refused(status: status, message: message), mayHaveArrived: true)
    case .badAnswer(_, let status):
      return try read(item, or: .refused(status: status ?? 200, message: ""), mayHaveArrived: true)
    case .noServer, .unreachable, .noSignIn, .signInNeeded, .notAllowed, .busy, .otherDatabase, .otherEpoch,
      .notTheServer, .refusedOnTheWay, .alteredAnswer:
      throw failure
    }
  }

  /// Reads the row. Returns `untouched` if no attempt has reached it.
  private func read(_ item: PushItem, or untouched: Answer, mayHaveArrived: Bool) throws(RemoteFailure) -> Answer {
    let server = try copy(of: item)
    return item.isUntouched(server) ? untouched : .met(server, mayHaveArrived: mayHaveArrived)
  }

  private func copy(of item: PushItem) throws(RemoteFailure) -> Record? {
    if cancellation.isCancelled { ended = ended ?? RemoteFailure(.unreachable("cancelled"), mayHaveActed: true) }
    if let ended { throw ended }
    do {
      return try remote.read(item.row.id, in: item.table)
    } catch {
      let failure = error.afterActing
      if failure.concernsAll { ended = failure }
      throw failure
    }
  }
}

extension PushItem {
  /// True if this can be the row that the change left. Whatever a server made of what was sent, it has a new version. A
  /// delete may be answered with the row that it took away.
  fileprivate func isAnswered(by record: Record) -> Bool {
    let isOld = record.system.version != nil && record.system.version == row.base.version
    guard let want = attempt.want else { return record.system.deleted || isOld }
    return record.system.deleted || !isOld || want.agrees(with: record.values)
  }

  /// Returns true if the server still has the copy that the change started from: no attempt has reached the row.
  fileprivate func isUntouched(_ server: Record?) -> Bool {
    switch row.base {
    case .never: server == nil
    case .known, .tombstone: server != nil && server?.system.version == row.base.version
    case .unknown: server == nil
    }
  }
}
