import OfflineSync
import TableProtocol

typealias ChangeOutcome = Result<RemoteAnswer, RemoteFailure>

/// Which changes were sent, which have an outcome, and whether sending goes on.
struct SendingLedger {
  private let changes: [RemoteChange]
  private let rows: ServerRows
  private var isSettled: [Bool]
  private var isStarted: [Bool]
  /// Changes that must not be sent, because they have changed meanwhile.
  private var isWithdrawn: [Bool]
  /// Changes that the server may have acted on, by a request whose answer says nothing about them.
  private var isExposed: [Bool]
  /// Outcomes that were not reported yet.
  private(set) var news: [SettledChange] = []
  private var failuresInARow = 0
  /// Why nothing more is sent.
  private(set) var ended: RemoteFailure?

  init(_ changes: [RemoteChange], rows: ServerRows) {
    self.changes = changes
    self.rows = rows
    isSettled = Array(repeating: false, count: changes.count)
    isStarted = isSettled
    isWithdrawn = isSettled
    isExposed = isSettled
  }

  /// The changes that must still be sent; none if the sending has ended.
  var open: [Int] { ended == nil ? isSettled.indices.filter { !isSettled[$0] && !isWithdrawn[$0] } : [] }

  /// Returns the changes that the next request may carry. Calls `starting` once for each change.
  mutating func start(_ indices: [Int], _ starting: ([Int]) -> [Int]) -> [Int] {
    let new = indices.filter { !isStarted[$0] && !isWithdrawn[$0] }
    if !new.isEmpty {
      for index in new { isWithdrawn[index] = true }
      for index in starting(new) {
        isStarted[index] = true
        isWithdrawn[index] = false
      }
    }
    return indices.filter { isStarted[$0] }
  }

  /// Returns the outcomes since the last call.
  mutating func drainNews() -> [SettledChange] {
    defer { news = [] }
    return news
  }

  /// Gives each change that was not sent the failure that ended the sending.
  mutating func finish() {
    let unsent = ended?.unsent ?? RemoteFailure(.badAnswer("no answer to a change"), mayHaveActed: true)
    for index in isSettled.indices where !isSettled[index] && !isWithdrawn[index] { settle(index, .failure(unsent)) }
  }

  /// Interprets an answer and returns its outcome. `move` is what its request as a whole did to the table. A failure
  /// within a batch does not count against the other changes, which are done already.
  @discardableResult
  mutating func settle(
    _ index: Int, _ answer: ServerAnswer, move: ListMove?, isAlone: Bool = false
  ) -> ChangeOutcome {
    let outcome = Result { () throws(RemoteFailure) in
      try ChangeAnswer(answer, to: changes[index], rows: rows).interpreted()
    }
    settle(index, outcome, move: move, isAlone: isAlone)
    return outcome
  }

  mutating func settle(_ index: Int, _ outcome: ChangeOutcome, move: ListMove? = nil, isAlone: Bool) {
    settle(index, outcome, move)
    guard isAlone else { return }
    if case .failure(let failure) = outcome { note(failure) } else { failuresInARow = 0 }
  }

  /// The server may have got these changes. They stay open.
  mutating func expose(_ indices: [Int]) {
    for index in indices { isExposed[index] = true }
  }

  /// A request, with as many changes as it held, failed.
  mutating func fail(_ indices: [Int], _ failure: RemoteFailure) {
    for index in indices { settle(index, .failure(failure)) }
    note(failure)
  }

  /// A request failed beside others that were answered. That says nothing about the next one, so the sending goes on.
  mutating func failAside(_ indices: [Int], _ failure: RemoteFailure) {
    let failure = RemoteFailure(failure.reason, mayHaveActed: failure.mayHaveActed, concernsAll: false)
    for index in indices { settle(index, .failure(failure)) }
  }

  private mutating func settle(_ index: Int, _ outcome: ChangeOutcome, _ move: ListMove? = nil) {
    guard !isSettled[index] else { return }
    isSettled[index] = true
    let outcome = isExposed[index] ? outcome.mapError(\.afterActing) : outcome
    news.append(SettledChange(index: index, outcome: outcome, move: move))
  }

  private mutating func note(_ failure: RemoteFailure) {
    failuresInARow += 1
    if ended == nil, failure.concernsAll || failuresInARow >= ChangeSender.mostFailures { ended = failure }
  }
}

extension ChangeOutcome {
  /// True if only the server can have given the answer: it knows the item and its version.
  var provesServer: Bool {
    switch self {
    case .success(.accepted(.some)), .success(.conflict(_, .some)): true
    case .success, .failure: false
    }
  }
}
