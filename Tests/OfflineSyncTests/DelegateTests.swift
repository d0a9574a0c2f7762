import OfflineSync
import SQLiteStore
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("Taking part in a push")
struct DelegateTests {
  private let server = FakeServer()

  /// Two conflicts on the device: of milk and of bread.
  private func device(_ delegate: Referee) async throws -> (TestDevice, milk: RecordID, bread: RecordID) {
    let device = try TestDevice(server, delegate: delegate)
    let (milk, bread) = (try device.add("milk"), try device.add("bread"))
    await device.sync()
    delegate.forget()
    for (id, text) in [(milk, "milk"), (bread, "bread")] {
      server.put(id, ["text": .text("rice " + text)])
      try device.edit(id, "oat " + text)
    }
    return (device, milk, bread)
  }

  @Test(
    "what it decides is sent in the same push",
    arguments: [
      (ConflictResolution.mine, ["oat milk"]), (.theirs, ["rice milk"]), (.both, ["oat milk", "rice milk"]),
      (.merged(["text": .text("oat and rice milk")]), ["oat and rice milk"]),
    ])
  func decisions(resolution: ConflictResolution, expected: [String]) async throws {
    let referee = Referee { conflict in
      #expect(conflict.base?.values["text"] == .text("milk"))
      #expect(conflict.mine?.values["text"] == .text("oat milk"))
      #expect(conflict.theirs?.values["text"] == .text("rice milk"))
      return resolution
    }
    let device = try TestDevice(server, delegate: referee)
    let id = try device.add("milk")
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    try device.edit(id, "oat milk")
    let report = await device.sync(pulls: false)
    #expect(report.failure == nil)
    #expect(report.push.conflicts == 0)
    #expect(server.rows.values.compactMap { $0.values["text"]?.text }.sorted() == expected)
    #expect(try device.texts().values.sorted() == expected)
    #expect(try device.operations().isEmpty)
    #expect(try device.errors().isEmpty)
  }

  @Test("the copy that it decides against is a version of the row, and no news", arguments: ["oat milk", nil])
  func overruled(mine: String?) async throws {
    let referee = Referee { _ in .mine }
    let device = try TestDevice(server, delegate: referee)
    let id = try device.add("milk")
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    if let mine { try device.edit(id, mine) } else { try device.table.delete(id) }
    await device.sync()
    let versions = try device.store.read { try $0.pastVersions(of: id, in: "TodoItem") }
    let texts = versions.compactMap { $0.before?.values["text"]?.text }
    #expect(texts.contains("rice milk"))
    let news = try device.store.read { try $0.arrivals(in: "TodoItem") }
    #expect(news.isEmpty)
  }

  @Test("a conflict it leaves stays for a person, and the others do not wait for it")
  func leaves() async throws {
    let referee = Referee { $0.mine?.values["text"] == .text("oat milk") ? nil : .mine }
    let (device, milk, bread) = try await device(referee)
    let report = await device.sync()
    #expect(report.push.conflicts == 1)
    #expect(server.rows[milk]?.values["text"] == .text("rice milk"))
    #expect(server.rows[bread]?.values["text"] == .text("oat bread"))
    #expect(try device.errors().map(\.itemID) == [milk])
    await device.sync()
    #expect(referee.asked.count == 2, "an old conflict is not asked about again")
  }

  @Test("it is told once when the push is through, with all that is left")
  func completed() async throws {
    let referee = Referee { _ in nil }
    let (device, milk, bread) = try await device(referee)
    let report = await device.sync()
    #expect(referee.completions.map(\.waiting) == [[milk, bread]])
    #expect(referee.completions.map(\.report) == [report.push])
    await device.sync()
    #expect(referee.completions.map(\.waiting) == [[milk, bread], [milk, bread]])
  }

  @Test("it is told why a push could not be finished")
  func notCompleted() async throws {
    let referee = Referee { _ in nil }
    let (device, _, _) = try await device(referee)
    server.fail(.unreachable)
    await device.sync()
    #expect(referee.failures == [.remote(RemoteFailure(.unreachable("name not found"), mayHaveActed: false))])
  }

  @Test("it is asked five times at most about one change, and the last decision goes out with the next push")
  func fiveTimes() async throws {
    let server = server
    let referee = Referee { conflict in
      // Somebody is faster, each time.
      server.put(conflict.itemID, ["text": .text("rice\(server.requests.count) milk")])
      return .mine
    }
    let device = try TestDevice(server, delegate: referee)
    let id = try device.add("milk")
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    try device.edit(id, "oat milk")
    #expect(await device.sync(pulls: false).failure == nil)
    #expect(referee.asked == Array(repeating: id, count: 5))
    #expect(try device.operations().count == 1)
    let calm = try device.restarted(server)
    await calm.sync(pulls: false)
    #expect(try calm.errors().map(\.serverItem?.values["text"]) == [server.rows[id]?.values["text"]])
  }

  @Test("a decision about a conflict that a person has settled meanwhile is not carried out")
  func overtaken() async throws {
    let table = Mutex<SyncTable?>(nil)
    let referee = Referee { conflict in
      table.withLock { _ = try? $0?.resolve(conflict.itemID, .theirs) }
      return .mine
    }
    let device = try TestDevice(server, delegate: referee)
    table.withLock { $0 = device.table }
    let id = try device.add("milk")
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    try device.edit(id, "oat milk")
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("rice milk"))
    #expect(try device.texts() == [id: "rice milk"])
    #expect(try device.operations().isEmpty)
  }

  @Test("of a refusal it is not asked, but told at the end")
  func refusal() async throws {
    let referee = Referee { _ in .theirs }
    let device = try TestDevice(server, delegate: referee)
    let id = try device.add("far too long")
    server.fail(.answer(.refused(status: 400, message: "too long")))
    await device.sync()
    #expect(referee.asked.isEmpty)
    #expect(referee.completions.map(\.waiting) == [[id]])
    #expect(try device.errors().map(\.kind) == [.refused])
  }
}

/// A delegate that decides as a test says, and keeps what it was asked and told.
private final class Referee: SyncDelegate {
  private struct Notes {
    var asked: [RecordID] = []
    var completions: [(report: PushReport, waiting: [RecordID])] = []
    var failures: [SyncFailure] = []
  }

  private let notes = Mutex(Notes())
  private let decide: @Sendable (Conflict) -> ConflictResolution?

  init(_ decide: @escaping @Sendable (Conflict) -> ConflictResolution?) {
    self.decide = decide
  }

  /// Ids of the items it was asked about.
  var asked: [RecordID] { notes.withLock(\.asked) }
  var completions: [(report: PushReport, waiting: [RecordID])] { notes.withLock(\.completions) }

  var failures: [SyncFailure] { notes.withLock(\.failures) }

  func forget() {
    notes.withLock { $0 = Notes() }
  }

  func resolution(of conflict: Conflict) -> ConflictResolution? {
    notes.withLock { $0.asked.append(conflict.itemID) }
    return decide(conflict)
  }

  func pushCompleted(_ report: PushReport, waiting: [TableOperationError], failure: SyncFailure?) {
    notes.withLock { notes in
      notes.completions.append((report, waiting.map(\.itemID)))
      if let failure { notes.failures.append(failure) }
    }
  }
}
