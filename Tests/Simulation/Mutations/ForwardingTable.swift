import OfflineSync
import TableProtocol

/// A way to the server that passes on all that it does not do otherwise.
protocol ForwardingTable: RemoteTable {
  var base: any RemoteTable { get }
}

extension ForwardingTable {
  var server: String { base.server }
  var user: String { base.user }
  var knowledge: ServerKnowledge { base.knowledge }
  var traffic: Traffic { base.traffic }

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes, starting: starting, settle: settle)
  }
  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { try base.read(id, in: table) }
  func page(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage {
    try base.page(query, at: link)
  }
  func identify(_ table: String) throws(RemoteFailure) -> String? { try base.identify(table) }
  func interrupt() { base.interrupt() }
  func expect(_ reached: Timestamp?) { base.expect(reached) }
}
