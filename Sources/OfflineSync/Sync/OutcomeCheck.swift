import TableProtocol

/// Turns what the server said to a change into an answer that can be believed, and reads the row if that says too little.
///
/// A row that is said to be gone is read too: a server under a wrong address says so of everything. A change that is
/// refused when it is sent again may have been taken the first time. If the server fails over one change, its copy
/// says whether it took it; if not, the change is as good as refused, and holds up nothing (Q2).
final class OutcomeCheck {
  private let remote: any RemoteTable
  private let cancellation: Cancellation
  /// Why nothing more is read.
  private var ended: RemoteFailure?
  /// New rows whose ids the server said are taken, and showed no row for (table-protocol 11.9).
  private var hidden: Set<RecordID> = []

  init(remote: any RemoteTable, cancellation: Cancellation) {
    self.remote = remote
    self.cancellation = cancellation
  }

  /// The answer, and the failure if the change could not be settled by it.
  func answer(
    to item: PushItem, _ outcome: Result<RemoteAnswer, RemoteFailure>
  ) -> (answer: Answer, failure: RemoteFailure?) {
    do throws(RemoteFailure) {
      switch outcome {
      case .success(let answer): return (try checked(answer, item), nil)
      case .failure(let failure): return (try judged(failure, item), nil)
      }
    } catch {
      return (error.mayHaveActed ? .noAnswer : .notActedOn, error)
    }
  }

  private func checked(_ answer: RemoteAnswer, _ item: PushItem) throws(RemoteFailure) -> Answer {
    switch answer {
    case .accepted(nil) where item.attempt.want != nil:
      return try read(item, or: .refused(status: 200, message: "its answer holds no item"), isRead: true)
    case .accepted(let record):
      return .accepted(record)
    case .conflict(let status, nil):
      return try readConflict(item, status)
    case .conflict(_, let record?):
      return .met(record, isRead: false)
    case .gone(let status):
      if item.row.base == .never, item.attempt.want != nil {
        // It speaks of the table, not of the row.
        throw RemoteFailure(.serverError(status: status, message: ""), mayHaveActed: false)
      }
      return .met(try copy(of: item), isRead: false)
    case .refused(let status, let message):
      let refusal = Answer.refused(status: status, message: message)
      return item.attempt.isRepeat ? try read(item, or: refusal, isRead: false) : refusal
    }
  }

  /// 409 or 412 without a copy that can be believed. A new row that is not shown either is sent once more; after that
  /// its id belongs to a row that is not for this user.
  private func readConflict(_ item: PushItem, _ status: Int) throws(RemoteFailure) -> Answer {
    let server = try copy(of: item)
    if server == nil, item.row.base == .never, item.attempt.want != nil {
      if hidden.contains(item.row.id) { return .refused(status: 409, message: "") }
      hidden.insert(item.row.id)
    }
    return .met(server, isRead: false)
  }

  /// What a failure over one change comes to. Throws if nothing can be said.
  private func judged(_ failure: RemoteFailure, _ item: PushItem) throws(RemoteFailure) -> Answer {
    guard failure.mayHaveActed, !failure.concernsAll else { throw failure }
    switch failure.reason {
    case .serverError(let status, let message):
      return try read(item, or: .refused(status: status, message: message), isRead: true)
    case .badAnswer(let words):
      return try read(item, or: .refused(status: 200, message: words), isRead: true)
    case .noServer, .unreachable, .signInNeeded, .notAllowed, .busy, .otherDatabase, .otherEpoch,
      .notTheServer:
      throw failure
    }
  }

  /// Reads the row. If no attempt has reached it the answer is `untouched`.
  private func read(_ item: PushItem, or untouched: Answer, isRead: Bool) throws(RemoteFailure) -> Answer {
    let server = try copy(of: item)
    return item.isUntouched(server) ? untouched : .met(server, isRead: isRead)
  }

  private func copy(of item: PushItem) throws(RemoteFailure) -> Record? {
    if cancellation.isCancelled { ended = ended ?? RemoteFailure(.unreachable("cancelled"), mayHaveActed: true) }
    if let ended { throw ended }
    do {
      return try remote.read(item.row.id.text, in: item.table)
    } catch {
      let failure = error.afterActing
      if failure.concernsAll { ended = failure }
      throw failure
    }
  }
}

extension PushItem {
  /// True if the server's copy is still the one the change started from, so that no attempt has reached it.
  fileprivate func isUntouched(_ server: Record?) -> Bool {
    switch row.base {
    case .never: server == nil
    case .known, .tombstone: server != nil && server?.system.version == row.base.version
    case .unknown: server == nil
    }
  }
}
