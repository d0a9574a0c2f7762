import OfflineSync
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("Syncs take turns")
struct TurnTests {
  private let server = FakeServer()

  @Test("they run one at a time in the order they were asked for, and one that fails holds up none")
  func order() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    let events = Mutex<[String]>([])
    server.onRequest { request in events.withLock { $0.append(String(request.prefix(4))) } }
    server.fail(.unreachable)
    await withCheckedContinuation { continuation in
      for number in 0..<5 {
        device.context.request(SyncRequest(pulls: [PullQuery(table: "TodoItem", queryID: "all")])) { event in
          guard case .finished(let report) = event else { return }
          events.withLock { $0.append("end \(number) \(report.failure == nil)") }
          if number == 4 { continuation.resume() }
        }
      }
    }
    #expect(
      events.withLock(\.self) == [
        "POST", "end 0 false", "POST", "LIST", "end 1 true", "LIST", "end 2 true", "LIST", "end 3 true", "LIST",
        "end 4 true",
      ])
  }

  @Test("each says that it ended once, whatever happened, and as the last thing", arguments: [true, false])
  func once(fails: Bool) async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    if fails { server.fail(.unreachable) }
    let ends = Mutex<[Bool]>([])
    _ = await device.sync(
      SyncRequest(pulls: [PullQuery(table: "TodoItem", queryID: "all")]),
      report: { event in
        if case .finished = event { ends.withLock { $0.append(true) } } else { ends.withLock { $0.append(false) } }
      })
    await device.sync()
    #expect(ends.withLock { $0.filter(\.self).count } == 1)
    #expect(ends.withLock(\.last) == true)
    #expect(device.context.state == .idle)
  }

  @Test("a local change never waits for one")
  func localChange() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    let (gate, server) = (Gate(), server)
    server.onRequest { _ in if server.requests.isEmpty { gate.pass() } }
    async let synced = device.sync()
    await gate.arrived()
    let id = try device.add("bread")
    #expect(try device.texts().count == 2)
    #expect(device.context.state != .idle)
    #expect(try device.context.pendingCount() == 2)
    gate.open()
    #expect(await synced.push.accepted == 2, "and is sent by the push that runs")
    #expect(server.rows[id] != nil)
  }

  @Test("a pull sends what waits of its table first, and nothing when nothing waits")
  func implicitPush() async throws {
    let device = try TestDevice(server)
    let query = PullQuery(table: "TodoItem", queryID: "all")
    let id = try device.add("milk")
    await device.contextPull(query)
    await device.contextPull(query)
    #expect(server.requests == ["POST \(id)", "LIST", "LIST"])
  }

  @Test("a pull brings the rest though a change that was sent before it was refused")
  func refusedPush() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    let id = try device.add("too long")
    server.fail(.answer(.refused(status: 400, message: "no")))
    let report = await device.contextPull(PullQuery(table: "TodoItem", queryID: "all"))
    #expect(report.failure == nil)
    #expect(try device.texts() == ["a": "milk", id: "too long"])
  }

  @Test("nothing is pulled when the push before it did not reach the server")
  func failedPush() async throws {
    let device = try TestDevice(server)
    server.put("a", ["text": .text("milk")])
    try device.add("bread")
    server.fail(.unreachable)
    #expect(await device.contextPull(PullQuery(table: "TodoItem", queryID: "all")).failure != nil)
    #expect(server.requests.count == 1)
    #expect(try device.texts().count == 1)
  }

  @Test("a push sends, and pulls nothing")
  func pushAlone() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    let report: SyncReport = await withCheckedContinuation { continuation in
      device.context.push { event in
        if case .finished(let report) = event { continuation.resume(returning: report) }
      }
    }
    #expect(report.push.accepted == 1)
    #expect(server.requests == ["POST \(id)"])
  }
}

extension TestDevice {
  @discardableResult
  fileprivate func contextPull(_ query: PullQuery) async -> SyncReport {
    await withCheckedContinuation { continuation in
      context.pull(query) { event in
        if case .finished(let report) = event { continuation.resume(returning: report) }
      }
    }
  }
}
