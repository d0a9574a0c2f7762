import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("The journal of local changes")
struct JournalTests {
  let server = FakeServer()

  @Test("an added row and its operation are there together, also after a restart")
  func insertSurvives() throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    let again = try device.restarted(server)
    #expect(try again.texts() == [id: "milk"])
    #expect(try again.operations().map(\.kind) == [.insert])
  }

  @Test("an edit of a row that waits to be inserted changes only the row")
  func insertThenUpdate() throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    try device.edit(id, "oat milk")
    #expect(try device.operations().map(\.kind) == [.insert])
    #expect(try device.texts() == [id: "oat milk"])
  }

  @Test("a text with U+0000, which no side could keep whole, is refused wherever it is entered, and nothing changes")
  func nullCharacter() throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    let bad = ["text": FieldValue.text("mi\0lk")]
    let refusal = SyncTableError.nullCharacter
    #expect(throws: refusal) { try device.table.insert(bad) }
    #expect(throws: refusal) { try device.table.insert(Record(id: "other", values: bad)) }
    #expect(throws: refusal) { try device.table.insert([bad, ["text": .text("x")]]) }
    #expect(throws: refusal) { try device.table.update(id, bad) }
    #expect(throws: refusal) { try device.table.update([id]) { _ in bad } }
    #expect(try device.texts() == [id: "milk"] && device.operations().count == 1)
  }

  @Test("adding and deleting before a push leaves nothing to send")
  func insertThenDelete() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    try device.table.delete(id)
    #expect(try device.operations().isEmpty)
    await device.sync()
    #expect(server.requests == ["LIST"])
  }

  @Test("an edit keeps the server's copy it started from")
  func base() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    try device.edit(id, "rice milk")
    let operations = try device.operations()
    #expect(operations.map(\.kind) == [.update])
    #expect(operations.first?.base?.values["text"] == .text("milk"))
    #expect(operations.first?.base?.system.version == server.rows[id]?.system.version)
  }

  @Test("an edit taken back by hand leaves nothing to send")
  func editAndBack() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    try device.edit(id, "milk")
    #expect(try device.operations().isEmpty)
  }

  @Test("a change that changes nothing is not journalled")
  func noChange() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "milk")
    #expect(try device.operations().isEmpty)
  }

  @Test("an edited row that is deleted is sent as one delete, in the place of the edit")
  func updateThenDelete() async throws {
    let device = try TestDevice(server)
    let first = try device.add("milk")
    await device.sync()
    try device.edit(first, "oat milk")
    let second = try device.add("bread")
    try device.table.delete(first)
    #expect(try device.operations().map(\.itemID) == [first, second])
    #expect(try device.operations().map(\.kind) == [.delete, .insert])
  }

  @Test("a delete that was not sent is taken back by adding the row again")
  func deleteThenInsert() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    let row = try #require(try device.table.read(id))
    try device.table.delete(id)
    try device.table.insert(row)
    #expect(try device.operations().isEmpty)
    #expect(try device.texts() == [id: "milk"])
  }

  @Test("a row that is not there can't be changed, and nothing is journalled")
  func unknown() throws {
    let device = try TestDevice(server)
    #expect(throws: SyncTableError.notFound) { try device.edit("nobody", "x") }
    #expect(throws: SyncTableError.notFound) { try device.table.delete("nobody") }
    #expect(try device.operations().isEmpty)
  }

  @Test("an id the protocol forbids is refused before anything is written", arguments: ["", "a/b", "..", "a\"b"])
  func badID(id: RecordID) throws {
    let device = try TestDevice(server)
    #expect(throws: SyncTableError.invalidID) { try device.table.insert(Record(id: id)) }
    #expect(try device.texts().isEmpty)
  }

  @Test("adding a row that is there is refused and leaves it as it was")
  func twice() throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    #expect(throws: SyncTableError.exists) {
      try device.table.insert(Record(id: id, values: ["text": .text("other")]))
    }
    #expect(try device.texts() == [id: "milk"])
  }
}
