import OfflineSync
import TableProtocol

/// A way to the server on which questions and answers may be changed.
struct ForwardingRemote: ForwardingTable {
  let base: any RemoteTable
  var ask: @Sendable (TableQuery) -> TableQuery = { $0 }
  var change: @Sendable (RemoteChange) -> RemoteChange = { $0 }
  var answer: @Sendable (RemoteChange, RemoteAnswer) -> RemoteAnswer = { $1 }
  /// Nil where a failure stays one.
  var failure: @Sendable (RemoteChange, RemoteFailure) -> RemoteAnswer? = { _, _ in nil }
  var moved: @Sendable (ListMove) -> ListMove = { $0 }
  var listed: @Sendable (TableQuery, RemotePage) -> RemotePage = { $1 }

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes.map(change), starting: starting) { part in
      settle(
        part.map { settled in
          SettledChange(
            index: settled.index, outcome: outcome(settled.outcome, of: changes[settled.index]),
            move: settled.move.map(moved))
        })
    }
  }

  private func outcome(
    _ outcome: Result<RemoteAnswer, RemoteFailure>, of change: RemoteChange
  ) -> Result<RemoteAnswer, RemoteFailure> {
    switch outcome {
    case .success(let given): .success(answer(change, given))
    case .failure(let failure): self.failure(change, failure).map { .success($0) } ?? outcome
    }
  }

  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    listed(query, try base.page(ask(query), at: link, verifying: verifying))
  }
}
