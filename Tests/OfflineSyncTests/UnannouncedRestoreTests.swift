import SQLiteStore
import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("A server without epochs that went back to an older state")
struct UnannouncedRestoreTests {
  /// A server without epochs and order. After a backup an item was edited, one was deleted and one was added; then the
  /// backup was put back.
  private func putBack(_ server: FakeServer) async throws -> TestDevice {
    let device = try TestDevice(server)
    for id: RecordID in ["a", "b", "c"] { server.put(id, ["text": .text("old \(id)")]) }
    await device.sync()
    let backup = server.backUp()
    server.advance(milliseconds: 600_000)
    try device.edit("a", "new a")
    try device.table.delete("b")
    await device.sync()
    server.put("d", ["text": .text("new d")])
    await device.sync()
    server.restore(backup)
    server.advance(milliseconds: 600_000)
    return device
  }

  @Test("a server without epochs that went back is noticed, and nothing falls back unasked", arguments: [true, false])
  func wentBack(isFull: Bool) async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let device = try await putBack(server)
    let before = try device.texts()
    for _ in 0..<2 {
      let report = await device.sync(isFull: isFull, allowsMassRemoval: true)
      guard case .serverWentBack(let wentBack)? = report.failure else {
        Issue.record("\(String(describing: report.failure))")
        return
      }
      #expect(wentBack.items == 3)
      #expect(try device.texts() == before)
    }
    let all = PullQuery(table: "TodoItem", queryID: "all")
    let report = await device.sync(SyncRequest(pulls: [all], afterRestore: .sendBack))
    #expect(report.failure == nil && report.push.accepted == 3)
    #expect(server.rows.mapValues { $0.values["text"]?.text } == before.mapValues { $0 })
    #expect(await device.sync(isFull: true).failure == nil)
    #expect(try device.texts() == before)
  }

  @Test("a server without epochs that lost nothing but the newest edit is noticed too", arguments: [true, false])
  func lostNewestEdit(isFull: Bool) async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let device = try TestDevice(server)
    for id: RecordID in ["a", "b"] { server.put(id, ["text": .text("old \(id)")]) }
    await device.sync()
    let backup = server.backUp()
    server.advance(milliseconds: 600_000)
    try device.edit("a", "new a")
    await device.sync()
    server.restore(backup)
    server.advance(milliseconds: 600_000)
    let report = await device.sync(isFull: isFull)
    guard case .serverWentBack(let wentBack)? = report.failure else {
      Issue.record("\(String(describing: report.failure))")
      return
    }
    #expect(wentBack.items == 1)
    #expect(try device.texts() == ["a": "new a", "b": "old b"])
  }

  @Test("an old list from something on the way is no server that went back, and takes nothing back")
  func oldList() async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let old = FakeServer(manners: .init { $0.saysTime = true })
    let device = try await putBack(old)
    for row in old.rows.values { server.put(row.id, row.values, at: row.system.updatedAt) }
    let before = try device.texts()
    for id: RecordID in ["a", "d"] { server.put(id, ["text": .text(before[id] ?? "")]) }
    server.remove("b")
    let listing = ListingServer(base: server) { _, query, link throws(RemoteFailure) in
      try old.page(query, at: link)
    }
    let behind = try device.restarted(listing)
    let report = await behind.sync(pushes: false, isFull: true)
    #expect(report.failure != nil || report.pulled == 0)
    #expect(try behind.texts() == before)
  }

  @Test("a deletion that the server lost is not undone unasked, if the list had moved to another address before it")
  func movedBefore() async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let device = try TestDevice(server)
    for id: RecordID in ["a", "b"] { server.put(id, ["text": .text("old \(id)")]) }
    await device.sync()
    try device.store.write { try $0.voidVersions(of: "TodoItem", TestEnvironment().environment) }
    let backup = server.backUp()
    server.advance(milliseconds: 600_000)
    try device.edit("a", "new a")
    try device.table.delete("b")
    await device.sync()
    server.restore(backup)
    server.advance(milliseconds: 600_000)
    guard case .serverWentBack(let wentBack)? = await device.sync(isFull: true).failure else {
      Issue.record("the restore was not noticed")
      return
    }
    #expect(wentBack.items == 2)
    #expect(try device.texts() == ["a": "new a"])
  }

  @Test(
    "a change that meets the older copy before any list was read is a question, and mine is sent as it is (D38)",
    arguments: [true, false])
  func editedBeforeHeard(answerHoldsCopy: Bool) async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let device = try TestDevice(server)
    server.put("a", ["text": .text("call Bob"), "complete": .bool(false)])
    await device.sync()
    let backup = server.backUp()
    server.advance(milliseconds: 600_000)
    server.put("a", ["text": .text("call Bob at noon"), "complete": .bool(true)])
    await device.sync()
    try device.edit("a", "please call Bob at noon")
    server.restore(backup)
    server.advance(milliseconds: 600_000)
    if !answerHoldsCopy { server.fail(.answer(.conflict(status: 412, nil))) }
    #expect(await device.sync().push.conflicts == 1)
    #expect(try device.texts() == ["a": "please call Bob at noon"])
    #expect(server.rows["a"]?.values["text"]?.text == "call Bob")
    try device.table.resolve("a", .mine)
    #expect(await device.sync().push.accepted == 1)
    #expect(server.rows["a"]?.values == ["text": .text("please call Bob at noon"), "complete": .bool(true)])
  }

  @Test("an older copy within the time that rows may be late is somebody's change, and is merged with mine")
  func lateCopy() async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let device = try TestDevice(server)
    server.put("a", ["text": .text("call Bob at noon")])
    await device.sync()
    try device.edit("a", "please call Bob at noon")
    server.put("a", ["text": .text("call Bob")], at: server.clock.advanced(byMilliseconds: -10_000))
    #expect(await device.sync().push.conflicts == 0)
    #expect(try device.texts() == ["a": "please call Bob"])
  }
}
