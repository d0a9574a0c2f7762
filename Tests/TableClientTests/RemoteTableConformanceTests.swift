import OfflineSync
import Support
import TableClient
import TableProtocol
import Testing

/// What every `RemoteTable` does: the fake that other tests stand on, and HTTP against the real server
/// in both versions of the protocol.
@Suite("Every remote table")
struct RemoteTableConformanceTests {
  private static let table = RemoteTableUnderTest.table
  private static let milk = RemoteTableUnderTest.milk

  @Test("an insert is answered with the stored record and its version", arguments: RemoteTableUnderTest.allCases)
  func insert(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let answer = try remote.send(.insert(table: Self.table, Self.milk))
      let stored = try #require(answer.record)
      #expect(stored.values["text"] == .text("milk"))
      #expect(stored.system.version != nil)
      #expect(stored.system.updatedAt != nil)
    }
  }

  @Test("a second insert under one id is a conflict with the stored record", arguments: RemoteTableUnderTest.allCases)
  func insertTwice(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      _ = try remote.send(.insert(table: Self.table, Self.milk))
      let other = Record(id: "milk", values: ["text": .text("other")])
      guard case .conflict(_, let stored?) = try remote.send(.insert(table: Self.table, other)) else {
        Issue.record("no conflict")
        return
      }
      #expect(stored.values["text"] == .text("milk"))
    }
  }

  @Test(
    "an update from the stored version is done, one from an older version is a conflict",
    arguments: RemoteTableUnderTest.allCases)
  func update(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let stored = try #require(try remote.send(.insert(table: Self.table, Self.milk)).record)
      var edited = stored
      edited.values["text"] = .text("oat milk")
      let change = RemoteChange.update(
        table: Self.table, whole: edited, changed: ["text": .text("oat milk")], base: stored.system.version)
      let updated = try #require(try remote.send(change).record)
      #expect(updated.values == ["text": .text("oat milk"), "complete": .bool(false)])
      #expect(updated.system.version != stored.system.version)
      guard case .conflict(412, let current?) = try remote.send(change) else {
        Issue.record("no conflict")
        return
      }
      #expect(current.system.version == updated.system.version)
    }
  }

  @Test("an update of an item nobody knows says that it is gone", arguments: RemoteTableUnderTest.allCases)
  func updateOfUnknown(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let answer = try remote.send(
        .update(table: Self.table, whole: Self.milk, changed: Self.milk.values, base: nil))
      #expect(answer == .gone(status: 404))
    }
  }

  @Test("a deleted item stays as a tombstone that a page and a look-up show", arguments: RemoteTableUnderTest.allCases)
  func delete(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let stored = try #require(try remote.send(.insert(table: Self.table, Self.milk)).record)
      let answer = try remote.send(.delete(table: Self.table, id: "milk", base: stored.system.version))
      #expect(answer == .accepted(nil))
      #expect(try remote.read("milk", in: Self.table)?.system.deleted == true)
      let page = try remote.page(RemoteTableUnderTest.changes(since: .epoch))
      #expect(page.records.map(\.system.deleted) == [true])
    }
  }

  @Test("deleting twice does no harm", arguments: RemoteTableUnderTest.allCases)
  func deleteTwice(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let stored = try #require(try remote.send(.insert(table: Self.table, Self.milk)).record)
      let delete = RemoteChange.delete(table: Self.table, id: "milk", base: stored.system.version)
      _ = try remote.send(delete)
      switch try remote.send(delete) {
      case .accepted, .gone: break
      case .conflict(_, let record): #expect(record?.system.deleted == true)
      case .refused: Issue.record("refused")
      }
    }
  }

  @Test("undeleting a tombstone makes it live again with new values", arguments: RemoteTableUnderTest.allCases)
  func undelete(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let tombstone = try Self.tombstone(on: remote)
      var wanted = tombstone
      wanted.values["text"] = .text("oat milk")
      let stored = try #require(
        try remote.send(
          .undelete(
            table: Self.table, whole: wanted, changed: ["text": .text("oat milk")], base: tombstone.system.version)
        ).record)
      #expect(stored.values == ["text": .text("oat milk"), "complete": .bool(false)])
      #expect(try remote.read("milk", in: Self.table)?.system == stored.system)
      #expect(!stored.system.deleted)
    }
  }

  @Test("undeleting without a new value only makes the item live", arguments: RemoteTableUnderTest.allCases)
  func undeleteAsItWas(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let tombstone = try Self.tombstone(on: remote)
      let stored = try #require(
        try remote.send(
          .undelete(table: Self.table, whole: tombstone, changed: [:], base: tombstone.system.version)
        ).record)
      #expect(stored.values == tombstone.values)
      #expect(!stored.system.deleted)
    }
  }

  @Test(
    "undeleting from an older version is a conflict, and of an unknown item says it is gone",
    arguments: RemoteTableUnderTest.allCases)
  func undeleteStale(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let tombstone = try Self.tombstone(on: remote)
      let answers = try remote.send([
        .undelete(table: Self.table, whole: tombstone, changed: [:], base: RecordVersion("b2xk")),
        .undelete(table: Self.table, whole: Record(id: "nobody"), changed: [:], base: nil),
      ]).map { try $0.get() }
      #expect(answers == [.conflict(status: 412, tombstone), .gone(status: 404)])
    }
  }

  /// Milk, deleted.
  private static func tombstone(on remote: any RemoteTable) throws -> Record {
    let stored = try #require(try remote.send(.insert(table: table, milk)).record)
    _ = try remote.send(.delete(table: table, id: "milk", base: stored.system.version))
    return try #require(try remote.read("milk", in: table))
  }

  @Test(
    "changes of different items sent together are each judged alone, in order", arguments: RemoteTableUnderTest.allCases
  )
  func sendTogether(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let stored = try #require(try remote.send(.insert(table: Self.table, Self.milk)).record)
      let eggs = Record(id: "eggs", values: ["text": .text("eggs")])
      let answers = try remote.send([
        .insert(table: Self.table, eggs), .insert(table: Self.table, Self.milk),
        .update(table: Self.table, whole: Record(id: "nobody"), changed: ["text": .text("x")], base: nil),
        .insert(table: Self.table, Record(id: "tea", values: ["text": .text("tea")])),
      ]).map { try $0.get() }
      #expect(answers[0].record?.values["text"] == .text("eggs"))
      #expect(answers[1] == .conflict(status: 409, stored))
      #expect(answers[2] == .gone(status: 404))
      #expect(answers[3].record?.id == "tea")
    }
  }

  @Test(
    "a hundred changes sent together are all done, and come back in order", arguments: RemoteTableUnderTest.allCases)
  func sendMany(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let changes = (0..<100).map {
        RemoteChange.insert(table: Self.table, Record(id: "買 \($0)", values: ["text": .text("\($0)")]))
      }
      let answers = try remote.send(changes).map { try $0.get() }
      #expect(answers.map(\.record?.id) == changes.map(\.id))
      let page = try remote.page(RemoteTableUnderTest.changes(since: .epoch, limit: 1_000))
      #expect(Set(page.records.map(\.id)) == Set(changes.map(\.id)))
    }
  }

  @Test("our own server says that its pages are in the order of visibility", arguments: RemoteTableUnderTest.allCases)
  func ordered(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let page = try remote.page(RemoteTableUnderTest.changes(since: .epoch))
      #expect(page.isOrdered == (kind != .fake))
    }
  }

  @Test("no change at all is no request", arguments: RemoteTableUnderTest.allCases)
  func sendNothing(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      #expect(remote.send([]).isEmpty)
      #expect(remote.traffic.requests == 0)
    }
  }

  @Test("a page is in the order of change, from the moment asked for", arguments: RemoteTableUnderTest.allCases)
  func pages(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      for id: RecordID in ["c", "a", "b"] {
        _ = try remote.send(.insert(table: Self.table, Record(id: id, values: ["text": .text(id.text)])))
      }
      let first = try remote.page(RemoteTableUnderTest.changes(since: .epoch, limit: 2))
      #expect(first.records.map(\.id) == ["c", "a"])
      let last = try #require(first.records.last?.system.updatedAt)
      #expect(try remote.page(RemoteTableUnderTest.changes(since: last)).records.map(\.id) == ["a", "b"])
    }
  }

  @Test("a look-up of an item nobody knows finds nothing", arguments: RemoteTableUnderTest.allCases)
  func readUnknown(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let found = try remote.read("nobody", in: Self.table)
      #expect(found == nil)
    }
  }

  @Test("ids and texts of any script and any sign come back as they went", arguments: RemoteTableUnderTest.allCases)
  func anyText(kind: RemoteTableUnderTest) async throws {
    try await kind.with { remote in
      let record = Record(
        id: "買 & 100%#'x", values: ["text": .text("買い物 🧋 \"q\" \\ \u{1}\u{301} +a&b=c%20#"), "complete": .bool(true)])
      let stored = try #require(try remote.send(.insert(table: Self.table, record)).record)
      #expect(stored.values == record.values)
      #expect(try remote.read(record.id, in: Self.table)?.values == record.values)
      #expect(try remote.send(.delete(table: Self.table, id: record.id, base: stored.system.version)) == .accepted(nil))
    }
  }
}
