import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("An item added again under an id that was deleted before")
struct AddedAgainTests {
  private let server = FakeServer()

  private func add(_ text: String, to device: TestDevice) throws {
    try device.table.insert(Record(id: "a", values: ["text": .text(text), "complete": .bool(false)]))
  }

  private func expect(_ text: String, on device: TestDevice) async throws {
    let report = await device.sync()
    #expect(report.failure == nil && report.push.conflicts == 0 && report.push.refused == 0)
    #expect(server.rows["a"]?.values["text"] == .text(text))
    #expect(try device.texts() == ["a": text])
    #expect(try device.operations().isEmpty && device.errors().isEmpty)
  }

  @Test("lives again on the server, which has its tombstone", arguments: [false, true])
  func deletedThere(losesAnswer: Bool) async throws {
    let device = try TestDevice(server)
    try add("milk", to: device)
    await device.sync()
    try device.table.delete("a")
    await device.sync()
    try add("bread", to: device.restarted(server))
    if losesAnswer {
      server.fail(.pass, .lostAnswer)
      await device.sync()
    }
    try await expect("bread", on: device)
    #expect(server.requests.contains("UNDELETE a"))
  }

  @Test("is an update, when the deletion was not sent yet")
  func deletedHere() async throws {
    let device = try TestDevice(server)
    try add("milk", to: device)
    await device.sync()
    try device.table.delete("a")
    try add("bread", to: device)
    #expect(try device.operations().map(\.kind) == [.update])
    try await expect("bread", on: device)
    #expect(server.requests.contains("PUT a text"))
  }

  @Test("is new, when the server never heard of it")
  func neverSent() async throws {
    let device = try TestDevice(server)
    try add("milk", to: device)
    try device.table.delete("a")
    try add("bread", to: device)
    try await expect("bread", on: device)
    #expect(server.requests.first == "POST a")
  }

  @Test("lives again, when only the server knows that it was deleted once")
  func deletedByOthers() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk"), "complete": .bool(false)])
    server.remove("a")
    await device.sync()
    try add("milk", to: device)
    try await expect("milk", on: device)
  }

  @Test("is new, when the server forgot its tombstone")
  func forgottenThere() async throws {
    let device = try TestDevice(server)
    try add("milk", to: device)
    await device.sync()
    try device.table.delete("a")
    await device.sync()
    server.forget("a")
    try add("bread", to: device)
    try await expect("bread", on: device)
  }

  @Test("follows its deletion, when nobody knows whether that arrived", arguments: [true, false])
  func deletionLost(arrives: Bool) async throws {
    let device = try TestDevice(server)
    try add("milk", to: device)
    await device.sync()
    try device.table.delete("a")
    server.fail(
      arrives ? .lostAnswer : .failure(RemoteFailure(.unreachable("connection cut"), mayHaveActed: true)))
    await device.sync(pulls: false)
    try add("bread", to: device)
    #expect(try device.operations().map(\.kind) == [.delete, .insert])
    await device.sync()
    try await expect("bread", on: device)
  }

  @Test("an item deleted there and added again as it was lives again, unasked", arguments: [false, true])
  func addedUnchanged(losesAnswer: Bool) async throws {
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
}
