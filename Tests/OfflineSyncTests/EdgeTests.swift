import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import Testing

@Suite("What worlds with edges have taught")
struct EdgeTests {
  @Test("a first pull that is cut after a page knows which database the list is from (D20)")
  func namedDatabase() async throws {
    let server = FakeServer(database: "db-1", pageCap: 1)
    for id: RecordID in ["a", "b"] { server.put(id, ["text": .text("milk")]) }
    let device = try TestDevice(server)
    server.fail(.pass, .unreachable)
    #expect(await device.sync().failure != nil)
    #expect(try device.texts().count == 1)
    #expect(try device.store.read { try $0.fact(SyncFact.database(of: server.server)) } == "db-1")
  }

  @Test("a device that has sent a row and never pulled compares everything after 90 days (D22)")
  func neverPulled() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    let id = try device.add("milk")
    await device.sync(pulls: false)
    server.forget(id)
    device.world.advance(milliseconds: 91 * 86_400_000)
    await device.sync(allowsMassRemoval: true)
    #expect(try device.texts().isEmpty)
  }

  @Test("a row that comes back with a column that this table lacks is as it was seen: no news (D21)")
  func unknownColumn() async throws {
    let server = FakeServer()
    server.put("a", ["text": .text("milk"), "complete": .bool(false), "color": .text("red")])
    let device = try TestDevice(server)
    await device.sync()
    server.remove("a")
    await device.sync()
    #expect(try device.store.read { try $0.arrivals(in: "TodoItem") }.count == 1)
    server.put("a", ["text": .text("milk"), "complete": .bool(false), "color": .text("red")])
    await device.sync()
    #expect(try device.texts() == ["a": "milk"])
    #expect(try device.store.read { try $0.arrivals(in: "TodoItem") }.isEmpty)
  }

  @Test("a refused change whose second attempt in a push is cut is still counted as refused (D17)")
  func refusedOnce() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    try device.add("poison")
    try device.add("milk")
    server.fail(.answer(.refused(status: 400, message: "no")), .pass, .unreachable)
    let report = await device.sync(pulls: false)
    #expect((report.push.accepted, report.push.refused) == (1, 1))
    #expect(try device.errors().count == 1)
  }
}
