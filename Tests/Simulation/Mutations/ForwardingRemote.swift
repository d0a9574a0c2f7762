import OfflineSync
import TableProtocol

/// A way to the server on which questions and answers may be changed.
struct ForwardingRemote: RemoteTable {
  let base: any RemoteTable
  var ask: @Sendable (TableQuery) -> TableQuery = { $0 }
  var change: @Sendable (RemoteChange) -> RemoteChange = { $0 }
  var answer: @Sendable (RemoteChange, RemoteAnswer) -> RemoteAnswer = { $1 }
  var listed: @Sendable (TableQuery, RemotePage) -> RemotePage = { $1 }

  var server: String { base.server }
  var protocolVersion: ProtocolVersion? { base.protocolVersion }
  var traffic: Traffic { base.traffic }

  var batching: BatchSupport? { base.batching }

  func send(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    zip(changes, base.send(changes.map(change))).map { sent, outcome in outcome.map { answer(sent, $0) } }
  }

  func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? { try base.read(id, in: table) }

  func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage {
    listed(query, try base.page(ask(query)))
  }
}
