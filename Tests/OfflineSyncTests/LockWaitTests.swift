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

  @Test(
    "a request waits as long as its patience by its own clock, in seconds, and without one as long as the lock does",
    arguments: [
      (nil, 0, true), (nil, 120_000, true), (0, 0, true), (0, 50, false), (1, 1_000, true), (1, 1_050, false),
      (5, 5_000, true), (5, 5_050, false), (5, 120_000, false),
    ] as [(Int?, Int64, Bool)])
  func patienceTable(patience: Int?, held: Int64, isSent: Bool) async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    try device.add("milk")
    let context = SyncContext(
      SyncPorts(
        tables: ["TodoItem"], store: device.store, remote: server, lock: HeldLock(world: device.world, held: held),
        environment: device.world.environment))
    var request = SyncRequest(pulls: [])
    request.patience = patience
    let start = device.world.now
    let waits = Mutex(0)
    let report = await context.sync(
      request,
      report: { event in
        if case .waitingForOtherProgram = event { waits.withLock { $0 += 1 } }
      })
    #expect(report.failure == (isSent ? nil : .otherProgramBusy))
    #expect(server.rows.count == (isSent ? 1 : 0))
    #expect(waits.withLock(\.self) == (held == 0 ? 0 : 1))
    if !isSent, let patience {
      #expect(device.world.now == start.advanced(byMilliseconds: Int64(patience) * 1_000), "it gave up in time")
    }
  }

  @Test("a purge says once that it waits, and is done when the other program has ended its sync")
  func purge() async throws {
    let device = try TestDevice(FakeServer())
    let gate = Gate()
    let holder = await holder(of: device, gate)
    let waits = Mutex(0)
    let result: Result<PurgeReport, any Error> = await withCheckedContinuation { continuation in
      device.context.purge(
        "TodoItem",
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

/// A lock that another program holds for some milliseconds of the test's clock. It asks twenty times a second.
private struct HeldLock: SyncLock {
  let world: TestEnvironment
  let held: Int64

  func withLock<Value>(waiting: () throws -> Void, run body: () throws -> Value) throws -> Value {
    let end = world.now.advanced(byMilliseconds: held)
    while world.now < end {
      try waiting()
      world.advance(milliseconds: 50)
    }
    return try body()
  }
}
