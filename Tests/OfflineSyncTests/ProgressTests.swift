import OfflineSync
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("How far a sync is")
struct ProgressTests {
  private let server = FakeServer()

  /// What is said on the way when each request takes so long, in milliseconds.
  private func progress(_ device: TestDevice, perRequest: Int64) async -> (said: [SyncProgress], report: SyncReport) {
    let said = Mutex<[SyncProgress]>([])
    let world = device.world
    server.onRequest { _ in world.advance(milliseconds: perRequest) }
    let request = SyncRequest(pulls: [PullQuery(table: "TodoItem", queryID: "all")])
    let report = await device.sync(
      request,
      report: { event in
        if case .progress(let progress) = event { said.withLock { $0.append(progress) } }
      })
    return (said.withLock(\.self), report)
  }

  private func device() throws -> TestDevice {
    for number in 0..<4 { server.put("item\(number)", ["text": .text("\(number)")]) }
    let device = try TestDevice(server, settings: PullSettings(pageSize: 2, overlapMilliseconds: 0))
    for text in ["milk", "bread", "eggs"] { try device.add(text) }
    return device
  }

  @Test("is said with each step that takes a while: changes sent of those there are, then rows received")
  func steps() async throws {
    let (said, report) = await progress(try device(), perRequest: 60)
    #expect(said.first == SyncProgress())
    #expect(said.map(\.sent).max() == 3)
    #expect(said.filter { $0.sent > 0 }.allSatisfy { $0.toSend == 3 })
    #expect(said.map(\.sent) == said.map(\.sent).sorted())
    #expect(said.map(\.received) == said.map(\.received).sorted())
    #expect(said.map(\.received).max() ?? 0 >= 4)
    #expect(said.map(\.traffic.requests) == said.map(\.traffic.requests).sorted())
    #expect(report.milliseconds == Int64(report.traffic.requests) * 60)
  }

  @Test("is not said more often than an eye can follow")
  func rarely() async throws {
    let (said, _) = await progress(try device(), perRequest: 1)
    #expect(said == [SyncProgress()])
  }

  @Test("is said also when the clock was set back, and the time it took is never negative")
  func clockSetBack() async throws {
    let (said, report) = await progress(try device(), perRequest: -1_000)
    #expect(said.count > 3)
    #expect(report.milliseconds == 0)
  }

  @Test("ends with what was done, whatever stopped it")
  func report() async throws {
    let device = try device()
    server.fail(.pass, .pass, .unreachable)
    let (_, report) = await progress(device, perRequest: 60)
    #expect(report.failure != nil)
    #expect(report.push.accepted == 2)
    #expect(report.pulled == 0)
    #expect(report.traffic.requests == 3)
  }
}
