import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import Testing

@Suite("Two devices, one item")
struct ConflictTests {
  let server = FakeServer()

  /// A device with one synced item, which was then changed on the server and here.
  private func device(
    text: String = "milk", mine: String? = "oat milk", theirs: String? = "rice milk"
  ) async throws -> (TestDevice, RecordID) {
    try await TestDevice.withItem(text, mine: mine, theirs: theirs, on: server)
  }

  @Test("different columns are merged, and nobody is asked")
  func columns() async throws {
    let (device, id) = try await device(mine: "oat milk", theirs: "milk")
    server.put(id, ["complete": .bool(true)])
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values == ["text": .text("oat milk"), "complete": .bool(true)])
    #expect(try device.table.read(id)?.values == server.rows[id]?.values)
    #expect(try device.operations().isEmpty)
  }

  @Test("if the other device takes its deletion back, the conflict ends and mine is sent in the same sync")
  func takenBack() async throws {
    let (device, id) = try await device(theirs: nil)
    await device.sync()
    #expect(try device.table.conflicts().count == 1)
    server.put(id, ["text": .text("milk")])
    let report = await device.sync()
    #expect(report.push.accepted == 1)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("an edit that meets a newer copy each time it is sent fails no sync, and goes out with the next one")
  func busyOthers() async throws {
    let server = server
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    server.onRequest { request in
      guard request.hasPrefix("PUT") else { return }
      server.put(id, ["complete": .bool(server.requests.count % 2 == 0)])
    }
    try device.store.write { try $0.removeFact(SyncFact.lastPush) }
    let report = await device.sync(pulls: false)
    server.onRequest(nil)
    #expect(report.failure == nil && report.push.conflicts == 0 && report.leavesChanges)
    #expect(server.requests.count { $0.hasPrefix("PUT") } == 5)
    #expect(try device.operations().map(\.itemID) == [id])
    #expect(try device.store.read { try $0.fact(SyncFact.lastPush) } == nil, "something is left to send")
    let next = await device.sync()
    #expect(next.failure == nil && !next.leavesChanges)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("edits of different words of one text are merged")
  func words() async throws {
    let (device, id) = try await device(
      text: "call the bank about the loan", mine: "phone the bank about the loan",
      theirs: "call the bank about the mortgage")
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(try device.texts()[id] == "phone the bank about the mortgage")
    #expect(server.rows[id]?.values["text"] == .text("phone the bank about the mortgage"))
  }

  @Test("a conflict has base, mine and theirs, also after a restart")
  func copies() async throws {
    let (device, _) = try await device()
    await device.sync()
    let conflict = try #require(try device.restarted(server).table.conflicts().first)
    #expect(conflict.base?.values["text"] == .text("milk"))
    #expect(conflict.mine?.values["text"] == .text("oat milk"))
    #expect(conflict.theirs?.values["text"] == .text("rice milk"))
  }

  @Test("mine: the server gets what is here")
  func keepMine() async throws {
    let (device, id) = try await device()
    await device.sync()
    try device.table.resolve(id, .mine)
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("mine keeps what I changed; of the rest the server's stays")
  func keepMineOnly() async throws {
    let (device, id) = try await device()
    server.put(id, ["complete": .bool(true)])
    await device.sync()
    try device.table.resolve(id, .mine)
    await device.sync()
    #expect(server.rows[id]?.values == ["text": .text("oat milk"), "complete": .bool(true)])
    #expect(try device.table.read(id)?.values == server.rows[id]?.values)
  }

  @Test("theirs: what the server has comes here")
  func takeTheirs() async throws {
    let (device, id) = try await device()
    await device.sync()
    try device.table.resolve(id, .theirs)
    #expect(try device.texts() == [id: "rice milk"])
    #expect(try device.operations().isEmpty)
    let before = server.requests.count
    await device.sync()
    #expect(server.requests.dropFirst(before) == ["LIST"])
  }

  @Test("both: theirs stays and mine becomes an item of its own")
  func both() async throws {
    let (device, id) = try await device()
    await device.sync()
    try device.table.resolve(id, .both)
    await device.sync()
    #expect(Set(server.rows.values.compactMap { $0.values["text"]?.text }) == ["rice milk", "oat milk"])
    #expect(try device.texts()[id] == "rice milk")
  }

  @Test("a text of my own: both sides get it")
  func merged() async throws {
    let (device, id) = try await device()
    await device.sync()
    try device.table.resolve(id, .merged(["text": .text("oat and rice milk")]))
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat and rice milk"))
    #expect(try device.texts()[id] == "oat and rice milk")
  }

  @Test("edited here, deleted there: mine makes the item live again")
  func revive() async throws {
    let (device, id) = try await device(theirs: nil)
    #expect(await device.sync().push.conflicts == 1)
    try device.table.resolve(id, .mine)
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("edited here, deleted there: theirs deletes it here")
  func deleteHere() async throws {
    let (device, id) = try await device(theirs: nil)
    await device.sync()
    try device.table.resolve(id, .theirs)
    #expect(try device.texts().isEmpty)
    #expect(try device.operations().isEmpty)
  }

  @Test("deleted here, edited there is a conflict; mine deletes, theirs brings the edit")
  func deleteAgainstEdit() async throws {
    let (device, id) = try await device(mine: nil)
    #expect(await device.sync().push.conflicts == 1)
    #expect(server.rows[id] != nil)
    let copy = try device.table.conflicts()
    #expect(copy.first?.mine == nil)
    try device.table.resolve(id, .theirs)
    #expect(try device.texts() == [id: "rice milk"])
    try device.table.delete(id)
    await device.sync()
    #expect(server.rows.isEmpty)
  }

  @Test("deleted here, only touched there: the delete goes through without a question")
  func deleteOfTouched() async throws {
    let (device, id) = try await device(mine: nil, theirs: "milk")
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id] == nil)
    #expect(try device.operations().isEmpty)
  }

  @Test("a lost answer, a newer edit, and a change by somebody else at once: nothing is lost, nobody is asked")
  func lostAnswerAndNews() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    server.fail(.lostAnswer)
    await device.sync()
    try device.edit(id, "oat milk and bread")
    server.put(id, ["complete": .bool(true)])
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values == ["text": .text("oat milk and bread"), "complete": .bool(true)])
    #expect(try device.table.read(id)?.values == server.rows[id]?.values)
    #expect(try device.operations().isEmpty)
  }

  @Test("an insert whose answer was lost and that somebody deleted since goes here too")
  func lostInsertDeletedThere() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer)
    await device.sync()
    server.remove(id)
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(try device.texts().isEmpty)
    #expect(try device.operations().isEmpty)
  }

  @Test("a refused change that is dropped gives the row back as it was")
  func dropRefused() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "far too long")
    server.fail(.answer(.refused(status: 400, message: "too long")))
    await device.sync()
    try device.table.resolve(id, .theirs)
    #expect(try device.texts() == [id: "milk"])
    #expect(try device.operations().isEmpty)
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

  @Test("my text and theirs differ and my attempt was cut: a visible conflict, whichever was stored")
  func cutBeforeConflict() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    server.put(id, ["text": .text("rice milk")])
    try device.edit(id, "oat milk")
    server.fail(.failure(RemoteFailure(.unreachable("connection cut"), mayHaveActed: true)))
    await device.sync()
    let report = await device.sync()
    #expect(report.push.conflicts == 1)
    #expect(try device.texts()[id] == "oat milk")
  }

  @Test("an older copy in an answer of a server without order is merged with mine, and its next answer puts that right")
  func olderAnswer() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk"), "complete": .bool(false)])
    let old = try #require(server.rows["a"])
    await device.sync()
    try device.edit("a", "oat milk")
    server.put("a", ["complete": .bool(true)])
    await device.sync(pushes: false)
    #expect(try device.table.read("a")?.values == ["text": .text("oat milk"), "complete": .bool(true)])
    server.fail(.answer(.conflict(status: 412, old)), .unreachable)
    await device.sync()
    // Its clock may have stepped back, so that the older copy may be the newest one (I8).
    let between = try #require(try device.table.read("a"))
    #expect(between.system.version == old.system.version)
    #expect(between.values == ["text": .text("oat milk"), "complete": .bool(false)])
    let report = await device.sync()
    #expect(report.failure == nil && report.push.conflicts == 0)
    let row = try #require(try device.table.read("a"))
    #expect(row.values == ["text": .text("oat milk"), "complete": .bool(true)])
    #expect(server.rows["a"]?.values == row.values)
    #expect(server.rows["a"]?.system.version == row.system.version)
  }
}
