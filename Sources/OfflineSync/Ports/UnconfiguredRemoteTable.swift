package import TableProtocol

/// The remote table of a program without a server: every request fails at once with `.noServer`.
package struct UnconfiguredRemoteTable: RemoteTable {
  package let server = ""
  package let knowledge = ServerKnowledge()
  package let traffic = Traffic()

  package init() {}

  package func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    _ = settle(changes.indices.map { SettledChange(index: $0, outcome: .failure(failure)) })
  }

  package func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { throw failure }
  package func page(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage { throw failure }

  private var failure: RemoteFailure { RemoteFailure(.noServer, mayHaveActed: false) }
}
