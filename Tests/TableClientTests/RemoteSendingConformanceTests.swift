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
      var settled: [RecordID] = []
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

  @Test(
    "a change is asked for once, right before the request that carries it",
    arguments: RemoteTableUnderTest.allCases)
  func starting(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      var asked: [Int] = []
      var requests: [Int] = []
      remote.send(Self.inserts(20)) { indices in
        requests.append(remote.traffic.requests)
        asked += indices
        return indices
      } settle: { part in
        #expect(part.allSatisfy { asked.contains($0.index) })
        return true
      }
      #expect(asked == Array(0..<20))
      let first = try #require(requests.first)
      #expect(requests == requests.indices.map { first + $0 }, "one request follows each question")
      #expect(remote.traffic.requests == first + requests.count)
    }
  }

  @Test(
    "a server that knows its database says of each write which rows it has, and the writes follow one another",
    arguments: RemoteTableUnderTest.allCases)
  func moves(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      _ = try remote.page(TableQuery(table: Self.table, limit: 1))
      var rows: [ListMove: [Timestamp]] = [:]
      remote.send(Self.inserts(7), starting: \.self) { part in
        for change in part {
          guard let move = change.move, let row = try? change.outcome.get().record?.system.updatedAt else {
            Issue.record("\(change)")
            continue
          }
          rows[move, default: []].append(row)
        }
        return true
      }
      let moves = rows.keys.sorted { $0.from < $1.from }
      #expect(moves.first?.from == .epoch || kind == .fake)
      #expect(zip(moves, moves.dropFirst()).allSatisfy { $0.to == $1.from }, "\(moves)")
      for (move, rows) in rows {
        #expect(rows.count == move.rows && rows.max() == move.to && rows.allSatisfy { $0 > move.from })
      }
      #expect(rows.values.joined().count == 7)
    }
  }

  @Test("a change that may not go is neither sent nor settled", arguments: RemoteTableUnderTest.allCases)
  func withheld(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      var settled: [Int] = []
      remote.send(Self.inserts(20)) { indices in
        indices.filter { !(5..<15).contains($0) }
      } settle: { part in
        settled += part.map(\.index)
        return true
      }
      let kept = Array(0..<5) + Array(15..<20)
      #expect(settled.sorted() == kept)
      let page = try remote.page(TableQuery(table: Self.table, limit: 1_000))
      #expect(page.records.map(\.id).sorted() == kept.map { "item\($0)" }.sorted())
    }
  }
}
