import OfflineSync
import SQLiteStore
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("Waiting for another program that syncs the store")
struct LockWaitTests {
  /// Another program on the store of `device`. It holds the sync lock until the gate is opened.
  private func holder(of device: TestDevice, _ gate: Gate) async -> Task<Void, any Error> {
    let path = device.path
    let holder = Task {
      try await blocking { try FileLock(storePath: path).withLock(waiting: {}, run: { gate.pass() }) }
    }
    await gate.arrived()
    return holder
  }

  @Test("ends with the patience of the request, after one word, and nothing was sent; the next sync has its turn")
  func patience() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    try device.add("milk")
    let gate = Gate()
    let holder = await holder(of: device, gate)
    var request = SyncRequest(pulls: [])
    request.patience = 0
    let waits = Mutex(0)
    let report = await device.sync(
      request,
      report: { event in
        if case .waitingForOtherProgram = event { waits.withLock { $0 += 1 } }
      })
    #expect(report.failure == .otherProgramBusy && server.requests.isEmpty)
    #expect(waits.withLock(\.self) == 1)
    gate.open()
    try await holder.value
    #expect(await device.sync().failure == nil)
    #expect(server.rows.count == 1)
  }

  @Test("a purge says once that it waits, and is done when the other program has ended its sync")
  func purge() async throws {
    let device = try TestDevice(FakeServer())
    let gate = Gate()
    let holder = await holder(of: device, gate)
    let waits = Mutex(0)
    let result: Result<PurgeReport, any Error> = await withCheckedContinuation { continuation in
      device.context.purge(
        TableQuery(table: "TodoItem"),
        waiting: {
          waits.withLock { $0 += 1 }
          gate.open()
        }, report: { continuation.resume(returning: $0) })
    }
    try await holder.value
    #expect(try result.get().rows == 0)
    #expect(waits.withLock(\.self) == 1)
  }
}
