import FoundationEssentials
import InMemoryStorage
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

/// A storage in memory whose first list can't be written.
private struct BrokenListStorage: TableStorage {
  let broken: ListID
  private let base = MemoryStorage()

  init(broken: ListID) { self.broken = broken }

  var identity: DatabaseIdentity { base.identity }
  var moves: AsyncStream<ListNotice> { base.moves }
  func lists() -> [ListID] { [broken] + base.lists() }
  func lists(of owner: UserName?) -> [ListID] { lists().filter { $0.owner == owner } }
  func close() throws { try base.close() }

  func read<Value: Sendable>(
    _ list: ListID, mayBeLong: Bool, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value { try await base.read(list, body) }

  func write<Value: Sendable>(
    _ lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value
  ) async throws -> Value {
    guard !lists.contains(broken) else { throw StorageError.refused("SQLite 11: a page is damaged") }
    return try await base.write(lists, body)
  }

  func raiseEpoch(now: Timestamp, nonce: String) throws -> DatabaseEpoch {
    try base.raiseEpoch(now: now, nonce: nonce)
  }
}

@Suite("Old tombstones lose their texts, and go")
struct TombstoneTests {
  private static let day: Int64 = 86_400_000
  private static let now = Timestamp(milliseconds: 1_000 * day)

  /// A row that was changed last so many days ago.
  private func row(_ id: RecordID, daysOld: Int64, deleted: Bool) -> Record {
    let moment = Self.now.advanced(byMilliseconds: -daysOld * Self.day)
    let stamp = RowStamp(after: .epoch, now: moment)
    return Record(
      id: id, values: ["text": .text("secret words"), "complete": .bool(true)],
      system: SystemProperties(
        createdAt: moment, updatedAt: stamp.updatedAt, version: stamp.version, deleted: deleted))
  }

  private func sweep(_ storage: any TableStorage, now: Timestamp = now) async throws {
    try await storage.write(.first) { list in
      var sweep = TombstoneSweep()
      while try sweep.step(in: list, now: now) {}
    }
  }

  @Test("after 30 days the columns go, after 180 the row; nothing else changes", arguments: StorageKind.allCases)
  func ages(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      let rows = [
        row("live", daysOld: 400, deleted: false), row("older", daysOld: 300, deleted: true),
        row("old", daysOld: 181, deleted: true), row("worn", daysOld: 179, deleted: true),
        row("young", daysOld: 29, deleted: true), row("new", daysOld: 1, deleted: false),
      ]
      let before = try await storage.write(.first) { list in
        for row in rows { try list.insert(row) }
        let counted = try list.repair().counted
        // As each write does: no row is later than the clock of its list.
        try list.save(lastMoment: rows[5].system.updatedAt ?? Self.now, digest: counted)
        return counted
      }
      try await sweep(storage)
      try await storage.read(.first) { list in
        let kept = try rows.map { try list.row($0.id) }
        #expect(kept[1] == nil && kept[2] == nil)
        var worn = rows[3]
        worn.values = [:]
        #expect(kept[3] == worn, "version and moment stay")
        #expect(kept[0] == rows[0] && kept[4] == rows[4] && kept[5] == rows[5])
        let state = try list.state()
        #expect(state.tombstonesAfter == rows[2].system.updatedAt)
        #expect(state.newestMoment == rows[5].system.updatedAt && state.digest == before)
        let check = try list.check()
        #expect(check.damaged == 0 && check.counted == before)
      }
    }
  }

  @Test("a tombstone that was the newest row takes no moment with it", arguments: StorageKind.allCases)
  func newest(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      let last = row("a", daysOld: 200, deleted: true)
      try await storage.write(.first) { try $0.insert(last) }
      try await sweep(storage)
      let state = try await storage.read(.first) { try $0.state() }
      #expect(state.newestMoment == last.system.updatedAt && state.tombstonesAfter == last.system.updatedAt)
      // Nor does a device that knows of the deletion take it for lost after a restore.
      #expect(try storage.raiseEpoch(now: Self.now, nonce: "n").from == last.system.updatedAt)
    }
  }

  @Test("a step looks at few rows, and all steps together at all", arguments: StorageKind.allCases)
  func steps(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      let steps = try await storage.write(.first) { list in
        for number in 0..<600 {
          let isOld = number < 400
          var row = row(RecordID("r\(number)"), daysOld: isOld ? 200 : 60, deleted: number.isMultiple(of: 2))
          row.system.updatedAt = row.system.updatedAt?.advanced(byMilliseconds: Int64(number))
          try list.insert(row)
        }
        var sweep = TombstoneSweep()
        var steps = 0
        while try sweep.step(in: list, now: Self.now) { steps += 1 }
        return steps
      }
      #expect(steps == 3)
      try await storage.read(.first) { list in
        let left = try (0..<600).map { try list.row(RecordID("r\($0)")) }
        #expect(left.prefix(400).count { $0 != nil } == 200)
        #expect(left.suffix(200).count { $0?.values.isEmpty == true } == 100)
      }
    }
  }

  @Test("a clock that stepped back removes nothing", arguments: StorageKind.allCases)
  func clockSteppedBack(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      let old = row("a", daysOld: 0, deleted: true)
      try await storage.write(.first) { try $0.insert(old) }
      try await sweep(storage, now: Self.now.advanced(byMilliseconds: -500 * Self.day))
      #expect(try await storage.read(.first) { try $0.row("a") } == old)
    }
  }

  @Test("a list that can't be swept is named in the log, and those after it are swept")
  func brokenList() async throws {
    let broken = ListID(try #require(ServedTable(named: "movies")))
    let storage = BrokenListStorage(broken: broken)
    let old = row("old", daysOld: 181, deleted: true)
    try await storage.write(.first) { try $0.insert(old) }
    let lines = LogLines()
    let log = ServerLog(lines.logger, clock: TestServer.systemClock)
    let task = TombstoneTask(storage, clock: { Self.now }, log: log)
    task.start(after: .zero, every: .seconds(3_600))
    _ = try await eventually {
      try await storage.read(.first) { try $0.row("old") } == nil ? true : nil
    }
    await task.stop()
    #expect(
      lines.all == ["The old tombstones of \(broken) could not be swept: SQLite 11: a page is damaged."])
  }

  @Test("a client sees a tombstone without columns, and lists say since when all tombstones are there")
  func wire() async throws {
    let clock = ClockHand(Self.now.milliseconds)
    var limits = ServerLimits.patient
    (limits.firstSweep, limits.sweeps) = (.zero, .milliseconds(20))
    try await TestServer.run(clock: clock.clock, limits: limits) { server async throws in
      for id: RecordID in ["a", "b"] { try await server.insert(id, #""text":"secret words","rank":1"#) }
      let removed = try await server.send(.delete, "/tables/TodoItem/a", .v2)
      #expect(removed.text.contains("secret words"))
      let all = "/tables/TodoItem?__includedeleted=true&$filter=id%20eq%20'a'"
      #expect(try await server.send(.get, all, .v3).header("x-ebb-tombstones") == "180")
      clock.set(Self.now.milliseconds + 31 * Self.day)
      let worn = try await eventually { () async throws -> Answer? in
        let answer = try await server.send(.get, all, .v3)
        return answer.text.contains("secret") ? nil : answer
      }
      let item = try #require(try worn.list.items.first)
      #expect(item.values.isEmpty)
      #expect(try item.system == removed.item.system)
      // It can live again, and shows all columns then.
      let one = "/tables/TodoItem/a"
      let taken = try await server.send(.post, "/tables/TodoItem", .v3, body: #"{"id":"a","text":"x"}"#)
      #expect(taken.status == 409)
      #expect(try taken.item.values.isEmpty)
      let revived = try await server.send(
        .patch, one, .v3, ["If-Match": taken.eTag ?? ""], body: #"{"text":"again","deleted":false}"#)
      #expect(revived.status == 200)
      #expect(try revived.item.values == ["text": .text("again"), "complete": .null, "rank": .null])
      let again = try await server.send(.delete, one, .v2).item
      clock.set(Self.now.milliseconds + 31 * Self.day + 181 * Self.day)
      let gone = try await eventually { () async throws -> Answer? in
        let answer = try await server.send(.get, all, .v3)
        return try answer.list.items.isEmpty ? answer : nil
      }
      let after = try #require(again.system.updatedAt)
      #expect(gone.header("x-ebb-tombstones") == "180;after=\(after.text)")
      #expect(gone.header("x-ebb-newest") == after.text && gone.header("x-ebb-count") == "1")
      #expect(try ServerDatabase(path: server.databasePath).check().findings == [])
      // The id is free again, for a version that it never had.
      let made = try await server.insert("a")
      let madeAt = try #require(made.system.updatedAt)
      #expect(madeAt > after)
    }
  }

  @Test("what the header says can be read, and what can't be read is nothing")
  func header() throws {
    for text in ["180", "180;after=2026-05-26T02:00:00.000Z"] {
      let known = try #require(TombstoneRetention(text))
      #expect(known.text == text)
    }
    let known = try #require(TombstoneRetention("7;new=1;after=2026-05-26T02:00:00.000Z"))
    #expect(known.days == 7 && known.reaches(back: known.after) && !known.reaches(back: nil))
    #expect(!known.reaches(back: known.after?.advanced(byMilliseconds: -1)))
    for text in ["", "x", "-1", "180;after=", "180;after=yesterday", "9999999999"] {
      #expect(TombstoneRetention(text) == nil, "\(text)")
    }
  }
}
