import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("The sync log")
struct SyncLogTests {
  private let server = FakeServer()
  private let log = SyncLog()

  private static func record(_ number: Int) -> RequestRecord {
    RequestRecord(
      startedAt: Timestamp(milliseconds: 1_795_000_000_000 + Int64(number)), verb: "GET", path: "/\(number)",
      outcome: .status(200), milliseconds: 1, bytesSent: 2, bytesReceived: 3)
  }

  /// Notes a request whenever the server gets one, as a remote table does.
  private func device() throws -> TestDevice {
    let log = log
    let server = server
    server.onRequest { _ in log.note(Self.record(server.requests.count)) }
    return try TestDevice(server, log: log)
  }

  private func paths(_ device: TestDevice, limit: Int = 2_000) throws -> [String] {
    try device.context.store.read { try $0.requests(limit: limit).map(\.path) }
  }

  @Test("keeps the requests of every sync, newest first, also after a restart")
  func kept() async throws {
    let device = try device()
    try device.add("milk")
    await device.sync()
    await device.sync()
    #expect(try paths(device) == ["/2", "/1", "/0"])
    #expect(try paths(device, limit: 1) == ["/2"])
    #expect(try paths(device.restarted(server)) == ["/2", "/1", "/0"])
  }

  @Test("keeps the requests of a sync that failed, and of one that was cut in the middle")
  func failed() async throws {
    let device = try device()
    try device.add("milk")
    server.fail(.unreachable)
    await device.sync()
    #expect(try paths(device) == ["/0"])
    server.fail(.pass, .unreachable)
    await device.sync()
    #expect(try paths(device) == ["/2", "/1", "/0"])
  }

  @Test("keeps the newest thousand, in the store and before they are in it")
  func limit() async throws {
    let device = try device()
    for number in 0..<1_500 { log.note(Self.record(10_000 + number)) }
    await device.sync()
    let paths = try paths(device)
    #expect(paths.count == 1_000)
    #expect(paths.first == "/0")
    #expect(paths.last == "/10501")
    await device.sync()
    #expect(try self.paths(device).count == 1_000)
  }
}
