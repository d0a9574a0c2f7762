import OfflineSync
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("Cancelling a sync")
struct CancelTests {
  private let server = FakeServer()

  private static let everything = SyncRequest(pulls: [PullQuery(table: "TodoItem", queryID: "all")])

  /// Six items on the server and three here, that the other side does not know.
  private func device() throws -> TestDevice {
    for number in 0..<6 { server.put("item\(number)", ["text": .text("\(number)")]) }
    let device = try TestDevice(server, settings: PullSettings(pageSize: 2, overlapMilliseconds: 0))
    for text in ["milk", "bread", "eggs"] { try device.add(text) }
    return device
  }

  /// Cancels when the server gets its `number`th request, and gives what the sync said.
  private func cancel(_ device: TestDevice, atRequest number: Int) async -> SyncReport {
    let cancellation = Mutex<Cancellation?>(nil)
    let gate = Gate()
    let server = server
    server.onRequest { _ in
      if server.requests.isEmpty { gate.pass() }
      if server.requests.count == number { cancellation.withLock { $0?.cancel() } }
    }
    let report = await device.sync(
      Self.everything,
      began: { begun in
        cancellation.withLock { $0 = begun }
        gate.open()
      })
    server.onRequest(nil)
    return report
  }

  /// Everything is on both sides, once.
  private func expectTheRest(_ device: TestDevice) async throws {
    #expect(await device.sync().failure == nil)
    #expect(try device.operations().isEmpty)
    #expect(try device.errors().isEmpty)
    #expect(server.rows.count == 9)
    #expect(try device.texts().count == 9)
  }

  @Test("at any request: what was done is done, nothing is lost, and the next sync does the rest", arguments: 0..<7)
  func anywhere(request: Int) async throws {
    let device = try device()
    let report = await cancel(device, atRequest: request)
    #expect(report.failure == .cancelled || request == 6)
    #expect(report.push.accepted == min(request + 1, 3))
    #expect(try device.operations().count == 3 - report.push.accepted)
    #expect(try device.operations().allSatisfy { !$0.isMarked }, "what was never sent may change again")
    #expect(server.requests.count <= request + 1)
    try await expectTheRest(device)
    #expect(server.requests.filter { $0.hasPrefix("POST") }.count == 3, "nothing is sent twice")
  }

  @Test("at any request while the network fails: every change is kept", arguments: 0..<3)
  func whileFailing(request: Int) async throws {
    let device = try device()
    server.fail(.unreachable, .unreachable, .unreachable)
    let report = await cancel(device, atRequest: request)
    #expect(report.failure != nil)
    #expect(report.push.accepted == 0)
    #expect(try device.operations().count == 3)
    await device.sync()
    await device.sync()
    try await expectTheRest(device)
  }

  @Test("before it began: nothing is asked, and it ends like any other")
  func beforeBeginning() async throws {
    let device = try device()
    let (gate, server) = (Gate(), server)
    server.onRequest { _ in if server.requests.isEmpty { gate.pass() } }
    async let first = device.sync(SyncRequest(pulls: []))
    await gate.arrived()
    async let second = device.sync(
      Self.everything,
      began: { cancellation in
        cancellation.cancel()
        gate.open()
      })
    #expect(await first.failure == nil)
    #expect(await second.failure == .cancelled)
    #expect(await second.traffic.requests == 0)
    #expect(try device.texts().count == 3)
    try await expectTheRest(device)
  }

  @Test("when it has ended: it is too late, and nothing comes of it")
  func afterEnd() async throws {
    let device = try device()
    let cancellation = Mutex<Cancellation?>(nil)
    let report = await device.sync(Self.everything, began: { begun in cancellation.withLock { $0 = begun } })
    cancellation.withLock { $0?.cancel() }
    #expect(report.failure == nil)
    try await expectTheRest(device)
  }

  @Test("while a pause is made for a busy server: the pause ends at once")
  func pause() throws {
    let server = server
    let cancellation = Cancellation()
    let waits = Mutex<[Bool]>([])
    let environment = Environment(
      now: { .epoch }, newID: { "" },
      pause: { _, isOver in
        cancellation.cancel()
        waits.withLock { $0.append(isOver()) }
      })
    let remote = RetryingRemoteTable(server, environment: environment, cancellation: cancellation)
    server.fail(.failure(RemoteFailure(.busy(status: 503, retryAfter: 5), mayHaveActed: false)))
    #expect(throws: RemoteFailure.self) { try remote.page(TableQuery(table: "TodoItem")) }
    #expect(waits.withLock(\.self) == [true])
    #expect(server.requests.count == 1)
  }

  @Test("of one of two leaves the other alone")
  func oneOfTwo() async throws {
    let device = try device()
    let (gate, server) = (Gate(), server)
    server.onRequest { _ in if server.requests.isEmpty { gate.pass() } }
    async let first = device.sync(
      SyncRequest(pulls: []), began: { cancellation in cancellation.cancel() })
    async let second = device.sync(Self.everything)
    gate.open()
    _ = await first
    #expect(await second.failure == nil)
    try await expectTheRest(device)
  }
}
