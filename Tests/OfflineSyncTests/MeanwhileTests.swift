import OfflineSync
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("Changes made here while a sync runs")
struct MeanwhileTests {
  private let server = FakeServer()

  /// Syncs, and does this on the way, when the server gets its first request of this kind.
  private func sync(
    _ device: TestDevice, at kind: String, _ change: @escaping @Sendable () throws -> Void
  ) async throws -> SyncReport {
    let isDone = Mutex(false)
    let trouble = Mutex<String?>(nil)
    server.onRequest { request in
      let isFirst = isDone.withLock { done in
        defer { done = done || request.hasPrefix(kind) }
        return !done && request.hasPrefix(kind)
      }
      guard isFirst else { return }
      do { try change() } catch { trouble.withLock { $0 = "\(error)" } }
    }
    let report = await device.sync()
    server.onRequest(nil)
    #expect(trouble.withLock(\.self) == nil)
    return report
  }

  @Test("an item that is edited or added while the server is first asked who it is goes up as it is then")
  func changedWhileAsked() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.onIdentify {
      _ = try? device.edit(id, "oat milk")
      _ = try? device.add("bread")
    }
    await device.sync()
    #expect(server.rows.values.compactMap { $0.values["text"]?.text }.sorted() == ["bread", "oat milk"])
    #expect(server.requests.filter { $0.hasPrefix("POST") }.count == 2, "each is sent once")
    #expect(try device.operations().isEmpty)
  }

  @Test("an item added during a pull is there, and waits")
  func addedDuringPull() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    let report = try await sync(device, at: "LIST") { try device.add("bread") }
    #expect(report.failure == nil)
    #expect(try device.texts().values.sorted() == ["bread", "milk"])
    #expect(try device.operations().map(\.kind) == [.insert])
  }

  @Test("an item edited during the pull that brings a newer one keeps the edit")
  func editedDuringPull() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    await device.sync()
    server.put("a", ["text": .text("rice milk")])
    _ = try await sync(device, at: "LIST") { try device.edit("a", "oat milk") }
    #expect(try device.texts() == ["a": "oat milk"])
    #expect(try device.operations().map(\.kind) == [.update])
    #expect(try device.errors().map(\.serverItem?.values["text"]) == [.text("rice milk")], "it is known at once")
    let before = server.requests.count
    await device.sync()
    #expect(server.requests.dropFirst(before) == ["LIST"], "and nothing is sent before somebody decided")
  }

  @Test("an item deleted during the pull that brings a newer one stays deleted")
  func deletedDuringPull() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    await device.sync()
    server.put("a", ["text": .text("rice milk")])
    _ = try await sync(device, at: "LIST") { try device.table.delete("a") }
    #expect(try device.texts().isEmpty)
    #expect(try device.operations().map(\.kind) == [.delete])
  }

  @Test("an edit during the request of the item's insert is sent after it, without a conflict")
  func editedDuringPush() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    let report = try await sync(device, at: "POST") { try device.edit(id, "oat milk") }
    #expect(report.push.conflicts == 0)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.texts() == [id: "oat milk"])
    #expect(try device.operations().isEmpty)
  }

  @Test("an edit during the request of an earlier edit goes out with the version that one made")
  func editedDuringEdit() async throws {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    _ = try await sync(device, at: "PUT") { try device.edit(id, "rice milk") }
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("rice milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("an item that is edited each time it is sent is sent again each time, and the sync does not fail for that")
  func editedEachTime() async throws {
    let server = server
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "milk 0")
    server.onRequest { request in
      let earlier = server.requests.count { $0.hasPrefix("PUT") }
      guard request.hasPrefix("PUT"), earlier < 6 else { return }
      try? device.edit(id, "milk \(earlier + 1)")
    }
    #expect(await device.sync(pulls: false).failure == nil)
    server.onRequest(nil)
    #expect(server.requests.count { $0.hasPrefix("PUT") } == 7)
    #expect(server.rows[id]?.values["text"] == .text("milk 6"))
    #expect(try device.operations().isEmpty)
  }

  @Test("a delete during the request of the item's insert is sent after it")
  func deletedDuringPush() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    _ = try await sync(device, at: "POST") { try device.table.delete(id) }
    await device.sync()
    #expect(server.rows.isEmpty)
    #expect(try device.texts().isEmpty)
    #expect(try device.operations().isEmpty)
  }

  @Test("what was changed three times while the first change travels is sent as two")
  func threeDeep() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    _ = try await sync(device, at: "POST") {
      try device.edit(id, "oat milk")
      try device.edit(id, "rice milk")
      try device.table.delete(id)
      #expect(try device.operations().map(\.kind) == [.insert, .delete])
    }
    await device.sync()
    #expect(server.requests.filter { $0.hasSuffix(id.text) } == ["POST \(id)", "DELETE \(id)"])
    #expect(server.rows.isEmpty)
  }
}
