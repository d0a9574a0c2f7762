import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import Testing

@Suite("Purging a table")
struct PurgeTests {
  private let server = FakeServer()

  @Test("removes the rows here and nowhere else, and the next pull brings them again")
  func plain() async throws {
    let device = try TestDevice(server)
    for number in 0..<3 { try device.add("\(number)") }
    await device.sync()
    #expect(try await device.purge().get().rows == 3)
    #expect(try device.texts().isEmpty)
    #expect(try device.token() == nil)
    #expect(server.rows.count == 3)
    await device.sync()
    #expect(try device.texts().count == 3)
  }

  @Test("forgets when queries were pulled, what stopped pulls had to ask, and where tokens were before a push")
  func pullFacts() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    await device.sync()
    let facts = [
      SyncFact.agreement(on: "TodoItem"), SyncFact.deletions(in: "TodoItem"), "before push TodoItem", "pulls TodoItem",
    ]
    try device.store.write { store in for fact in facts { try store.setFact(fact, "1") } }
    _ = try await device.purge().get()
    #expect(try device.store.read { store in try facts.compactMap { try store.fact($0) } } == [])
  }

  @Test("and a pull after it that is interrupted goes on where it was, though the rows have one time")
  func interruptedAfterwards() async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let device = try TestDevice(server, settings: PullSettings(pageSize: 2))
    for number in 0..<6 { server.put("item\(number)", ["text": .text("\(number)")], at: server.clock) }
    let time = server.clock
    for number in 0..<6 { server.put("item\(number)", [:], at: time) }
    await device.sync()
    server.advance(milliseconds: 120_000)
    await device.sync()
    _ = try await device.purge().get()
    server.fail(.pass, .unreachable)
    await device.sync()
    #expect(try device.texts().count == 2)
    await device.sync()
    #expect(try device.texts().count == 6)
  }

  @Test("is refused while a change waits, and then changes nothing")
  func refused() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    await device.sync()
    try device.add("bread")
    await #expect(throws: PurgeRefused(pending: 1)) { try await device.purge().get() }
    #expect(try device.texts().count == 2)
    #expect(try device.token() != nil)
  }

  @Test("a conflict is counted apart from what was never sent: a sync does not send it")
  func conflict() async throws {
    let (device, _) = try await TestDevice.withItem(mine: "oat milk", theirs: "rice milk", on: server)
    await device.sync()
    #expect(try device.errors().map(\.kind) == [.conflict])
    await #expect(throws: PurgeRefused(pending: 0, conflicts: 1)) { try await device.purge().get() }
    try device.add("bread")
    await #expect(throws: PurgeRefused(pending: 1, conflicts: 1)) { try await device.purge().get() }
    #expect(try await device.purge(forced: true).get().changes == 2)
  }

  @Test("forced, drops what waits with all that was recorded of it, and says how much that was")
  func forced() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    await device.sync()
    server.fail(.answer(.refused(status: 400, message: "no")))
    try device.edit(id, "oat milk")
    await device.sync(pulls: false)
    #expect(try device.errors().count == 1)
    let report = try await device.purge(forced: true).get()
    #expect(report.rows == 1)
    #expect(report.changes == 1)
    #expect(try device.errors().isEmpty)
    #expect(try device.operations().isEmpty)
    await device.sync()
    #expect(try device.texts() == [id: "milk"])
  }

  @Test("what went that way can't be undone")
  func history() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    await device.sync()
    _ = try await device.purge().get()
    #expect(try device.table.undo() == nil)
  }

  @Test("takes its turn after a sync that was asked for before")
  func inTurn() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    async let synced = device.sync()
    await Task.yield()
    _ = await synced
    #expect(try await device.purge().get().rows == 1)
    #expect(server.rows.count == 1)
  }
}
