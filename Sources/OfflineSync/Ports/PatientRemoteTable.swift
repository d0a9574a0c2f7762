package import TableProtocol

/// A remote table that waits when the server is busy, and asks again (offline-sync Q19).
///
/// It waits as long as the server says in `Retry-After`, otherwise half a second, doubled each time; each
/// wait is made longer by chance, so that many devices do not come back at once. What may have reached
/// the server is not sent again here: the journal knows how to do that.
package struct PatientRemoteTable: RemoteTable {
  private static let attempts = 4
  private static let firstWait: Int64 = 500
  /// A server that wants to be left alone for longer, in milliseconds, is left alone: the user is told.
  private static let longestWait: Int64 = 15_000

  private let remote: any RemoteTable
  private let environment: Environment

  package init(_ remote: any RemoteTable, environment: Environment) {
    self.remote = remote
    self.environment = environment
  }

  package var server: String { remote.server }
  package var protocolVersion: ProtocolVersion? { remote.protocolVersion }
  package var batching: BatchSupport? { remote.batching }
  package var traffic: Traffic { remote.traffic }

  package func send(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    var outcomes = remote.send(changes)
    for attempt in 1..<Self.attempts {
      let unsent = outcomes.indices.filter { outcomes[$0].wasRefusedAsBusy }
      guard let first = unsent.first, case .failure(let failure) = outcomes[first], pause(after: failure, attempt)
      else { break }
      for (index, outcome) in zip(unsent, remote.send(unsent.map { changes[$0] })) {
        outcomes[index] = outcome
      }
    }
    return outcomes
  }

  package func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? {
    try patiently { () throws(RemoteFailure) in try remote.read(id, in: table) }
  }

  package func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage {
    try patiently { () throws(RemoteFailure) in try remote.page(query) }
  }

  private func patiently<Answer>(_ ask: () throws(RemoteFailure) -> Answer) throws(RemoteFailure) -> Answer {
    for attempt in 1..<Self.attempts {
      do {
        return try ask()
      } catch {
        guard pause(after: error, attempt) else { throw error }
      }
    }
    return try ask()
  }

  /// False when it is no use to wait.
  private func pause(after failure: RemoteFailure, _ attempt: Int) -> Bool {
    guard case .busy(_, let retryAfter) = failure.reason else { return false }
    let asked = retryAfter.map { Int64($0) * 1_000 } ?? Self.firstWait << (attempt - 1)
    guard asked <= Self.longestWait else { return false }
    environment.pause(asked + Int64(environment.chance() * Double(asked) / 2))
    return true
  }
}

extension Result where Success == RemoteAnswer, Failure == RemoteFailure {
  fileprivate var wasRefusedAsBusy: Bool {
    guard case .failure(let failure) = self, case .busy = failure.reason else { return false }
    return !failure.mayHaveActed
  }
}
