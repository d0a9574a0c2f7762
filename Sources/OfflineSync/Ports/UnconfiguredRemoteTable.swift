package import TableProtocol

/// Stands where no server is configured: every request fails with `.noServer`, at once.
package struct UnconfiguredRemoteTable: RemoteTable {
  package let server = ""
  package let protocolVersion: ProtocolVersion? = nil
  package let traffic = Traffic()

  package init() {}

  package func send(_ change: RemoteChange) throws(RemoteFailure) -> RemoteAnswer { throw failure }
  package func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? { throw failure }
  package func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage { throw failure }

  private var failure: RemoteFailure { RemoteFailure(.noServer, mayHaveActed: false) }
}
