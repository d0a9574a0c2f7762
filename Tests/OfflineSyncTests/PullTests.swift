import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import Testing

@Suite("Pulling what changed")
struct PullTests {
  let server = FakeServer()

  @Test("a pull that is cut says how many items it brought before")
  func countsWhatItBrought() async throws {
    let server = FakeServer(pageCap: 1)
    for id: RecordID in ["a", "b"] { server.put(id, ["text": .text("milk")]) }
    let device = try TestDevice(server)
    server.fail(.pass, .unreachable)
    let report = await device.sync()
    #expect(report.failure != nil)
    #expect(report.pulled == 1)
    #expect(try device.texts().count == 1)
  }

  @Test("a copy without columns, again and again, makes no change of one's own")
  func withoutColumns() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    for _ in 0..<3 {
      server.put("a", [:])
      await device.sync()
      #expect(try device.operations().isEmpty)
    }
    #expect(server.requests.allSatisfy { $0.hasPrefix("GET") || $0.hasPrefix("LIST") }, "\(server.requests)")
  }

  @Test("rows of the server come here, and the token says how far", arguments: [1, 2, 3, 7, 100])
  func pages(pageSize: Int) async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: pageSize, overlapMilliseconds: 0))
    for number in 0..<7 { server.put("item\(number)", ["text": .text("text \(number)")]) }
    let report = await device.sync()
    #expect(report.failure == nil)
    #expect(report.pulled == 7)
    #expect(try device.texts().count == 7)
    #expect(try device.token()?.timestamp == server.rows["item6"]?.system.updatedAt)
  }

  @Test("nothing new is one request, and nothing is written")
  func nothingNew() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    await device.sync()
    let before = server.requests.count
    let report = await device.sync()
    #expect(server.requests.dropFirst(before) == ["LIST"])
    #expect(report.pulled == 0)
  }

  @Test("an item deleted elsewhere goes here")
  func tombstone() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    await device.sync()
    server.remove("a")
    let report = await device.sync()
    #expect(report.pulled == 1)
    #expect(try device.texts().isEmpty)
  }

  @Test("a row with a pending change keeps it")
  func pendingChangeWins() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    await device.sync()
    try device.edit("a", "oat milk")
    server.put("a", ["text": .text("rice milk")])
    await device.sync(pushes: false)
    #expect(try device.texts() == ["a": "oat milk"])
    #expect(try device.operations().count == 1)
  }

  @Test("what a pull passed over is there when the pending change is taken back")
  func shadow() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    await device.sync()
    try device.edit("a", "oat milk")
    server.put("a", ["text": .text("rice milk")])
    await device.sync(pushes: false)
    try device.edit("a", "milk")
    #expect(try device.operations().isEmpty)
    #expect(try device.texts() == ["a": "rice milk"])
  }

  @Test("a pull that is cut in the middle goes on from there")
  func cut() async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 2, overlapMilliseconds: 0))
    for number in 0..<6 { server.put("item\(number)", ["text": .text("\(number)")]) }
    server.fail(.pass, .unreachable)
    let report = await device.sync()
    #expect(report.failure != nil)
    #expect(try device.texts().count == 2)
    await device.sync()
    #expect(try device.texts().count == 6)
  }

  @Test("a refresh with no server at all says so and is not noted as one")
  func noServer() async throws {
    let device = try TestDevice(UnconfiguredRemoteTable())
    let report = await device.sync()
    #expect(report.failure == .remote(RemoteFailure(.noServer, mayHaveActed: false)))
    let store: any LocalStore = device.store
    let lastPush = try store.read { try $0.fact(SyncFact.lastPush) }
    #expect(lastPush == nil)
  }

  @Test("a refresh that waits for a sign-in asks the server nothing and changes nothing")
  func noSignIn() async throws {
    let server = FakeServer()
    let device = try TestDevice(WithoutSignIn(base: server))
    try device.add("milk")
    let report = await device.sync()
    #expect(report.failure == .remote(RemoteFailure(.signInNeeded, mayHaveActed: false)))
    #expect(server.requests.isEmpty && server.rows.isEmpty)
  }

  @Test("two devices end with the same items")
  func twoDevices() async throws {
    let one = try TestDevice(server)
    let two = try TestDevice(server)
    let milk: RecordID = "11111111-milk"
    let bread: RecordID = "22222222-bread"
    try one.table.insert(Record(id: milk, values: ["text": .text("milk")]))
    try two.table.insert(Record(id: bread, values: ["text": .text("bread")]))
    await one.sync()
    await two.sync()
    try two.edit(milk, "oat milk")
    try two.table.delete(bread)
    await two.sync()
    await one.sync()
    #expect(try one.texts() == [milk: "oat milk"])
    #expect(try two.texts() == [milk: "oat milk"])
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
}

/// A server that asks for a sign-in, on a device that has none.
private struct WithoutSignIn: ForwardingTable {
  let base: any RemoteTable

  func renewSignIn(of user: SignInUser) throws(RemoteFailure) -> Bool {
    throw RemoteFailure(.signInNeeded, mayHaveActed: false)
  }
}
