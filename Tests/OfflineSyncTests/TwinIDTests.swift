import OfflineSync
import Support
import TableProtocol
import Testing

/// A server with two rows whose ids Swift takes for one text.
private struct TwinRemote: RemoteTable {
  static let ids: [RecordID] = ["caf\u{E9}", "cafe\u{301}"]
  let server = "http://twins.example"
  let knowledge = ServerKnowledge(protocolVersion: .v3)
  let traffic = Traffic()

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    let failure = RemoteFailure(.unreachable("offline"), mayHaveActed: false)
    _ = settle(changes.indices.map { SettledChange(index: $0, outcome: .failure(failure)) })
  }

  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? { nil }

  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    let rows = Self.ids.enumerated().map { number, id in
      Record(
        id: id, values: ["text": .text("twin \(number)"), "complete": .bool(false)],
        system: SystemProperties(
          createdAt: Timestamp(milliseconds: 1_000), updatedAt: Timestamp(milliseconds: 1_000 + Int64(number)),
          version: RecordVersion("v\(number)")))
    }
    let isLater = query.filter != nil && "\(query)".contains("1001")
    return RemotePage(records: isLater ? [] : rows, hasMore: false)
  }
}

@Suite("Ids that only look alike")
struct TwinIDTests {
  @Test("D7: two ids that are canonically equivalent are two rows, also while one of them waits")
  func twins() async throws {
    let device = try TestDevice(TwinRemote())
    try device.table.insert(Record(id: TwinRemote.ids[0], values: ["text": .text("mine")]))
    await device.sync(pushes: false)
    let rows = try device.table.read(TableQuery(table: "TodoItem")).records
    #expect(
      rows.map { Array($0.id.text.utf8) }.sorted { $0.count < $1.count } == TwinRemote.ids.map { Array($0.text.utf8) })
    #expect(rows.first { $0.id == TwinRemote.ids[1] }?.values["text"] == .text("twin 1"))
  }
}
