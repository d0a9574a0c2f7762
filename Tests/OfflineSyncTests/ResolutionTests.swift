import OfflineSync
import Support
import TableProtocol
import Testing

/// The four calls of the original, on errors that went through a real push and a restart (sync-rules Q1).
@Suite("The four ways of the original to go on after an error")
struct ResolutionTests {
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
    let decided = try table.resolve(ids, .both, isAsShown: { shown.contains($0) })
    #expect(decided.rows == Array(ids[..<38]) && decided.changed == [ids[39]] && decided.copies.count == 38)
    #expect(try device.texts().count == 78)
    #expect(throws: FailingStore.error) { try failing.write { _ in } }
    #expect(try device.table.undo() != nil)
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

  @Test("cancel and update: the row is the given one, and nothing is sent")
  func cancelAndUpdate() async throws {
    let (device, error) = try await conflict()
    try device.table.cancelAndUpdate(error, try #require(error.serverItem))
    #expect(try device.table.read(error.itemID) == error.serverItem)
    #expect(try device.operations().isEmpty && device.errors().isEmpty)
    try await expect([error.itemID: "rice milk"], on: device)
  }

  @Test("cancel and update gives way to what the server sent since and a pull set aside")
  func cancelAfterNews() async throws {
    let (device, error) = try await conflict()
    server.put(error.itemID, ["text": .text("almond milk")])
    await device.sync(pushes: false)
    try device.table.cancelAndUpdate(error, try #require(error.serverItem))
    #expect(try device.texts() == [error.itemID: "almond milk"])
    try await expect([error.itemID: "almond milk"], on: device)
  }

  @Test("cancel and discard: the row goes here, and the server's stays")
  func cancelAndDiscard() async throws {
    let (device, error) = try await conflict()
    try device.table.cancelAndDiscard(error)
    #expect(try device.texts().isEmpty)
    #expect(try device.operations().isEmpty && device.errors().isEmpty)
    #expect(server.rows[error.itemID]?.values["text"] == .text("rice milk"))
  }

  @Test("what was discarded does not come back by what a pull had set aside")
  func discardAfterNews() async throws {
    let (device, error) = try await conflict()
    server.put(error.itemID, ["text": .text("almond milk")])
    await device.sync(pushes: false)
    try device.table.cancelAndDiscard(error)
    #expect(try device.texts().isEmpty)
  }

  @Test("cancel and discard of a row that the server never took leaves nothing anywhere")
  func discardRefused() async throws {
    let (device, error) = try await refusedInsert()
    try device.table.cancelAndDiscard(error)
    try await expect([:], on: device)
  }

  @Test("cancelling one operation leaves the others with their rows and errors")
  func othersStay() async throws {
    let (device, error) = try await refusedInsert()
    let bread: RecordID = "bread"
    try device.table.insert(Record(id: bread, values: ["text": .text("also too long")]))
    server.fail(.answer(.refused(status: 400, message: "too long")), .answer(.refused(status: 400, message: "no")))
    await device.sync(pulls: false)
    let other = try #require(try device.errors().first { $0.itemID == bread })
    try device.table.cancelAndDiscard(error)
    #expect(try device.errors() == [other])
    #expect(try device.operations().map(\.itemID) == [bread])
    #expect(try device.texts() == [bread: "also too long"])
  }

  @Test("keep and update: the row is the given one and is sent, from the version it has")
  func keepAndUpdate() async throws {
    let (device, error) = try await conflict()
    var item = try #require(error.serverItem)
    item.values["text"] = .text("kept")
    try device.table.keepAndUpdate(error, item)
    #expect(try device.operations().map(\.kind) == [.update])
    try await expect([error.itemID: "kept"], on: device)
  }

  @Test("keep and update of an insert stays an insert")
  func keepInsert() async throws {
    let (device, error) = try await refusedInsert()
    try device.table.keepAndUpdate(error, Record(id: error.itemID, values: ["text": .text("short")]))
    #expect(try device.operations().map(\.kind) == [.insert])
    try await expect([error.itemID: "short"], on: device)
    #expect(server.requests.filter { $0.hasPrefix("POST") }.count == 2)
  }

  @Test("keep and update of a delete stays a delete, from the version of the given item")
  func keepDelete() async throws {
    let (device, error) = try await conflict(mine: nil)
    try device.table.keepAndUpdate(error, try #require(error.serverItem))
    #expect(try device.operations().map(\.kind) == [.delete])
    #expect(try device.texts().isEmpty)
    try await expect([:], on: device)
  }

  @Test("an update becomes an update with the version it should have had")
  func updateToUpdate() async throws {
    let (device, error) = try await conflict()
    try device.table.changeKind(error, .update)
    #expect(try device.texts() == [error.itemID: "oat milk"], "the row stays as it is")
    #expect(await device.sync().push.conflicts == 1, "and so does its version")
  }

  @Test("an insert becomes an update")
  func insertToUpdate() async throws {
    let (device, error) = try await refusedInsert()
    server.put(error.itemID, ["text": .text("somebody's")])
    var item = try #require(server.rows[error.itemID])
    item.values["text"] = .text("short")
    try device.table.changeKind(error, .update, item)
    try await expect([error.itemID: "short"], on: device)
    #expect(server.requests.contains { $0.hasPrefix("PUT \(error.itemID)") })
  }

  @Test("an update becomes a delete, from the version of the given item")
  func updateToDelete() async throws {
    let (device, error) = try await conflict()
    try device.table.changeKind(error, .delete, error.serverItem)
    #expect(try device.texts().isEmpty)
    #expect(try device.operations().map(\.kind) == [.delete])
    try await expect([:], on: device)
  }

  @Test("an update becomes a delete of the row as it is, without an item")
  func updateToDeleteOfRow() async throws {
    let (device, error) = try await conflict()
    try device.table.changeKind(error, .delete)
    #expect(try device.texts().isEmpty)
    #expect(try device.operations().map(\.kind) == [.delete])
    #expect(try device.operations().first?.base?.values["text"] == .text("oat milk"))
  }

  @Test("a delete becomes an update, and the row is there again")
  func deleteToUpdate() async throws {
    let (device, error) = try await conflict(mine: nil)
    var item = try #require(error.serverItem)
    item.values["text"] = .text("kept after all")
    try device.table.changeKind(error, .update, item)
    #expect(try device.texts() == [error.itemID: "kept after all"])
    try await expect([error.itemID: "kept after all"], on: device)
  }

  @Test("a delete becomes an update of the row as it was, without an item")
  func deleteToUpdateOfRow() async throws {
    let (device, error) = try await conflict(mine: nil)
    try device.table.changeKind(error, .update)
    #expect(try device.texts() == [error.itemID: "milk"])
    #expect(try device.operations().map(\.kind) == [.update])
  }

  @Test("a delete becomes an insert, of a row the server has no more")
  func deleteToInsert() async throws {
    let (device, error) = try await conflict(mine: nil)
    server.forget(error.itemID)
    try device.table.changeKind(error, .insert, Record(id: error.itemID, values: ["text": .text("again")]))
    #expect(try device.operations().map(\.kind) == [.insert])
    try await expect([error.itemID: "again"], on: device)
  }

  @Test("an item of another id, and an operation that is gone, are refused, and nothing changes")
  func refusals() async throws {
    let (device, error) = try await conflict()
    let other = Record(id: "other")
    #expect(throws: SyncTableError.wrongItem) { try device.table.cancelAndUpdate(error, other) }
    #expect(throws: SyncTableError.wrongItem) { try device.table.keepAndUpdate(error, other) }
    #expect(throws: SyncTableError.wrongItem) { try device.table.changeKind(error, .update, other) }
    #expect(try device.errors() == [error])
    try device.table.cancelAndDiscard(error)
    #expect(throws: SyncTableError.notFound) { try device.table.cancelAndDiscard(error) }
    #expect(throws: SyncTableError.notFound) { try device.table.changeKind(error, .insert, error.item) }
    #expect(throws: SyncTableError.notFound) { try device.table.resolve(error.itemID, .mine) }
  }
}
