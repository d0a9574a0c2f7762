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

  @Test("if a second attempt leaves the row as it was, the server does not take the change, and has not said why")
  func ignored() async throws {
    let (device, id) = try await TestDevice.withItem("Milk", on: server)
    try device.edit(id, "milk")
    for _ in 0..<2 {
      server.fail(.answer(.accepted(server.rows[id])))
      await device.sync()
    }
    #expect(try device.errors().map(\.status) == [200])
    #expect(try device.errors().map(\.message) == [""])
    #expect(try device.texts() == [id: "milk"])
  }

  @Test("a delete that is answered with what another device made of the row is asked about")
  func deleted() async throws {
    let (device, id) = try await TestDevice.withItem("milk", on: server)
    try device.table.delete(id)
    server.put(id, ["text": .text("rice")])
    server.fail(.answer(.accepted(server.rows[id])))
    await device.sync()
    #expect(try device.texts().isEmpty)
    #expect(try device.table.conflicts().map { $0.theirs?.values["text"] } == [.text("rice")])
    #expect(server.rows[id]?.values["text"] == .text("rice"))
  }

  @Test(
    "what servers make of a text by themselves is taken as it is, without a question",
    arguments: [("oat  milk", "oat milk"), ("caf\u{E9}", "cafe\u{301}"), ("milk!", "Milk"), ("oat milk", "oat")])
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
