import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import Testing

@Suite("Undo and redo")
struct UndoTests {
  let server = FakeServer()
  let device: TestDevice

  init() throws { device = try TestDevice(server) }

  /// What the device shows and, after a sync, the server has.
  private func expect(_ texts: [RecordID: String], _ comment: Comment? = nil) async throws {
    #expect(try device.texts() == texts, comment)
    let report = await device.sync()
    #expect(report.failure == nil && report.push.conflicts == 0, comment)
    #expect(server.rows.compactMapValues { $0.values["text"]?.text } == texts, comment)
    #expect(try device.texts() == texts, comment)
    #expect(try device.operations().isEmpty, comment)
  }

  @Test("a list from before a deletion does not keep its undo from being sent (D24)")
  func oldList() async throws {
    let milk = try device.add("milk")
    await device.sync()
    let kept = try #require(server.rows[milk])
    try device.table.delete(milk)
    await device.sync()
    _ = try device.table.undo()
    let cache = ListingServer(base: server) { base, query, link throws(RemoteFailure) in
      var page = try base.page(query, at: link)
      guard !page.records.isEmpty else { return page }
      page.records = [kept]
      return page
    }
    let behindCache = try device.restarted(cache)
    #expect(await behindCache.sync(pushes: false).failure == nil)
    #expect(try behindCache.operations().count == 1)
    try await expect([milk: "milk"])
  }

  @Test("a change of many rows, its undo and its redo say how far they are, and do it whole")
  func progress() throws {
    let rows = try device.table.insert((0..<1_201).map { ["text": .text("\($0)"), "complete": .bool(false)] })
    var said: [Int] = []
    func note(_ progress: BulkProgress) { said.append(progress.all == 1_201 ? progress.done : -1) }
    func goOn(_ progress: BulkProgress) -> BulkProgress.Answer {
      note(progress)
      return .goOn
    }
    try device.table.update(rows.map(\.id), progress: goOn) { _ in ["text": .text("milk")] }
    #expect(try Set(device.texts().values) == ["milk"])
    _ = try device.table.step(undoing: true, progress: note)
    #expect(try Set(device.texts().values) == Set((0..<1_201).map(String.init)))
    _ = try device.table.step(undoing: false, progress: note)
    #expect(try Set(device.texts().values) == ["milk"])
    try device.table.delete(rows.map(\.id), progress: goOn)
    #expect(try device.texts().isEmpty)
    let outcome = try device.table.step(undoing: true, progress: note)
    #expect(outcome?.count == 1_201 && outcome?.doneCount == 1_201 && outcome?.obstacle == nil)
    #expect(try device.texts().count == 1_201)
    #expect(said == Array(repeating: [500, 1_000, 1_201], count: 5).flatMap { $0 })
  }

  @Test("a row that one step changes twice, at both ends of many others, goes back through both changes and forth")
  func twiceInOneStep() throws {
    let rows = try device.table.insert((0...600).map { ["text": .text("\($0)"), "complete": .bool(false)] })
    let first = rows[0].id
    // Each is a step of its own. Their changes are then saved as one more step.
    var changes: [RowChange] = []
    let edits: [() throws -> Void] = [
      { try device.edit(first, "one") },
      { try device.table.update(rows.dropFirst().map(\.id)) { _ in ["text": .text("milk")] } },
      { try device.edit(first, "two") },
    ]
    for edit in edits {
      try edit()
      changes += try device.store.read { try $0.undoStepEntries(undone: false, in: "TodoItem") }.map(\.change)
    }
    try device.store.write { try $0.appendUndoStep(changes, keeping: 1_000) }
    let undone = try device.table.undo()
    #expect(undone?.doneCount == 602 && undone?.kept == [] && undone?.obstructedItems == [])
    #expect(try Set(device.texts().values) == Set((0...600).map(String.init)))
    #expect(try device.texts()[first] == "0")
    let redone = try device.table.redo()
    #expect(redone?.doneCount == 602 && redone?.kept == [] && redone?.obstructedItems == [])
    #expect(try Set(device.texts().values) == ["two", "milk"])
    #expect(try device.texts()[first] == "two")
  }

  @Test("a change of many rows that is stopped is what was done until then, and one step to undo")
  func stopped() throws {
    let rows = try device.table.insert((0..<1_201).map { ["text": .text("\($0)"), "complete": .bool(false)] })
    let stop = { (progress: BulkProgress) in progress.done == 1_000 ? BulkProgress.Answer.stop : .goOn }
    #expect(try device.table.update(rows.map(\.id), progress: stop) { _ in ["text": .text("milk")] } == 1_000)
    #expect(try device.texts().values.count { $0 == "milk" } == 1_000)
    #expect(try device.table.undo()?.count == 1_000)
    #expect(try Set(device.texts().values) == Set((0..<1_201).map(String.init)))
    #expect(try device.table.delete(rows.map(\.id), progress: { _ in .stop }) == 500)
    #expect(try device.texts().count == 701)
    #expect(try device.table.undo()?.count == 500)
    #expect(try device.texts().count == 1_201)
  }

  @Test(
    "add, edit and delete are undone and done again, with a sync after none, some or all steps",
    arguments: 0..<64)
  func everySync(syncs: Int) async throws {
    var step = 0
    func maybeSync() async throws {
      if syncs >> step & 1 == 1 { await device.sync() }
      step += 1
    }
    let id = try device.add("milk")
    try await maybeSync()
    try device.edit(id, "oat milk")
    try await maybeSync()
    try device.table.delete(id)
    try await maybeSync()
    #expect(try device.table.undo()?.obstacle == nil)
    #expect(try device.texts() == [id: "oat milk"])
    try await maybeSync()
    #expect(try device.table.undo()?.obstacle == nil)
    #expect(try device.texts() == [id: "milk"])
    try await maybeSync()
    #expect(try device.table.undo()?.obstacle == nil)
    #expect(try device.texts().isEmpty)
    try await maybeSync()
    #expect(try device.table.undo() == nil)
    for expected in [[id: "milk"], [id: "oat milk"], [:]] {
      #expect(try device.table.redo()?.obstacle == nil)
      #expect(try device.texts() == expected)
    }
    #expect(try device.table.redo() == nil)
    #expect(try device.table.undo() != nil)
    try await expect([id: "oat milk"])
  }

  @Test("it works after a restart")
  func restart() async throws {
    let id = try device.add("milk")
    await device.sync()
    try device.table.delete(id)
    let again = try device.restarted(server)
    #expect(try again.table.undo() != nil)
    #expect(try again.texts() == [id: "milk"])
    #expect(try again.operations().isEmpty)
    #expect(try again.restarted(server).table.redo() != nil)
    #expect(try again.texts().isEmpty)
  }

  @Test("a delete that was not sent is taken back, and nothing is left to send")
  func unsentDelete() async throws {
    let id = try device.add("milk")
    await device.sync()
    try device.table.delete(id)
    _ = try device.table.undo()
    #expect(try device.operations().isEmpty)
    let before = server.requests.count
    await device.sync()
    #expect(server.requests.dropFirst(before) == ["LIST"])
    #expect(try device.texts() == [id: "milk"])
  }

  @Test("a delete that was sent is undone under the same id, with its other columns and its place")
  func sentDelete() async throws {
    let id = try device.add("milk")
    try device.table.update(id, ["complete": .bool(true)])
    await device.sync()
    let row = try #require(try device.table.read(id))
    try device.table.delete(id)
    await device.sync()
    _ = try device.table.undo()
    #expect(try device.table.read(id)?.values == row.values)
    #expect(try device.table.read(id)?.system.createdAt == row.system.createdAt)
    try await expect([id: "milk"])
  }

  @Test("an item deleted for good on the server comes back as a new one under its id")
  func hardDelete() async throws {
    let id = try device.add("milk")
    await device.sync()
    try device.table.delete(id)
    await device.sync()
    server.fail(.answer(.gone(status: 404)))
    _ = try device.table.undo()
    await device.sync()
    await device.sync()
    #expect(try device.texts() == [id: "milk"])
    #expect(server.rows[id]?.values["text"] == .text("milk"))
  }

  @Test("a column another device changed since stays, and is named; the others are restored")
  func keptColumn() async throws {
    let id = try device.add("milk")
    await device.sync()
    try device.table.update(id, ["text": .text("oat milk"), "complete": .bool(true)])
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    await device.sync()
    let reversal = try #require(try device.table.undo())
    #expect(reversal.kept == ["text"] && reversal.obstacle == nil)
    #expect(try device.table.read(id)?.values == ["text": .text("rice milk"), "complete": .bool(false)])
    let again = try #require(try device.table.redo())
    #expect(again.kept.isEmpty && again.obstacle == nil)
    #expect(try device.table.read(id)?.values == ["text": .text("rice milk"), "complete": .bool(true)])
    try await expect([id: "rice milk"])
  }

  @Test("undo and redo of a step name the same change, the first one that was undone")
  func firstOfStep() throws {
    let ids = try (1...3).map { try device.add("item \($0)") }
    try device.table.update(ids) { _ in ["complete": .bool(true)] }
    #expect(try device.table.undo()?.change.itemID == ids[0])
    let redone = try #require(try device.table.redo())
    #expect(redone.change.itemID == ids[0] && redone.firstDone?.change.itemID == ids[0] && redone.doneCount == 3)
    try device.table.update(ids[0], ["complete": .bool(false)])
    _ = try device.table.undo()
    let undone = try #require(try device.table.undo())
    #expect(undone.first.change.itemID == ids[0] && undone.firstDone?.change.itemID == ids[0])
  }

  @Test("an item that was changed or deleted since is left alone, and the change before comes next")
  func obstacles() async throws {
    let first = try device.add("first")
    let second = try device.add("second")
    let third = try device.add("third")
    await device.sync()
    server.put(third, ["text": .text("changed")])
    server.remove(second)
    await device.sync()
    #expect(try device.table.undo()?.obstacle == .changedSince)
    #expect(try device.table.undo()?.obstacle == .deletedSince)
    #expect(try device.table.undo()?.change.itemID == first)
    #expect(try device.table.undo() == nil)
    try await expect([third: "changed"])
  }

  @Test("an item that somebody made live again is left as it is")
  func restored() async throws {
    let id = try device.add("milk")
    await device.sync()
    try device.table.delete(id)
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    await device.sync()
    #expect(try device.table.undo()?.obstacle == .restoredSince)
    try await expect([id: "rice milk"])
  }

  @Test("an item somebody brought back and changed, unheard of here, is asked about, and nothing is lost")
  func restoredUnheard() async throws {
    let id = try device.add("milk")
    await device.sync()
    try device.table.delete(id)
    await device.sync()
    server.put(id, ["complete": .bool(true)])
    _ = try device.table.undo()
    await device.sync()
    let conflict = try #require(try device.table.conflicts().first)
    #expect(conflict.mine?.values == ["text": .text("milk"), "complete": .bool(false)])
    #expect(conflict.theirs?.values == ["text": .text("milk"), "complete": .bool(true)])
    #expect(server.rows[id]?.values["complete"] == .bool(true))
  }

  @Test("a new change ends what could be done again")
  func newChange() throws {
    let id = try device.add("milk")
    try device.edit(id, "oat milk")
    _ = try device.table.undo()
    try device.edit(id, "rice milk")
    #expect(try device.table.redo() == nil)
    _ = try device.table.undo()
    #expect(try device.texts() == [id: "milk"])
  }

  @Test("an undo while a sync has lost its answer leaves neither a duplicate nor a conflict")
  func lostAnswers() async throws {
    let id = try device.add("milk")
    server.fail(.lostAnswer)
    await device.sync()
    try device.table.delete(id)
    _ = try device.table.undo()
    try await expect([id: "milk"], "after an insert")
    try device.table.delete(id)
    server.fail(.lostAnswer)
    await device.sync()
    _ = try device.table.undo()
    try await expect([id: "milk"], "after a delete")
  }

  @Test("taking back the edit that is in conflict ends the conflict with the server's copy")
  func conflict() async throws {
    let id = try device.add("milk")
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    try device.edit(id, "oat milk")
    #expect(await device.sync().push.conflicts == 1)
    _ = try device.table.undo()
    #expect(try device.errors().isEmpty)
    try await expect([id: "rice milk"])
  }

  @Test("taking back the delete that is in conflict brings the server's copy")
  func deleteConflict() async throws {
    let id = try device.add("milk")
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    try device.table.delete(id)
    #expect(await device.sync().push.conflicts == 1)
    _ = try device.table.undo()
    try await expect([id: "rice milk"])
  }

  @Test("a decision for theirs can be undone: mine is there again, and the conflict is open")
  func decision() async throws {
    let id = try device.add("milk")
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    try device.edit(id, "oat milk")
    await device.sync()
    try device.table.resolve(id, .theirs)
    _ = try device.table.undo()
    #expect(try device.texts() == [id: "oat milk"])
    #expect(try device.table.conflicts().map { $0.theirs?.values["text"] } == [.text("rice milk")])
    try device.table.resolve(id, .mine)
    try await expect([id: "oat milk"])
  }

  @Test("a decision for a deletion there can be undone, and the conflict is open")
  func decisionForDeletion() async throws {
    let id = try device.add("milk")
    await device.sync()
    server.remove(id)
    try device.edit(id, "oat milk")
    await device.sync()
    try device.table.resolve(id, .theirs)
    #expect(try device.texts().isEmpty)
    _ = try device.table.undo()
    #expect(try device.table.conflicts().map(\.mine?.values["text"]) == [.text("oat milk")])
    try device.table.resolve(id, .mine)
    try await expect([id: "oat milk"])
  }

  @Test("of very many changes the last thousand can be undone")
  func limit() throws {
    let id = try device.add("0")
    for number in 1...1_005 { try device.edit(id, "\(number)") }
    var count = 0
    while try device.table.undo() != nil { count += 1 }
    #expect(count == 1_000)
    #expect(try device.texts() == [id: "5"])
  }

  @Test("undo takes out my words and leaves those that another device added since")
  func undoByMerge() async throws {
    let (device, id) = try await TestDevice.withItem(
      "call mum about the rent", mine: "phone mum about the rent", theirs: "call mum about the rent today", on: server)
    await device.sync()
    #expect(try device.texts() == [id: "phone mum about the rent today"])
    #expect(try device.table.undo()?.obstacle == nil)
    #expect(try device.texts() == [id: "call mum about the rent today"])
  }

  @Test("an item whose second deletion is undone is back, though it was never sent when it was deleted first")
  func undoneTwice() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    let row = try #require(try device.table.read(id))
    try device.table.delete(id)
    try device.table.insert(row)
    await device.sync()
    for _ in 0..<2 {
      #expect(try device.table.undo()?.obstacle == nil)
      #expect(await device.sync().push.conflicts == 0)
    }
    #expect(try device.texts() == [id: "milk"])
    #expect(server.rows[id]?.values["text"] == .text("milk"))
  }
}
