import Chance
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("Walking over the changes of a server")
struct PullCursorTests {
  private static let all = PullQuery(table: "T", queryID: "all")

  private func row(_ id: RecordID, _ time: Int64) -> Record {
    Record(id: id, system: SystemProperties(updatedAt: Timestamp(milliseconds: time)))
  }

  @Test("a page full of one millisecond is walked by id, and no row of it is missed")
  func ties() throws {
    let rows = (0..<7).map { row("r\($0)", 5) } + [row("z", 9)]
    #expect(try walk(rows, pageSize: 3) == Set(rows.map(\.id)))
  }

  @Test("every row is met whatever the times and the page size, from a printed seed")
  func random() throws {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<300 {
      let rows = (0..<Int.random(in: 0...30, using: &chance)).map {
        row("r\($0)", Int64.random(in: 1...4, using: &chance))
      }
      let pageSize = Int.random(in: 1...6, using: &chance)
      #expect(try walk(rows, pageSize: pageSize) == Set(rows.map(\.id)), "seed \(seed)")
    }
  }

  @Test("a page that is not full is the last one, unless the server says that there is more")
  func shortPage() throws {
    var cursor = PullCursor(Self.all, from: .epoch, high: .epoch, pageSize: 10)
    var said = cursor
    try cursor.advance(past: RemotePage(records: [row("a", 1)], hasMore: false))
    try said.advance(past: RemotePage(records: [row("a", 1)], hasMore: true))
    #expect(cursor.next == nil)
    #expect(said.next != nil)
  }

  @Test("an empty page ends the walk though the server says that there is more")
  func lyingServer() throws {
    var cursor = PullCursor(Self.all, from: .epoch, high: .epoch, pageSize: 10)
    try cursor.advance(past: RemotePage(records: [], hasMore: true))
    #expect(cursor.next == nil)
  }

  @Test("a server that gives the same full page for ever is not asked for ever")
  func samePage() {
    var cursor = PullCursor(Self.all, from: .epoch, high: .epoch, pageSize: 2)
    #expect(throws: RemoteFailure.self) {
      for _ in 0..<10 { try cursor.advance(past: RemotePage(records: [row("a", 5), row("b", 5)], hasMore: false)) }
    }
  }

  @Test("a server that shows only older items, or items without a time, is not asked for each millisecond")
  func olderItems() throws {
    for item in [row("a", 5), Record(id: "a")] {
      var cursor = PullCursor(Self.all, from: Timestamp(milliseconds: 9), high: .epoch, pageSize: 10)
      #expect(throws: RemoteFailure.self) {
        for _ in 0..<10 { try cursor.advance(past: RemotePage(records: [item], hasMore: true)) }
      }
    }
  }

  @Test("a page whose last item has a time that can't be read goes on after the newest that can")
  func unreadableEnd() throws {
    var cursor = PullCursor(Self.all, from: Timestamp(milliseconds: 4), high: .epoch, pageSize: 2)
    let broken = UnreadableRow(id: "b", reason: "", updatedAt: nil)
    try cursor.advance(
      past: RemotePage(
        records: [row("a", 7)], hasMore: true, unreadable: [broken], last: PageEnd(id: "b", updatedAt: nil)))
    let next = try #require(cursor.next?.filter)
    #expect(next == .compare(SystemColumn.updatedAt, .greaterOrEqual, .timestamp(Timestamp(milliseconds: 7))))
  }

  @Test("the walk begins before the token, so that rows committed late are met, and the token never moves back")
  func overlap() throws {
    let (low, token) = (Timestamp(milliseconds: 70_000), Timestamp(milliseconds: 100_000))
    var cursor = PullCursor(Self.all, from: low, high: token, pageSize: 10)
    #expect(cursor.next?.filter == .compare("updatedAt", .greaterOrEqual, .timestamp(low)))
    try cursor.advance(past: RemotePage(records: [row("late", 80_000)], hasMore: false))
    #expect(cursor.high == token)
  }

  /// The ids met by a cursor over rows that do not move. Stops after many pages, so that a cursor
  /// that runs in circles fails and does not hang.
  private func walk(_ rows: [Record], pageSize: Int) throws -> Set<RecordID> {
    var cursor = PullCursor(Self.all, from: .epoch, high: .epoch, pageSize: pageSize)
    var met: Set<RecordID> = []
    for _ in 0..<1_000 {
      guard let query = cursor.next else { return met }
      let matching = rows.filter { query.filter?.holds($0) ?? true }.sorted { left, right in
        let times = (left.system.updatedAt ?? .epoch, right.system.updatedAt ?? .epoch)
        return query.order.first?.column == "updatedAt" && times.0 != times.1 ? times.0 < times.1 : left.id < right.id
      }
      let page = Array(matching.prefix(pageSize))
      met.formUnion(page.map(\.id))
      try cursor.advance(past: RemotePage(records: page, hasMore: matching.count > page.count))
    }
    return []
  }
}

extension Filter {
  fileprivate func holds(_ row: Record) -> Bool {
    switch self {
    case .binary(.and, let left, let right): left.holds(row) && right.holds(row)
    case .binary(.greaterOrEqual, _, .literal(.timestamp(let moment))): row.system.updatedAt ?? .epoch >= moment
    case .binary(.less, _, .literal(.timestamp(let moment))): row.system.updatedAt ?? .epoch < moment
    case .binary(.greater, _, .literal(.text(let id))): row.id > RecordID(id)
    default: false
    }
  }
}
