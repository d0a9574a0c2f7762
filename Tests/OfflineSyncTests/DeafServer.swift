import OfflineSync
import Support
import TableProtocol

/// Gives the first page whatever it is asked.
struct DeafServer: RemoteTable {
  let base: FakeServer
  let limit: Int
  var server: String { base.server }
  var knowledge: ServerKnowledge { base.knowledge }
  var traffic: Traffic { base.traffic }

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes, starting: starting, settle: settle)
  }
  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { try base.read(id, in: table) }
  func page(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage {
    try base.page(TableQuery(table: query.table, order: query.order, limit: limit))
  }
}
