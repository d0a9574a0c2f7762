import OfflineSync

typealias ChangeOutcome = Result<RemoteAnswer, RemoteFailure>

/// Which changes have an outcome already, and whether it makes sense to go on.
struct SendingLedger {
  private let changes: [RemoteChange]
  private var settled: [ChangeOutcome?]
  private var failuresInARow = 0
  /// Why nothing more is sent.
  private(set) var ended: RemoteFailure?

  init(_ changes: [RemoteChange]) {
    self.changes = changes
    settled = Array(repeating: nil, count: changes.count)
  }

  /// Those to be sent still; none when the sending has ended.
  var open: [Int] { ended == nil ? settled.indices.filter { settled[$0] == nil } : [] }

  /// What was not sent has the failure that ended the sending.
  var outcomes: [ChangeOutcome] {
    let unsent = ended?.unsent ?? RemoteFailure(.badAnswer("no answer to a change"), mayHaveActed: true)
    return settled.map { $0 ?? .failure(unsent) }
  }

  /// Judges an answer. Within a batch one that fails says nothing of the others: they are done already.
  mutating func settle(_ index: Int, _ answer: ServerAnswer, isAlone: Bool = false) {
    let outcome = Result { () throws(RemoteFailure) in
      try ChangeAnswer(answer, to: changes[index]).interpreted()
    }
    settled[index] = outcome
    guard isAlone else { return }
    if case .failure(let failure) = outcome { note(failure) } else { failuresInARow = 0 }
  }

  /// A request, with as many changes as it held, failed.
  mutating func fail(_ indices: [Int], _ failure: RemoteFailure) {
    for index in indices { settled[index] = .failure(failure) }
    note(failure)
  }

  private mutating func note(_ failure: RemoteFailure) {
    failuresInARow += 1
    if ended == nil, failure.concernsAll || failuresInARow >= ChangeSender.mostFailures { ended = failure }
  }
}
