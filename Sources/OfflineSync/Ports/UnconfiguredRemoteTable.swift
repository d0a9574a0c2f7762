package import TableProtocol

/// Stands where no server is configured: every request fails with `.noServer`, at once.
package struct UnconfiguredRemoteTable: RemoteTable {
  package let server = ""
  package let protocolVersion: ProtocolVersion? = nil
  package let batching: BatchSupport? = nil
  package let traffic = Traffic()

  package init() {}

  package func send(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    changes.map { _ in .failure(failure) }
  }

  package func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? { throw failure }
  package func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage { throw failure }

  private var failure: RemoteFailure { RemoteFailure(.noServer, mayHaveActed: false) }
}
