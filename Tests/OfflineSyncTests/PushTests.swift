import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Pushing the journal")
struct PushTests {
  let server = FakeServer()

  private static func report(accepted: Int, conflicts: Int) -> PushReport {
    var report = PushReport()
    (report.accepted, report.conflicts) = (accepted, conflicts)
    return report
  }

  @Test("changes go out in the order they were made, and the rows take the server's versions")
  func order() async throws {
    let device = try TestDevice(server)
    let first = try device.add("milk")
    let second = try device.add("bread")
    let report = await device.sync(pulls: false)
    #expect(report.failure == nil)
    #expect(report.push.accepted == 2)
    #expect(server.requests == ["POST \(first)", "POST \(second)"])
    #expect(try device.table.read(first)?.system.version == server.rows[first]?.system.version)
    #expect(try device.operations().isEmpty)
  }

  @Test("an update says which columns changed")
  func changedColumns() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.table.update(id, ["complete": .bool(true)])
    await device.sync(pulls: false)
    #expect(server.requests.last == "PUT \(id) complete")
  }

  @Test("with no network every change is kept, can still be condensed, and goes out later")
  func offline() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.unreachable)
    let report = await device.sync()
    #expect(report.failure == .remote(RemoteFailure(.unreachable("name not found"), mayHaveActed: false)))
    try device.edit(id, "oat milk")
    #expect(try device.operations().map(\.kind) == [.insert])
    #expect(try device.operations().allSatisfy { !$0.isMarked })
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
  }

  @Test("an insert whose answer was lost is not doubled and is no conflict")
  func lostInsert() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer)
    await device.sync()
    #expect(try device.operations().map(\.isMarked) == [true])
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows.count == 1)
    #expect(try device.table.read(id)?.system.version == server.rows[id]?.system.version)
    #expect(try device.operations().isEmpty)
  }

  @Test("an update whose answer was lost is no conflict")
  func lostUpdate() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    server.fail(.lostAnswer)
    await device.sync()
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(report.failure == nil)
    #expect(try device.operations().isEmpty)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
  }

  @Test("a delete whose answer was lost is done")
  func lostDelete() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.table.delete(id)
    server.fail(.lostAnswer)
    await device.sync()
    let report = await device.sync()
    #expect(report.failure == nil)
    #expect(server.rows.isEmpty)
    #expect(try device.operations().isEmpty)
    #expect(try device.texts().isEmpty)
  }

  @Test("an edit made after a lost answer queues behind it and wins")
  func editAfterLostAnswer() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer)
    await device.sync()
    try device.edit(id, "oat milk")
    #expect(try device.operations().map(\.kind) == [.insert, .update])
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("a delete made after the insert's answer was lost deletes on the server too")
  func deleteAfterLostInsert() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer)
    await device.sync()
    try device.table.delete(id)
    await device.sync()
    #expect(server.rows.isEmpty)
    #expect(try device.texts().isEmpty)
    #expect(try device.operations().isEmpty)
  }

  @Test("both sides changed one item: the conflict is kept with both copies and holds up nothing else")
  func conflict() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    server.put(id, ["text": .text("rice milk")])
    try device.edit(id, "oat milk")
    let other = try device.add("bread")
    let report = await device.sync()
    #expect(report.failure == nil)
    #expect(report.push.conflicts == 1)
    #expect(server.rows[other] != nil)
    #expect(try device.texts()[id] == "oat milk")
    let error = try #require(try device.errors().first)
    #expect(error.kind == .conflict)
    #expect(error.serverItem?.values["text"] == .text("rice milk"))
    #expect(error.item?.values["text"] == .text("oat milk"))
  }

  @Test("a conflict is not sent again before it is resolved")
  func conflictWaits() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    server.put(id, ["text": .text("rice milk")])
    try device.edit(id, "oat milk")
    await device.sync()
    let before = server.requests.count
    await device.sync()
    #expect(server.requests.dropFirst(before) == ["LIST"])
    #expect(try device.errors().count == 1)
  }

  @Test("an edit of an item that was deleted elsewhere is a conflict, not a loss")
  func editOfDeleted() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    server.remove(id)
    try device.edit(id, "oat milk")
    let report = await device.sync()
    #expect(report.push.conflicts == 1)
    #expect(try device.texts()[id] == "oat milk")
  }

  @Test("a delete of an item that was deleted elsewhere is done")
  func deleteOfDeleted() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    server.remove(id)
    try device.table.delete(id)
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(try device.operations().isEmpty)
  }

  @Test("a change the server refuses is kept with its reason, and the next one goes out")
  func refused() async throws {
    let device = try TestDevice(server)
    let id = try device.add("too long")
    let other = try device.add("bread")
    let tooLong = FakeServer.Fault.answer(.refused(status: 400, message: "text too long"))
    server.fail(tooLong, .pass, tooLong)
    let report = await device.sync()
    #expect(report.push.refused == 1)
    #expect(server.rows.keys.contains(other))
    #expect(try device.errors().map(\.message) == ["text too long"])
    try device.edit(id, "short")
    #expect(try device.errors().isEmpty)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("short"))
  }

  @Test("a missing sign-in stops the push at once and keeps everything")
  func unauthorized() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    try device.add("bread")
    server.fail(.failure(RemoteFailure(.signInNeeded, mayHaveActed: false)))
    let report = await device.sync()
    #expect(report.failure == .remote(RemoteFailure(.signInNeeded, mayHaveActed: false)))
    #expect(server.requests.count == 1)
    #expect(try device.operations().count == 2)
  }

  @Test("a network that goes away in the middle leaves what was done done, and the rest as it was")
  func cutInTheMiddle() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    for text in ["bread", "eggs", "tea"] { try device.add(text) }
    let before = server.requests.count
    server.fail(.pass, .pass, .unreachable)
    let report = await device.sync()
    #expect(report.failure == .remote(RemoteFailure(.unreachable("name not found"), mayHaveActed: false)))
    #expect(report.push == Self.report(accepted: 1, conflicts: 1))
    #expect(server.requests.count == before + 3)
    #expect(try device.errors().map(\.itemID) == [id])
    #expect(try device.operations().count == 3)
    await device.sync()
    #expect(Set(server.rows.values.compactMap { $0.values["text"]?.text }) == ["rice milk", "bread", "eggs", "tea"])
  }

  @Test("an insert that meets another item under its id is a conflict, and the others go out")
  func insertConflict() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("theirs")])
    for (id, text) in [("0", "first"), ("a", "mine"), ("b", "last")] as [(RecordID, String)] {
      try device.table.insert(Record(id: id, values: ["text": .text(text)]))
    }
    let report = await device.sync()
    #expect(report.push.accepted == 2 && report.push.conflicts == 1)
    let error = try #require(try device.errors().first)
    #expect(error.status == 409 && error.serverItem?.values["text"] == .text("theirs"))
    #expect(try device.texts()["a"] == "mine")
  }

  @Test(
    "a change that is accepted by an answer without the item is done if the server has the row",
    arguments: [true, false])
  func emptyAnswer(isStored: Bool) async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    if isStored { server.put(id, ["text": .text("milk"), "complete": .bool(false)]) }
    server.fail(.answer(.accepted(nil)))
    await device.sync(pulls: false)
    #expect(try device.operations().isEmpty == isStored)
    #expect(try device.errors().map(\.kind) == (isStored ? [] : [.refused]))
    #expect(try device.texts() == [id: "milk"])
  }

  @Test("an update that is answered with a deleted item has met a deletion, and nothing is lost")
  func answeredDeleted() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    server.remove(id)
    var tombstone = try #require(try server.read(id, in: "TodoItem"))
    tombstone.values["text"] = .text("oat milk")
    server.fail(.answer(.accepted(tombstone)))
    #expect(await device.sync(pulls: false).push.conflicts == 1)
    #expect(try device.texts() == [id: "oat milk"])
  }

  @Test("a conflict that comes without the server's copy: the copy is asked for")
  func conflictWithoutCopy() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    server.fail(.answer(.conflict(status: 412, nil)))
    await device.sync(pulls: false)
    #expect(server.requests.last == "GET \(id)")
    #expect(try device.errors().map(\.serverItem) == [server.rows[id]])
  }

  @Test("a change that is refused for the want of a later one is sent again once the later one is there")
  func refusedForTheWantOfAnother() async throws {
    let device = try TestDevice(server)
    try device.add("child")
    try device.add("parent")
    server.fail(.answer(.refused(status: 400, message: "no such parent")))
    let report = await device.sync(pulls: false)
    #expect(report.push.accepted == 2)
    #expect(report.push.refused == 0)
    #expect(try device.errors().isEmpty)
  }

  @Test("a change that is refused whatever else is there is sent twice in a push, and no more")
  func refusedAnyway() async throws {
    let device = try TestDevice(server)
    let bad = try device.add("bad")
    try device.add("good")
    let no = FakeServer.Fault.answer(.refused(status: 400, message: "no"))
    server.fail(no, .pass, no, no)
    let report = await device.sync(pulls: false)
    #expect(report.push.refused == 1)
    #expect(server.requests.count { $0 == "POST \(bad)" } == 2)
    #expect(try device.errors().map(\.itemID) == [bad])
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
}
