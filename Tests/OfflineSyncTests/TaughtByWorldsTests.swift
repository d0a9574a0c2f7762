import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("What simulated worlds have taught")
struct TaughtByWorldsTests {
  let server = FakeServer()

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

  @Test("a change that may have arrived stays frozen though its next attempt surely did not")
  func staysFrozen() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer, .unreachable)
    await device.sync()
    await device.sync()
    try device.edit(id, "oat milk")
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("an item deleted there and added again as it was lives again, unasked", arguments: [false, true])
  func addedAgain(losesAnswer: Bool) async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    let row = try #require(try device.table.read(id))
    try device.table.delete(id)
    await device.sync()
    try device.table.insert(row)
    if losesAnswer { server.fail(.lostAnswer) }
    await device.sync()
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("a copy kept aside does not replace a newer one")
  func staleShadow() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk"), "complete": .bool(false)])
    await device.sync()
    try device.edit("a", "oat milk")
    server.put("a", ["complete": .bool(true)])
    await device.sync(pushes: false)
    server.put("a", ["note": .text("news")])
    server.fail(.answer(.conflict(status: 412, try server.read("a", in: "TodoItem"))), .unreachable)
    await device.sync()
    try device.edit("a", "milk")
    await device.sync()
    #expect(try device.table.read("a")?.system.version == server.rows["a"]?.system.version)
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

  @Test("an older copy that a page passes over under a change is read again when the change is taken back")
  func passedOver() async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let device = try TestDevice(server)
    server.advance(milliseconds: 20_000)
    server.put("a", ["text": .text("milk"), "complete": .bool(false)])
    await device.sync()
    server.put("a", ["text": .text("oat milk")], at: server.clock.advanced(byMilliseconds: -10_000))
    server.onRequest { [device] _ in try? device.edit("a", "bread") }
    server.advance(milliseconds: 120_000)
    await device.sync(pushes: false)
    server.onRequest(nil)
    #expect(try device.texts()["a"] == "bread")
    _ = try device.table.undo()
    server.put("b", ["text": .text("jam"), "complete": .bool(false)])
    await device.sync()
    #expect(try device.texts() == ["a": "oat milk", "b": "jam"])
    let before = server.requests.count
    #expect(await device.sync().pulled == 0)
    #expect(server.requests.count == before + 1)
  }

  @Test("a delete that follows a lost insert does not take away what somebody made of the row")
  func deleteAfterLostInsert() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer)
    await device.sync()
    server.put(id, ["text": .text("oat milk")])
    try device.table.delete(id)
    let report = await device.sync()
    #expect(report.failure == nil)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.errors().count == 1)
  }
}
