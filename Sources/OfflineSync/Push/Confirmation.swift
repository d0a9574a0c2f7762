import TableProtocol

/// Asks for the server's copy where an answer says too little to go by.
///
/// A record that is said to be gone is asked for too: a server under a wrong address says so of everything. A
/// change that is refused when it is sent again may have been taken the first time. And where the server fails
/// over one change, its copy tells whether it took it; if not, the change is as good as refused, and holds up nothing.
final class Confirmation {
  private let remote: any RemoteTable
  private let cancellation: Cancellation
  /// Why nothing more is asked.
  private var ended: RemoteFailure?

  init(remote: any RemoteTable, cancellation: Cancellation) {
    self.remote = remote
    self.cancellation = cancellation
  }

  /// The outcome as it is when the server's copy is known. Where that can't be had the change stays undecided: it
  /// was answered, so the server may have acted on it.
  func confirmed(
    _ outcome: Result<RemoteAnswer, RemoteFailure>, of sending: Sending
  ) -> Result<RemoteAnswer, RemoteFailure> {
    switch outcome {
    case .success(let answer): Result { () throws(RemoteFailure) in try confirmed(answer, of: sending) }
    case .failure(let failure): (try? refusal(after: failure, of: sending)).map { .success($0) } ?? outcome
    }
  }

  /// What a failure over one change comes to. Throws where nothing can be said.
  private func refusal(after failure: RemoteFailure, of sending: Sending) throws(RemoteFailure) -> RemoteAnswer {
    guard failure.mayHaveActed, !failure.concernsAll else { throw failure }
    let server = try copy(of: sending)
    guard sending.isUntouched(server) else { return .conflict(status: 412, server) }
    switch failure.reason {
    case .serverError(let status, let message): return .refused(status: status, message: message)
    case .badAnswer(let words): return .refused(status: 200, message: words)
    default: throw failure
    }
  }

  private func confirmed(_ answer: RemoteAnswer, of sending: Sending) throws(RemoteFailure) -> RemoteAnswer {
    switch answer {
    case .conflict(let status, nil):
      return .conflict(status: status, try copy(of: sending))
    case .gone(let status):
      return try copy(of: sending).map { .conflict(status: status, $0) } ?? answer
    case .refused where sending.wasAttempted:
      let server = try copy(of: sending)
      return sending.isUntouched(server) ? answer : .conflict(status: 412, server)
    case .accepted, .conflict, .refused:
      return answer
    }
  }

  private func copy(of sending: Sending) throws(RemoteFailure) -> Record? {
    if cancellation.isCancelled { ended = ended ?? RemoteFailure(.unreachable("cancelled"), mayHaveActed: true) }
    if let ended { throw ended }
    do {
      return try remote.read(sending.operation.itemID, in: sending.operation.table)
    } catch {
      let failure = RemoteFailure(error.reason, mayHaveActed: true)
      if failure.concernsAll { ended = failure }
      throw failure
    }
  }
}

extension Sending {
  /// True when the server's copy is still the one the change started from, so that no attempt has reached it.
  fileprivate func isUntouched(_ server: Record?) -> Bool {
    switch operation.kind {
    case .insert:
      server?.system.version == operation.base?.system.version && (server == nil || operation.base != nil)
    case .update, .delete: server != nil && server?.system.version == operation.base?.system.version
    }
  }
}
