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
  var user: String { base.user }
  var knowledge: ServerKnowledge { base.knowledge }
  var traffic: Traffic { base.traffic }

  func send(_ changes: [RemoteChange], settle: ([SettledChange]) -> Bool) {
    base.send(changes.map(change)) { part in
      settle(
        part.map { settled in
          SettledChange(index: settled.index, outcome: settled.outcome.map { answer(changes[settled.index], $0) })
        })
    }
  }

  func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? { try base.read(id, in: table) }

  func page(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage {
    listed(query, try base.page(ask(query), at: link))
  }

  func identify(_ table: String) throws(RemoteFailure) -> String? { try base.identify(table) }
}
