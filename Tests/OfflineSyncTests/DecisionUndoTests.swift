import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Undo of a decision about a conflict")
struct DecisionUndoTests {
  let server = FakeServer()

  /// Oat milk here and rice milk there wait for a decision, and a sync sends nothing over the rice milk.
  private func expectOpenConflict(
    on device: TestDevice, _ id: RecordID, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let conflict = try #require(try device.table.conflicts().first, sourceLocation: sourceLocation)
    #expect(conflict.mine?.values["text"] == .text("oat milk"), sourceLocation: sourceLocation)
    #expect(conflict.theirs?.values["text"] == .text("rice milk"), sourceLocation: sourceLocation)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("rice milk"), sourceLocation: sourceLocation)
  }

  @Test("D18: both is one step of undo, which opens the conflict again with both texts")
  func undoBoth() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    let copy = try #require(try device.table.resolve(id, .both))
    #expect(try device.texts() == [id: "rice milk", copy: "oat milk"])
    _ = try device.table.undo()
    #expect(try device.texts() == [id: "oat milk"])
    let conflict = try #require(try device.table.conflicts().first)
    #expect(conflict.theirs?.values["text"] == .text("rice milk"))
    #expect(conflict.base?.values["text"] == .text("milk"))
    _ = try device.table.redo()
    #expect(try device.texts() == [id: "rice milk", copy: "oat milk"])
    #expect(try device.table.conflicts().isEmpty)
  }

  @Test("undo of any decision that was not sent opens the conflict again", arguments: ["mine", "theirs", "merged"])
  func undoDecision(choice: String) async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    let resolution: ConflictResolution =
      choice == "mine" ? .mine : choice == "theirs" ? .theirs : .merged(["text": .text("oat and rice milk")])
    try device.table.resolve(id, resolution)
    #expect(try device.table.conflicts().isEmpty)
    _ = try device.restarted(server).table.undo()
    let conflict = try #require(try device.table.conflicts().first)
    #expect(conflict.mine?.values["text"] == .text("oat milk"))
    #expect(conflict.theirs?.values["text"] == .text("rice milk"))
  }

  @Test("an edit in conflict that is taken back leaves the text there; done again, it is in conflict again")
  func undoEdit() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    let undone = try #require(try device.table.undo())
    #expect(undone.conflict == .ended)
    #expect(try device.texts() == [id: "rice milk"])
    #expect(try device.table.conflicts().isEmpty)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("rice milk"))
    let redone = try #require(try device.restarted(server).table.redo())
    #expect(redone.obstacle == nil && redone.conflict == .opened)
    try await expectOpenConflict(on: device, id)
    _ = try device.table.undo()
    #expect(try device.texts() == [id: "rice milk"])
    _ = try device.table.redo()
    try await expectOpenConflict(on: device, id)
    try device.table.resolve(id, .mine)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.table.undo()?.obstacle == .alreadySent, "the decision")
    #expect(try device.table.undo()?.obstacle == nil, "the edit is one again")
    #expect(try device.texts() == [id: "milk"])
  }

  @Test("an edit against a deletion there that is taken back lets the item go; done again, it is in conflict again")
  func undoEditAgainstDeletion() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: nil, on: server)
    await device.sync()
    #expect(try device.table.conflicts().count == 1)
    let undone = try #require(try device.table.undo())
    #expect(undone.conflict == .letGo && undone.obstacle == nil)
    #expect(try device.texts().isEmpty && device.table.conflicts().isEmpty)
    await device.sync()
    let redone = try #require(try device.restarted(server).table.redo())
    #expect(redone.conflict == .opened && redone.obstacle == nil)
    #expect(try device.texts() == [id: "oat milk"] && device.table.conflicts().count == 1)
    await device.sync()
    #expect(server.rows.isEmpty)
    try device.table.resolve(id, .mine)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
  }

  @Test("undo of a deletion that was decided for and sent brings back the text there; done again, it is deleted")
  func undoSentDeletion() async throws {
    let (device, id) = try await TestDevice.withItem(mine: nil, theirs: "rice milk", on: server)
    await device.sync()
    try device.table.resolve(id, .mine)
    await device.sync()
    #expect(server.rows.isEmpty)
    let undone = try #require(try device.restarted(server).table.undo())
    #expect(undone.obstacle == nil && undone.conflict == nil)
    #expect(try device.texts() == [id: "rice milk"])
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("rice milk"))
    let redone = try #require(try device.table.redo())
    #expect(redone.obstacle == nil)
    #expect(try device.texts().isEmpty)
    await device.sync()
    #expect(server.rows.isEmpty)
  }

  @Test("undo of a decision for the text there brings back nothing that another device deleted since")
  func undoTheirsDeletedSince() async throws {
    let (device, id) = try await TestDevice.withItem(mine: nil, theirs: "rice milk", on: server)
    await device.sync()
    try device.table.resolve(id, .theirs)
    await device.sync()
    server.remove(id)
    await device.sync()
    #expect(try device.table.undo()?.obstacle == .deletedSince)
    #expect(try device.texts().isEmpty && device.operations().isEmpty)
  }

  @Test(
    "a decision to keep an item against its deletion is done again, and not asked about once more",
    arguments: [false, true])
  func redoAgainstDeletion(tombstoneIsForgotten: Bool) async throws {
    let (device, id) = try await TestDevice.withItem("milk", on: server)
    try device.edit(id, "oat milk")
    server.remove(id)
    await device.sync()
    try device.table.resolve(id, .mine)
    _ = try device.table.undo()
    #expect(try device.table.conflicts().count == 1)
    if tombstoneIsForgotten { server.forget(id) }
    _ = try device.restarted(server).table.redo()
    #expect(try device.table.conflicts().isEmpty)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
  }

  @Test("undo of an edit that ended a conflict opens the conflict again, and the other device's words stay")
  func undoDecidingEdit() async throws {
    for typed in ["milk", "rice milk"] {
      let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
      await device.sync()
      try device.edit(id, typed)
      #expect(try device.texts()[id] == "rice milk" && device.table.conflicts().isEmpty)
      _ = try device.restarted(server).table.undo()
      try await expectOpenConflict(on: device, id)
      _ = try device.table.redo()
      #expect(try device.texts()[id] == "rice milk" && device.table.conflicts().isEmpty)
    }
  }

  @Test("undo of an edit that let the deletion by another device stand opens the conflict again, and revives nothing")
  func undoEditOfDeleted() async throws {
    let (device, id) = try await TestDevice.withItem("milk", on: server)
    try device.edit(id, "oat milk")
    server.remove(id)
    await device.sync()
    try device.edit(id, "milk")
    #expect(try device.texts().isEmpty)
    _ = try device.restarted(server).table.undo()
    #expect(try device.texts() == [id: "oat milk"] && device.table.conflicts().count == 1)
    await device.sync()
    #expect(server.rows[id] == nil)
  }

  @Test("undo of giving up a change that is in conflict opens the conflict again, and nothing is sent")
  func undoDrop() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    #expect(try device.table.drop(id))
    #expect(try device.texts() == [id: "rice milk"])
    _ = try device.restarted(server).table.undo()
    try await expectOpenConflict(on: device, id)
  }

  @Test("undo of a decision brings back what an attempt without an answer may have left on the server")
  func undoDecisionAfterLostAnswer() async throws {
    let (device, id) = try await TestDevice.withItem("milk", on: server)
    try device.edit(id, "oat milk")
    server.fail(.lostAnswer)
    await device.sync()
    try device.edit(id, "soy milk")
    server.put(id, ["text": .text("rice")])
    await device.sync()
    let conflict = try #require(try device.errors().first)
    #expect(conflict.sent?.values["text"] == .text("oat milk"))
    try device.table.resolve(id, .mine)
    _ = try device.restarted(server).table.undo()
    let again = try #require(try device.errors().first)
    #expect(again.sent?.values == conflict.sent?.values && again.serverItem == conflict.serverItem)
  }

  @Test("undo of a decision that was sent says so, and the versions have the server's text")
  func undoSentDecision() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    try device.table.resolve(id, .mine)
    await device.sync()
    #expect(try device.table.undo()?.obstacle == .alreadySent)
    #expect(try device.texts() == [id: "oat milk"])
    let versions = try device.versions(of: id)
    let last = try #require(versions.last)
    #expect(last.before?.values["text"] == .text("rice milk") && last.origin == .here)
    try device.table.restore(id, toVersion: last.number - 1)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("rice milk"))
  }

  @Test("undo of a decision about a row that was deleted since shows the deletion, not the copy of that time")
  func undoDecisionOfDeletedRow() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    try device.table.resolve(id, .theirs)
    server.remove(id)
    await device.sync()
    _ = try device.table.undo()
    let conflict = try #require(try device.table.conflicts().first)
    #expect(conflict.mine?.values["text"] == .text("oat milk") && conflict.theirs == nil)
    try device.table.resolve(id, .mine)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
  }
}
