import InMemoryStorage
package import OfflineSync
package import Simulation
import TableClient
package import TableProtocol
import TableStorage

/// The real client, the real routes and a storage in memory, in the place of a simulated server's rules: what a world
/// sends is written as HTTP has it, answered by the server's own code, and read again.
///
/// The list is put into a new storage for each request, so that whatever a world does to the rows, the code goes on
/// from there. So no answers are kept from one request to the next, and no two requests meet.
package struct OwnServerCode: ServerCode {
  private static let table = ServedTable.todoItem.name

  private let address: ServerAddress

  /// Nil only if the client can't read the address that it is given.
  package init?() {
    guard let address = ServerAddress("http://world.example") else { return nil }
    self.address = address
  }

  package func send(_ change: RemoteChange, to list: ServedList, from client: ServedClient) -> ServedOutcome {
    let (remote, requests) = connect(client, list)
    let answer = Result { () throws(RemoteFailure) in try remote.send(change) }
    return ServedOutcome(answer: answer, writes: requests.writes)
  }

  package func read(_ id: RecordID, in list: ServedList, for client: ServedClient) throws(RemoteFailure) -> Record? {
    try connect(client, list).remote.read(id, in: Self.table)
  }

  package func page(
    _ query: TableQuery, at link: PageLink?, of list: ServedList, for client: ServedClient
  ) throws(RemoteFailure) -> RemotePage {
    try connect(client, list).remote.page(query, at: link)
  }

  private func connect(
    _ client: ServedClient, _ list: ServedList
  ) -> (remote: HTTPRemoteTable, requests: RoutedRequests) {
    let storage = MemoryStorage()
    storage.first = MemoryContent(list)
    let requests = RoutedRequests(storage, now: list.now, hidesBatches: client.hidesBatches)
    let knowledge = ServerKnowledge(
      protocolVersion: client.version, batching: .own, database: storage.identity.text, epoch: client.epoch)
    let remote = HTTPRemoteTable(
      address: address, knowledge: knowledge, settings: Self.settings, transport: requests)
    remote.expect(client.reached)
    return (remote, requests)
  }

  private static let settings = ClientSettings(
    columns: [table: ["text": .text(""), "note": .text(""), "complete": .bool(false)]], newID: { "push" })
}

extension MemoryContent {
  init(_ list: ServedList) {
    let names = Set(list.rows.flatMap(\.values.keys)).subtracting(["text", "complete"])
    self.init(
      columns: ServedTable.todoItem.firstColumns + names.sorted().map { TableColumn(name: $0, kind: .text) },
      epoch: list.epoch)
    (lastMoment, tombstonesAfter) = (list.lastMoment, list.tombstonesAfter)
    for row in list.rows {
      rows[row.id] = row
      if !row.system.deleted, let version = row.system.version { digest.add(row.id, version) }
    }
  }
}
