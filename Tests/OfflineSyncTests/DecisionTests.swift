import OfflineSync
import Support
import TableProtocol
import Testing

/// Decisions about changes that went through a real push, most of them after a restart (sync-rules Q1).
@Suite("Decisions about changes that the server did not take")
struct DecisionTests {
  private let server = FakeServer()

  /// A conflict as it is found after a restart; nil where the item was deleted.
  private func conflict(
    mine: String? = "oat milk", theirs: String? = "rice milk"
  ) async throws -> (TestDevice, TableOperationError) {
    let (device, _) = try await TestDevice.withItem(mine: mine, theirs: theirs, on: server)
    await device.sync()
    let again = try device.restarted(server)
    return (again, try #require(try again.errors().first))
  }

  /// A new item that the server would not take.
  private func refusedInsert() async throws -> (TestDevice, TableOperationError) {
    let device = try TestDevice(server)
    try device.add("far too long")
    server.fail(.answer(.refused(status: 400, message: "too long")))
    await device.sync(pulls: false)
    let again = try device.restarted(server)
    return (again, try #require(try again.errors().first))
  }

  /// A device whose edit was refused and is on its way again: nobody knows its outcome.
  private func refusedAndUnderWay() async throws -> (TestDevice, RecordID) {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    server.fail(.answer(.refused(status: 400, message: "no")))
    await device.sync()
    server.fail(.lostAnswer)
    await device.sync()
    return (device, id)
  }

  /// What the device shows and, after a sync, the server has; nothing is left to do.
  private func expect(_ texts: [RecordID: String], on device: TestDevice) async throws {
    let report = await device.sync()
    #expect(report.failure == nil && report.push.conflicts == 0 && report.push.refused == 0)
    #expect(try device.texts() == texts)
    #expect(server.rows.compactMapValues { $0.values["text"]?.text } == texts)
    #expect(try device.errors().isEmpty)
    #expect(try device.operations().isEmpty)
  }

  @Test("one decision about many conflicts is one transaction and one step of undo")
  func together() async throws {
    let device = try TestDevice(server)
    let ids = (0..<40).map { RecordID("item\(100 + $0)") }
    for id in ids { server.put(id, ["text": .text("milk")]) }
    await device.sync()
    for id in ids {
      server.put(id, ["text": .text("rice milk")])
      try device.edit(id, "oat milk")
    }
    await device.sync()
    let shown = try device.table.conflicts()
    #expect(shown.count == 40)
    server.put(ids[39], ["text": .text("soy milk")])
    await device.sync()
    try device.table.resolve(ids[38], .theirs)
    let failing = FailingStore(device.store)
    let table = SyncTable("TodoItem", store: failing, environment: device.world.environment)
    failing.fail(write: 2)
    let both = Dictionary(uniqueKeysWithValues: ids.map { ($0, ConflictResolution.both) })
    let decided = try table.resolve(both, isAsShown: { shown.contains($0) })
    #expect(decided.rows == Array(ids[..<38]) && decided.changed == [ids[39]] && decided.copies.count == 38)
    #expect(try device.texts().count == 78)
    #expect(throws: FailingStore.error) { try failing.write { _ in } }
    let undone = try #require(try device.table.undo())
    #expect(undone.doneCount == 76 && undone.decidedCount == 38)
    #expect(try device.texts().count == 40 && device.table.conflicts().count == 39)
  }

  @Test("the error of a real push names its operation, the answer, what was sent and what the server has")
  func error() async throws {
    let (device, error) = try await conflict()
    let operation = try #require(try device.operations().first)
    #expect(error.operationID == operation.id)
    #expect(error.table == "TodoItem" && error.itemID == operation.itemID)
    #expect(error.kind == .conflict && error.status == 412)
    #expect(error.item?.values["text"] == .text("oat milk"))
    #expect(error.serverItem == server.rows[error.itemID])
  }

  @Test(
    "a decision about a conflict is found by its item, sent, and leaves nothing to do",
    arguments: [
      (.mine, "oat milk"), (.theirs, "rice milk"), (.merged(["text": .text("oat rice milk")]), "oat rice milk"),
    ] as [(ConflictResolution, String)])
  func decides(resolution: ConflictResolution, text: String) async throws {
    let (device, error) = try await conflict()
    try device.table.resolve(error.itemID, resolution)
    try await expect([error.itemID: text], on: device)
    #expect(throws: SyncTableError.notFound) { try device.table.resolve(error.itemID, .mine) }
  }

  @Test("a decision for a deletion removes the row on the server")
  func decidesAboutDeletion() async throws {
    let (deleted, error) = try await conflict(mine: nil)
    try deleted.table.resolve(error.itemID, .mine)
    try await expect([:], on: deleted)
  }

  @Test("a refused insert that is changed is sent again as an insert")
  func changesRefusedInsert() async throws {
    let (device, error) = try await refusedInsert()
    try device.table.resolve(error.itemID, .merged(["text": .text("short")]))
    #expect(try device.operations().map(\.kind) == [.insert])
    try await expect([error.itemID: "short"], on: device)
    #expect(server.requests.filter { $0.hasPrefix("POST") }.count == 2)
  }

  @Test("a decision about one refused change leaves the others with their rows and errors")
  func othersStay() async throws {
    let (device, error) = try await refusedInsert()
    let bread: RecordID = "bread"
    try device.table.insert(Record(id: bread, values: ["text": .text("also too long")]))
    server.fail(.answer(.refused(status: 400, message: "too long")), .answer(.refused(status: 400, message: "no")))
    await device.sync(pulls: false)
    let other = try #require(try device.errors().first { $0.itemID == bread })
    try device.table.resolve(error.itemID, .theirs)
    #expect(try device.errors() == [other])
    #expect(try device.operations().map(\.itemID) == [bread])
    #expect(try device.texts() == [bread: "also too long"])
  }

  @Test("D9: theirs means theirs, though the refused edit was taken while somebody decided")
  func theirsIsFinal() async throws {
    let (device, id) = try await refusedAndUnderWay()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"), "it arrived this time")
    try device.table.resolve(id, .theirs)
    #expect(try device.texts() == [id: "milk"])
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("milk"))
    #expect(try device.texts() == [id: "milk"] && device.operations().isEmpty)
  }

  @Test("D9: a refused new item that is given up does not come back, though it was taken meanwhile")
  func givenUpInsert() async throws {
    let device = try TestDevice(server)
    let id = try device.add("far too long")
    server.fail(.answer(.refused(status: 400, message: "too long")))
    await device.sync()
    server.fail(.lostAnswer)
    await device.sync()
    try device.table.resolve(id, .theirs)
    #expect(try device.texts().isEmpty)
    await device.sync()
    #expect(server.rows.isEmpty)
    #expect(try device.texts().isEmpty && device.operations().isEmpty)
  }

  @Test("D9: both of a refusal that is under way makes no second item")
  func bothOfRefusal() async throws {
    let (device, id) = try await refusedAndUnderWay()
    let before = try device.texts()
    #expect(throws: SyncTableError.bothRefused) { try device.table.resolve(id, .both) }
    #expect(try device.texts() == before)
    await device.sync()
    #expect(server.rows.count == 1)
    #expect(try device.texts() == before)
  }

  @Test("a decision about a copy that is not the newest is not applied")
  func decisionAboutOldCopy() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    let shown = try #require(try device.table.conflicts().first).shown
    server.put(id, ["text": .text("almond milk")])
    await device.sync()
    #expect(throws: SyncTableError.otherConflict) {
      try device.table.resolve(id, .mine, isAsShown: { $0.shown == shown })
    }
    let conflict = try #require(try device.table.conflicts().first, "it waits for a decision, about the newest")
    #expect(conflict.theirs?.values["text"] == .text("almond milk"))
    #expect(conflict.mine?.values["text"] == .text("oat milk"))
  }
}
