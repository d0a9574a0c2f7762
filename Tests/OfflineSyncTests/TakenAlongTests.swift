import InMemoryStore
import Support
import TableProtocol
import TableSQL
import Testing

@testable import OfflineSync

@Suite("A table that is taken along to another account")
struct TakenAlongTests {
  private let store = InMemoryStore(tables: [InMemoryTable("Note", columns: [.init("text", .text)])])

  private func record(_ number: Int) -> Record {
    let made = Timestamp(milliseconds: Int64(1_000_000 - number))
    return Record(
      id: RecordID("id\(number)"), values: ["text": .text("note \(number)")],
      system: SystemProperties(createdAt: made, updatedAt: made, version: RecordVersion("v\(number)")))
  }

  @Test("has all of its rows waiting as new ones, oldest first, and no more of them are loaded at once than one part")
  func allWait() throws {
    let rows = (0...PullStoring.part).map(record)
    try store.write { store in
      try store.upsert(rows, in: "Note")
      // An edit that was sent, and a deletion that waits.
      try store.append(
        TableOperation(id: 0, table: "Note", itemID: rows[7].id, kind: .update, base: rows[7], isMarked: true))
      try store.append(TableOperation(id: 0, table: "Note", itemID: "gone", kind: .delete, base: Record(id: "gone")))
    }
    #expect(try store.write { try $0.takeAlong("Note", TestEnvironment().environment) } == 1)
    #expect(store.mostRecordsAtOnce == PullStoring.part)
    let ids = rows.map(\.id)
    try store.read { store in
      #expect(try store.operations(in: "Note").map(\.itemID) == Array(ids.reversed()))
      let tracked = try store.trackedRows(ids, in: "Note")
      #expect(tracked.allSatisfy { $0.base == .unknown && $0.underWay == nil && $0.waits })
      #expect(tracked.compactMap(\.local) == rows.map(\.values))
      #expect(try store.versions(of: ids, in: "Note").values.allSatisfy { $0 == nil })
    }
  }
}
