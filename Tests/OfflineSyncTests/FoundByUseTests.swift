import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("What use has found: decisions, deletions and refusals")
struct FoundByUseTests {
  let server = FakeServer()

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

  @Test("D10: a new item that waits in a copied store is not revived after somebody deleted it")
  func copiedStore() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    // The other copy of the store has sent it; then somebody deleted it.
    server.put(id, ["text": .text("milk"), "complete": .bool(false)])
    server.remove(id)
    #expect(await device.sync().push.conflicts == 0)
    #expect(try device.texts().isEmpty && device.operations().isEmpty)
    #expect(server.rows.isEmpty)
  }

  @Test("D10: words that nobody can have seen are asked about before they are thrown away")
  func copiedStoreWithEdit() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.put(id, ["text": .text("milk"), "complete": .bool(false)])
    server.remove(id)
    try device.edit(id, "oat milk")
    #expect(await device.sync().push.conflicts == 1)
    #expect(try device.texts() == [id: "oat milk"])
  }

  @Test("D11: changes that may not be written hold up no other, sync after sync")
  func forbiddenRows() async throws {
    let device = try TestDevice(server)
    let refused = RemoteAnswer.refused(status: 403, message: "not yours")
    for number in 0..<6 { try device.add("forbidden \(number)") }
    for number in 0..<4 { try device.add("mine \(number)") }
    server.fail(
      .answer(refused), .answer(refused), .answer(refused), .answer(refused), .answer(refused), .answer(refused))
    let report = await device.sync(pulls: false)
    #expect(report.failure == nil)
    #expect(server.rows.values.count { $0.values["text"]?.text?.hasPrefix("mine") == true } == 4)
  }

  @Test("D12: both sides deleted the item while an edit was under way, and nobody is asked")
  func bothDeletedUnderWay() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    server.fail(.failure(RemoteFailure(.unreachable("cut"), mayHaveActed: true)))
    await device.sync()
    try device.table.delete(id)
    server.remove(id)
    #expect(await device.sync().push.conflicts == 0)
    #expect(try device.table.conflicts().isEmpty && device.operations().isEmpty)
  }

  @Test("D12: an item that is deleted here too is no conflict any more")
  func bothDeleted() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: nil, on: server)
    #expect(await device.sync().push.conflicts == 1)
    try device.table.delete(id)
    #expect(try device.table.conflicts().isEmpty && device.operations().isEmpty)
  }

  @Test("D12: typing exactly their text ends a conflict")
  func sameText() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    try device.edit(id, "rice milk")
    #expect(try device.table.conflicts().isEmpty && device.operations().isEmpty)
  }

  @Test("D17: a report counts what the store shows")
  func report() async throws {
    let device = try TestDevice(server)
    let ids = try (0..<4).map { try device.add("item \($0)") }
    await device.sync()
    for id in ids { try device.edit(id, "mine") }
    server.put(ids[0], ["text": .text("theirs")])
    server.put(ids[1], ["text": .text("mine")])
    server.remove(ids[2])
    let report = await device.sync(pulls: false).push
    #expect(report.conflicts == 2, "the edit against the edit, and against the deletion")
    #expect(report.accepted == 2, "the one that met the same text, and the plain one")
    #expect(report.refused == 0)
    #expect(try device.errors().count == 2)
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

  @Test("undo of a decision that was sent says so, and the versions have the server's text", arguments: [true, false])
  func undoSentDecision(isDelete: Bool) async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    if isDelete { try device.table.delete(id) }
    await device.sync()
    try device.table.resolve(id, .mine)
    await device.sync()
    #expect(try device.table.undo()?.obstacle == .alreadySent)
    #expect(try device.texts() == (isDelete ? [:] : [id: "oat milk"]))
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

  @Test("undo takes out my words and leaves those that another device added since")
  func undoByMerge() async throws {
    let (device, id) = try await TestDevice.withItem(
      "call mum about the rent", mine: "phone mum about the rent", theirs: "call mum about the rent today", on: server)
    await device.sync()
    #expect(try device.texts() == [id: "phone mum about the rent today"])
    #expect(try device.table.undo()?.obstacle == nil)
    #expect(try device.texts() == [id: "call mum about the rent today"])
  }
}

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
