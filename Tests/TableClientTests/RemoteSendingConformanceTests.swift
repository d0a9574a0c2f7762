import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every remote table: many changes")
struct RemoteSendingConformanceTests {
  private static let table = RemoteTableUnderTest.table

  private static func inserts(_ count: Int) -> [RemoteChange] {
    (0..<count).map { .insert(table: table, Record(id: "item\($0)", values: ["text": .text("\($0)")])) }
  }

  @Test("each change is settled once, in parts, on the thread that sends", arguments: RemoteTableUnderTest.allCases)
  func parts(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      var settled: [Int] = []
      remote.send(Self.inserts(130), starting: \.self) { part in
        #expect(!part.isEmpty)
        settled += part.map(\.index)
        return true
      }
      #expect(settled.sorted() == Array(0..<130))
    }
  }

  @Test(
    "when enough is enough nothing more is sent, and what was sent is settled all the same",
    arguments: RemoteTableUnderTest.allCases)
  func enough(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      var settled: [String] = []
      let changes = Self.inserts(200)
      remote.send(changes, starting: \.self) { part in
        for change in part {
          guard case .success(.accepted) = change.outcome else {
            Issue.record("\(change)")
            continue
          }
          settled.append(changes[change.index].id)
        }
        return false
      }
      #expect(!settled.isEmpty && settled.count < 200)
      let page = try remote.page(TableQuery(table: Self.table, limit: 1_000))
      #expect(page.records.map(\.id).sorted() == settled.sorted())
    }
  }
}
