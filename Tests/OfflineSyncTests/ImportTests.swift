import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("Rows that come from elsewhere")
struct ImportTests {
  let server = FakeServer()
  let device: TestDevice

  init() throws { device = try TestDevice(server) }

  private func row(_ text: String, id: RecordID? = nil, isDone: Bool = false) -> ImportedRow {
    let values: [String: FieldValue] = ["text": .text(text), "complete": .bool(isDone)]
    let open = values.merging(["complete": .bool(false)]) { $1 }
    return ImportedRow(
      id: id, values: values, createdAt: Timestamp(milliseconds: 1_000),
      before: isDone ? ImportedRow.Version(values: open, endedAt: Timestamp(milliseconds: 2_000)) : nil,
      isNoted: !isDone)
  }

  private func texts() throws -> [String] {
    try device.table.read(TableQuery(table: "TodoItem")).records.compactMap { $0.values["text"]?.text }.sorted()
  }

  @Test("are added in one step, under their ids where they have one, and a second time not at all")
  func adds() throws {
    let rows = [row("a", id: "id-a"), row("b"), row("c", id: "id-c", isDone: true)]
    let added = try device.table.add(rows)
    #expect(added.count == 3 && added[0] == "id-a" && added[2] == "id-c")
    #expect(try device.table.read("id-a")?.system.createdAt == Timestamp(milliseconds: 1_000))
    #expect(try device.table.add([row("other", id: "id-a"), row("d", id: "id-d"), row("e", id: "id-d")]) == ["id-d"])
    #expect(try texts() == ["a", "b", "c", "d"])
    _ = try device.table.undo()
    #expect(try texts() == ["a", "b", "c"])
    #expect(try device.table.undo()?.count == added.count)
    #expect(try texts() == [])
    #expect(try device.context.store.read { try $0.operationCount() } == 0)
  }

  @Test("an id that is not valid is passed over, and U+0000 adds nothing at all")
  func refuses() throws {
    #expect(try device.table.add([row("a", id: "a/b"), row("b", id: "")]) == [])
    #expect(throws: SyncTableError.nullCharacter) { try device.table.add([row("a"), row("b\0")]) }
    #expect(try texts() == [])
    #expect(try device.table.undo() == nil)
  }

  @Test("what they held before is a version of them, and that they were added is one if they are few")
  func versions() throws {
    let added = try device.table.add([row("a"), row("b", isDone: true)])
    let versions = try device.context.store.read { store in
      try added.map { try store.pastVersions(of: $0, in: "TodoItem") }
    }
    #expect(versions[0].map(\.before) == [nil])
    #expect(versions[1].map(\.changedAt) == [Timestamp(milliseconds: 2_000)])
    #expect(versions[1].first?.before?.values["complete"] == .bool(false))
    let many = try device.table.add((0..<501).map { row("item \($0)") })
    #expect(try device.context.store.read { try $0.pastVersions(ofItems: many, in: "TodoItem") }.isEmpty)
    #expect(many.count == 501)
  }

  @Test("come back after an undo as rows that a server may have, wherever in the file they stand")
  func again() throws {
    let rows = (0..<1_201).map { row("item \($0)", id: RecordID("id-\($0)")) }
    try device.table.add(rows)
    _ = try device.table.undo()
    let added = try device.table.add(rows)
    let sides = try device.context.store.read { try $0.trackedRows(added, in: "TodoItem").map(\.server) }
    #expect(added.count == rows.count && Set(sides) == [.unknown])
  }

  @Test("are sent as they are, and a row that was deleted here and is on the server lives again")
  func sends() async throws {
    try device.table.add([row("a", id: "id-a")])
    await device.sync()
    try device.table.delete("id-a")
    await device.sync()
    try device.table.add([row("a again", id: "id-a")])
    let report = await device.sync()
    #expect(report.failure == nil)
    #expect(try texts() == ["a again"])
    #expect(try device.table.pendingItemCount() == 0)
  }
}
