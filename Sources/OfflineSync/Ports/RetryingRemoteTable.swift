package import TableProtocol

/// A remote table that waits and asks again if the server is busy (sync-rules Q19). If the sign-in has expired, it
/// renews it and asks once more (Q20).
///
/// It waits as long as `Retry-After` says. Without that header it waits half a second, and doubles the wait each time.
/// A random part is added to each wait, so that many devices do not come back at once. It never repeats a change that
/// may have reached the server: the journal does that.
package struct RetryingRemoteTable: ForwardingTable {
  private static let attempts = 4
  /// Milliseconds.
  private static let firstWait: Int64 = 500
  /// Milliseconds. If the server asks for a longer wait, the request fails and the user sees why.
  private static let longestWait: Int64 = 15_000

  package let base: any RemoteTable
  private let environment: Environment
  private let cancellation: Cancellation

  package init(
    _ base: any RemoteTable, environment: Environment, cancellation: Cancellation = Cancellation()
  ) {
    self.base = base
    self.environment = environment
    self.cancellation = cancellation
  }

  package func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    var waiting = Array(changes.indices)
    var started: Set<Int> = []
    for attempt in 1...Self.attempts {
      var busy: [SettledChange] = []
      var goesOn = true
      base.send(waiting.map { changes[$0] }) { places in
        let new = places.map { waiting[$0] }.filter { !started.contains($0) }
        if !new.isEmpty { started.formUnion(starting(new)) }
        return places.filter { started.contains(waiting[$0]) }
      } settle: { settled in
        let known = settled.map { $0.at(waiting[$0.index]) }
        busy += known.filter(\.mayBeRepeated)
        let done = known.filter { !$0.mayBeRepeated }
        goesOn = (done.isEmpty || settle(done)) && goesOn
        return goesOn
      }
      // A missing sign-in comes before a busy server: waiting does not sign anybody in.
      let failures = busy.compactMap(\.failure)
      guard goesOn, let failure = failures.first(where: \.reason.asksForSignIn) ?? failures.first
      else { return }
      guard attempt < Self.attempts, pause(after: failure, attempt) else {
        _ = settle(busy)
        return
      }
      waiting = busy.map(\.index)
    }
  }

  package func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? {
    try patiently { () throws(RemoteFailure) in try base.read(id, in: table) }
  }

  package func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    try patiently { () throws(RemoteFailure) in try base.page(query, at: link, verifying: verifying) }
  }

  package func identify(_ table: String, before changes: Int) throws(RemoteFailure) -> String? {
    try patiently { () throws(RemoteFailure) in try base.identify(table, before: changes) }
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

  /// Waits before the next attempt. Returns false if another attempt is of no use.
  private func pause(after failure: RemoteFailure, _ attempt: Int) -> Bool {
    if failure.reason.asksForSignIn { return attempt == 1 && (try? base.renewSignIn(of: .sameUser)) == true }
    guard case .busy(_, let retryAfter) = failure.reason else { return false }
    let asked = retryAfter.map { Int64($0) * 1_000 } ?? Self.firstWait << (attempt - 1)
    guard asked <= Self.longestWait else { return false }
    environment.pause(asked + Int64(environment.chance() * Double(asked) / 2)) { cancellation.isCancelled }
    return !cancellation.isCancelled
  }
}

extension SettledChange {
  fileprivate var failure: RemoteFailure? {
    if case .failure(let failure) = outcome { failure } else { nil }
  }

  /// True if the server surely did not act on the change, and may do so at the next attempt.
  fileprivate var mayBeRepeated: Bool {
    guard let failure, !failure.mayHaveActed else { return false }
    if case .busy = failure.reason { return true }
    return failure.reason.asksForSignIn
  }
}
