import OfflineSync

typealias ChangeOutcome = Result<RemoteAnswer, RemoteFailure>

/// Which changes have left, which have an outcome already, and whether it makes sense to go on.
struct SendingLedger {
  private let changes: [RemoteChange]
  private let rows: ServerRows
  private var isSettled: [Bool]
  private var isStarted: [Bool]
  /// Changes that must not go, since they are not what they were any more.
  private var isWithdrawn: [Bool]
  /// Outcomes that were not handed on yet.
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
  }

  /// Those to be sent still; none when the sending has ended.
  var open: [Int] { ended == nil ? isSettled.indices.filter { !isSettled[$0] && !isWithdrawn[$0] } : [] }

  /// Those of the changes that the next request may carry. `starting` is asked about each change once.
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

  /// The outcomes since the last time.
  mutating func takeNews() -> [SettledChange] {
    defer { news = [] }
    return news
  }

  /// What was not sent has the failure that ended the sending.
  mutating func finish() {
    let unsent = ended?.unsent ?? RemoteFailure(.badAnswer("no answer to a change"), mayHaveActed: true)
    for index in isSettled.indices where !isSettled[index] && !isWithdrawn[index] { settle(index, .failure(unsent)) }
  }

  /// Judges an answer and gives its outcome. Within a batch one that fails says nothing of the others: they are done
  /// already.
  @discardableResult
  mutating func settle(_ index: Int, _ answer: ServerAnswer, isAlone: Bool = false) -> ChangeOutcome {
    let outcome = Result { () throws(RemoteFailure) in
      try ChangeAnswer(answer, to: changes[index], rows: rows).interpreted()
    }
    settle(index, outcome, isAlone: isAlone)
    return outcome
  }

  mutating func settle(_ index: Int, _ outcome: ChangeOutcome, isAlone: Bool) {
    settle(index, outcome)
    guard isAlone else { return }
    if case .failure(let failure) = outcome { note(failure) } else { failuresInARow = 0 }
  }

  /// A request, with as many changes as it held, failed.
  mutating func fail(_ indices: [Int], _ failure: RemoteFailure) {
    for index in indices { settle(index, .failure(failure)) }
    note(failure)
  }

  private mutating func settle(_ index: Int, _ outcome: ChangeOutcome) {
    guard !isSettled[index] else { return }
    isSettled[index] = true
    news.append(SettledChange(index: index, outcome: outcome))
  }

  private mutating func note(_ failure: RemoteFailure) {
    failuresInARow += 1
    if ended == nil, failure.concernsAll || failuresInARow >= ChangeSender.mostFailures { ended = failure }
  }
}

extension ChangeOutcome {
  /// Only the server itself can have answered so: it knows the item and its version.
  var provesServer: Bool {
    switch self {
    case .success(.accepted(.some)), .success(.conflict(_, .some)): true
    case .success, .failure: false
    }
  }
}
