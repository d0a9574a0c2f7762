import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import Testing

@Suite("What waits, and giving it up")
struct OutboxTests {
  let server = FakeServer()

  private func expectQuiet(_ device: TestDevice, _ texts: [RecordID: String]) async throws {
    #expect(try device.texts() == texts)
    #expect(await device.sync().failure == nil)
    #expect(await device.sync().failure == nil)
    #expect(try device.operations().isEmpty)
    #expect(try device.texts() == texts)
    #expect(server.rows.filter { !$0.value.system.deleted }.compactMapValues { $0.values["text"]?.text } == texts)
  }

  @Test("is listed by item, in the order of sending, at most so many")
  func order() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    let first = try device.add("bread")
    try device.edit(id, "oat milk")
    let third = try device.add("apples")
    try device.edit(first, "rye bread")
    let pending = try device.table.pending(limit: 10)
    #expect(pending.map(\.itemID) == [first, id, third])
    #expect(pending.map { $0.base?.values["text"] } == [nil, .text("milk"), nil])
    #expect(pending.map { $0.mine?.values["text"] } == [.text("rye bread"), .text("oat milk"), .text("apples")])
    #expect(try device.table.pending(limit: 2).map(\.itemID) == [first, id])
    #expect(try device.table.pendingItemCount() == 3)
  }

  @Test("an insert that was never sent disappears, and comes back with undo")
  func insert() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    #expect(try device.table.drop(id))
    #expect(try device.texts().isEmpty && device.operations().isEmpty)
    #expect(try device.table.undo()?.obstacle == nil)
    try await expectQuiet(device, [id: "milk"])
    #expect(try !device.table.drop(id))
  }

  @Test("an edit and a delete become what the server has", arguments: [true, false])
  func changed(isDelete: Bool) async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    if isDelete { try device.table.delete(id) }
    #expect(try device.table.drop(id))
    #expect(try device.operations().isEmpty)
    let before = server.requests.count
    try await expectQuiet(device, [id: "milk"])
    #expect(server.requests.dropFirst(before).allSatisfy { $0 == "LIST" })
    #expect(try device.table.undo()?.obstacle == nil)
    try await expectQuiet(device, isDelete ? [:] : [id: "oat milk"])
  }

  @Test("what a pull kept aside of the server's is what it becomes")
  func shadow() async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync(pushes: false)
    #expect(try device.table.pending(limit: 1).first?.base?.values["text"] == .text("milk"))
    #expect(try device.table.drop(id))
    try await expectQuiet(device, [id: "rice milk"])
  }

  @Test("a conflict becomes theirs, also where they deleted it, and undo asks again", arguments: ["rice milk", nil])
  func conflict(theirs: String?) async throws {
    let (device, id) = try await TestDevice.withItem(mine: "oat milk", theirs: theirs, on: server)
    await device.sync()
    #expect(try device.errors().count == 1)
    #expect(try device.table.drop(id))
    #expect(try device.errors().isEmpty)
    try await expectQuiet(device, theirs.map { [id: $0] } ?? [:])
    #expect(try device.table.undo()?.obstacle == nil)
    #expect(try device.table.conflicts().map(\.itemID) == [id])
    try device.table.resolve(id, .mine)
    try await expectQuiet(device, [id: "oat milk"])
  }

  @Test(
    "one that was sent and got no answer is taken back by another, whether the server took it or not",
    arguments: [true, false], TableOperation.Kind.allCases)
  func attempted(isTaken: Bool, kind: TableOperation.Kind) async throws {
    let (device, known) = try await TestDevice.withItem(on: server)
    var id = known
    switch kind {
    case .insert: id = try device.add("bread")
    case .update: try device.edit(id, "oat milk")
    case .delete: try device.table.delete(id)
    }
    try mark(device)
    if isTaken { take(kind, id) }
    #expect(try device.table.drop(id))
    #expect(try !device.operations().isEmpty, "it may have been taken")
    try await expectQuiet(device, [known: "milk"])
    #expect(try device.table.undo()?.obstacle == nil)
    var undone = [known: "milk"]
    switch kind {
    case .insert: undone[id] = "bread"
    case .update: undone[id] = "oat milk"
    case .delete: undone[id] = nil
    }
    try await expectQuiet(device, undone)
  }

  /// As a push leaves it that died on the way.
  private func mark(_ device: TestDevice) throws {
    let store: any LocalStore = device.store
    try store.write { store in try store.mark(try store.operations(after: 0, limit: 10).map(\.id)) }
  }

  private func take(_ kind: TableOperation.Kind, _ id: RecordID) {
    switch kind {
    case .insert: server.put(id, ["text": .text("bread"), "complete": .bool(false)])
    case .update: server.put(id, ["text": .text("oat milk")])
    case .delete: server.remove(id)
    }
  }
}
