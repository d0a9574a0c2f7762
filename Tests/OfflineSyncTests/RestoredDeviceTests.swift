import Support
import TableProtocol
import Testing

@testable import OfflineSync

/// A device that was put back from a backup sends a new item again which it sent before: the server has an earlier
/// text.
@Suite("D27: a device that was put back from a backup")
struct RestoredDeviceTests {
  private let server = FakeServer()
  private let cut = FakeServer.Fault.failure(RemoteFailure(.unreachable("cut"), mayHaveActed: true))

  /// A device with an item that the server has as "milk", that the device takes for new, and that is "oat milk" here.
  private func device() throws -> (TestDevice, RecordID) {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.put(id, ["text": .text("milk"), "complete": .bool(false)])
    try device.edit(id, "oat milk")
    return (device, id)
  }

  /// A device whose item was "milk" before it was sent as "oat milk", and that got no answer.
  private func sentDevice() async throws -> (TestDevice, RecordID) {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    try device.edit(id, "oat milk")
    server.fail(.lostAnswer)
    await device.sync()
    return (device, id)
  }

  @Test("an edit is sent over the earlier text of the item, also if the first request got no answer")
  func earlierText() async throws {
    let (device, id) = try device()
    server.fail(cut)
    await device.sync()
    #expect(try device.operations().map(\.isMarked) == [true])
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.texts() == [id: "oat milk"])
    #expect(try device.operations().isEmpty)
  }

  @Test("it merges with what others made of the earlier text, by an answer or by a page", arguments: [false, true])
  func changedByOthers(comesByPage: Bool) async throws {
    let (device, id) = try device()
    server.put(id, ["text": .text("milk for Ann")])
    server.fail(cut)
    await device.sync()
    if comesByPage { await device.sync(pushes: false) }
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("oat milk for Ann"))
    #expect(try device.texts() == [id: "oat milk for Ann"])
  }

  @Test("if the two do not fit together, a person is asked")
  func clash() async throws {
    let (device, id) = try device()
    server.put(id, ["text": .text("soy milk")])
    server.fail(cut)
    await device.sync()
    #expect(await device.sync().push.conflicts == 1)
    #expect(try device.texts() == [id: "oat milk"])
    #expect(server.rows[id]?.values["text"] == .text("soy milk"))
  }

  @Test("a deletion behind the edit deletes the earlier text too")
  func deleted() async throws {
    let (device, id) = try device()
    server.fail(cut)
    await device.sync()
    try device.table.delete(id)
    #expect(await device.sync().push.conflicts == 0)
    #expect(server.rows.isEmpty)
    #expect(try device.operations().isEmpty)
  }

  @Test("if others deleted the earlier text, a person is asked")
  func deletedByOthers() async throws {
    let (device, id) = try device()
    server.remove(id)
    server.fail(cut)
    await device.sync()
    #expect(await device.sync().push.conflicts == 1)
    #expect(try device.texts() == [id: "oat milk"])
  }

  @Test("if they deleted the text that was sent, it goes")
  func deletedAfterArrival() async throws {
    let (device, id) = try await sentDevice()
    server.remove(id)
    #expect(await device.sync().push.conflicts == 0)
    #expect(try device.texts().isEmpty)
  }

  @Test("what others made of the text that was sent is taken as it is, whatever the item was before")
  func arrived() async throws {
    let (device, id) = try await sentDevice()
    server.put(id, ["text": .text("two oat"), "complete": .bool(true)])
    #expect(await device.sync().push.conflicts == 0)
    #expect(try device.texts() == [id: "two oat"])
    #expect(try device.operations().isEmpty)
  }

  @Test(
    "words tell which text a copy was made from",
    arguments: [
      (["milk"], "oat milk", "milk", "milk"), (["milk"], "oat milk", "oat milk now", "oat milk"),
      (["milk"], "oat milk", "cheese", "milk"), (["milk", "soy milk"], "oat milk", "soy drink", "soy milk"),
      (["milk", "soy milk"], "oat milk", "milk", "milk"), ([], "oat milk", "cheese", "oat milk"),
      (["milk", "oat milk", "milk"], "oat milk", "milk", "milk"),
      (["milk tea", "milk"], "milk tea bag", "milk tea", "milk tea"),
      (["milk bread"], "milk", "milk eggs", "milk"), (["milk bread"], "milk", "bread", "milk bread"),
      (["by milk"], "buy milk", "get milk", "by milk"), (["milk"], "milk", "cheese", "milk"),
    ])
  func origin(earlier: [String], sent: String, copy: String, expected: String) {
    func columns(_ text: String) -> Columns { ["text": .text(text), "complete": .bool(false)] }
    let states = earlier.map(columns)
    let origin = expected == sent ? InsertOrigin.sent : .earlier(columns(expected))
    #expect(InsertOrigin.of(columns(copy), sent: columns(sent), earlier: states) == origin)
  }

  @Test("if only the completion of a new item was changed before it was sent, another's is not overwritten unasked")
  func completion() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    try device.table.update(id, ["complete": .bool(true)])
    server.fail(.lostAnswer)
    await device.sync()
    server.put(id, ["complete": .bool(false)])
    #expect(await device.sync().push.conflicts == 1)
    #expect(server.rows[id]?.values["complete"] == .bool(false))
  }
}
