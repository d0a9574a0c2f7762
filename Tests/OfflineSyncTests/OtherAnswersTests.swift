import OfflineSync
import Support
import TableProtocol
import Testing

/// Answers that were mixed up or kept on the way, of a server that does not name the request it answers.
@Suite("An answer that does not show what the change made")
struct OtherAnswersTests {
  private let server = FakeServer()
  private static let failure = RemoteFailure(
    .alteredAnswer(.otherRequest), mayHaveActed: true, concernsAll: false)

  @Test("if it is an earlier one, the change waits, is sent again, and the sync fails")
  func replayed() async throws {
    let (device, id) = try await TestDevice.withItem("first", on: server)
    try device.edit(id, "second")
    server.fail(.answer(.accepted(server.rows[id])))
    let report = await device.sync()
    #expect(report.failure == .remote(Self.failure))
    #expect(report.push.accepted == 0)
    #expect(try device.texts() == [id: "second"])
    #expect(await device.sync().failure == nil)
    #expect(server.rows[id]?.values["text"] == .text("second"))
  }

  @Test("if it shows what another device made of the row, both are asked about", arguments: ["rice", "milk"])
  func others(theirs: String) async throws {
    let (device, id) = try await TestDevice.withItem("milk", on: server)
    try device.edit(id, "oat")
    server.put(id, ["text": .text("rice")])
    server.put(id, ["text": .text(theirs)])
    server.fail(.answer(.accepted(server.rows[id])))
    await device.sync()
    #expect(try device.texts() == [id: "oat"])
    #expect(try device.table.conflicts().count == (theirs == "rice" ? 1 : 0))
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text(theirs == "rice" ? "rice" : "oat"))
  }

  @Test("a delete that is answered by a live row is sent again, and the row stays away")
  func deleted() async throws {
    let (device, id) = try await TestDevice.withItem("milk", on: server)
    try device.table.delete(id)
    server.fail(.answer(.accepted(server.rows[id])))
    #expect(await device.sync().failure == .remote(Self.failure))
    #expect(try device.texts().isEmpty)
    #expect(await device.sync().failure == nil)
    #expect(server.rows.isEmpty)
    #expect(try device.texts().isEmpty)
  }

  @Test(
    "what servers make of a text by themselves is taken as it is",
    arguments: [("oat  milk", "oat milk"), ("oat milk ", "oat milk"), ("caf\u{E9}", "cafe\u{301}")])
  func rewritten(sent: String, stored: String) async throws {
    let (device, id) = try await TestDevice.withItem("milk", on: server)
    try device.edit(id, sent)
    server.onRequest { [server] request in
      guard request.hasPrefix("PUT") else { return }
      server.onRequest(nil)
      server.put(id, ["text": .text(stored)])
      server.fail(.answer(.accepted(server.rows[id])))
    }
    let report = await device.sync()
    #expect(report.failure == nil && report.push.accepted == 1)
    #expect(try device.texts()[id].map { Array($0.utf8) } == Array(stored.utf8))
    #expect(!server.requests.contains { $0.hasPrefix("GET") })
  }
}
