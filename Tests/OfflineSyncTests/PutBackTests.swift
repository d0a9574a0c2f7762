import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("An edit that is put back while nobody knows whether it arrived")
struct PutBackTests {
  private let server = FakeServer()

  /// Milk, changed to oat milk, sent into the unknown, and put back.
  private func device(arrives: Bool) async throws -> (TestDevice, RecordID) {
    let (device, id) = try await TestDevice.withItem(on: server)
    try device.edit(id, "oat milk")
    server.fail(
      arrives ? .lostAnswer : .failure(RemoteFailure(.unreachable("connection cut"), mayHaveActed: true)))
    await device.sync(pulls: false)
    try device.edit(id, "milk")
    return (device, id)
  }

  @Test("is put back on the server too, whether or not it had arrived", arguments: [true, false])
  func putBack(arrives: Bool) async throws {
    let (device, id) = try await device(arrives: arrives)
    #expect(try device.operations().map(\.isMarked) == [true, false])
    let report = await device.sync()
    #expect(report.failure == nil && report.push.conflicts == 0)
    #expect(server.rows[id]?.values["text"] == .text("milk"))
    #expect(try device.texts() == [id: "milk"])
    #expect(try device.operations().isEmpty)
  }

  @Test("keeps what somebody else made of another column meanwhile", arguments: [true, false])
  func otherColumn(arrives: Bool) async throws {
    let (device, id) = try await device(arrives: arrives)
    server.put(id, ["complete": .bool(true)])
    let report = await device.sync()
    #expect(report.push.conflicts == 0)
    #expect(server.rows[id]?.values == ["text": .text("milk"), "complete": .bool(true)])
    #expect(try device.table.read(id)?.values == server.rows[id]?.values)
    #expect(try device.operations().isEmpty)
  }

  @Test("is a visible conflict when somebody else changed the same words, and mine still wins if I say so")
  func sameWords() async throws {
    let (device, id) = try await device(arrives: true)
    server.put(id, ["text": .text("rice milk")])
    #expect(await device.sync().push.conflicts == 1)
    #expect(try device.texts() == [id: "milk"])
    try device.table.resolve(id, .mine)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("milk"))
    #expect(try device.operations().isEmpty)
  }
}
