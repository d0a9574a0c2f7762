import OfflineSync
import Support
import TableProtocol

/// Answers lists in a way of its own, and everything else as the server behind it does.
struct ListingServer: RemoteTable {
  let base: FakeServer
  let list: @Sendable (FakeServer, TableQuery, PageLink?) throws(RemoteFailure) -> RemotePage
  var server: String { base.server }
  var knowledge: ServerKnowledge { base.knowledge }
  var traffic: Traffic { base.traffic }

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes, starting: starting, settle: settle)
  }
  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { try base.read(id, in: table) }
  func page(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage {
    try list(base, query, link)
  }
}

extension ListingServer {
  /// Gives the first page whatever it is asked.
  static func deaf(_ base: FakeServer, limit: Int) -> ListingServer {
    ListingServer(base: base) { base, query, _ throws(RemoteFailure) in
      try base.page(TableQuery(table: query.table, order: query.order, limit: limit))
    }
  }

  /// Leaves out the last rows of a page, and says nothing of it.
  static func shortening(_ base: FakeServer, to limit: Int) -> ListingServer {
    ListingServer(base: base) { base, query, link throws(RemoteFailure) in
      var page = try base.page(query, at: link)
      page.records = Array(page.records.prefix(limit))
      page.rowCount = page.records.count
      page.last = page.records.last.map { PageEnd(id: $0.id, updatedAt: $0.system.updatedAt) }
      return page
    }
  }
}
