import Dispatch
import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import TableSQL
import Testing

@testable import TableStorage

/// What every ``TableStorage`` promises of its lists. A new one is put into ``StorageKind`` and must pass as it is.
@Suite("A storage")
struct StorageContractTests {
  @Test("shows nothing at its beginning", arguments: StorageKind.allCases)
  func empty(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      let (state, schema) = try await storage.read(.first) { (try $0.state(), $0.schema) }
      #expect(
        state
          == ListState(
            lastMoment: .epoch, newestMoment: nil, digest: TableDigest(), epoch: DatabaseEpoch(number: 1)))
      #expect(schema.columns == [TableColumn(name: "text", kind: .text), TableColumn(name: "complete", kind: .bool)])
      #expect(try await storage.ids() == [])
      #expect(try await storage.read(.first) { try $0.row("a") } == nil)
    }
  }

  @Test("gives a row back as it was written, in every form that a value has", arguments: StorageKind.allCases)
  func roundTrip(kind: StorageKind) async throws {
    let values: [FieldValue] = [
      .null, .bool(true), .bool(false), .integer(0), .integer(.min), .integer(.max), .real(1.5),
      .real(-.leastNonzeroMagnitude),
      .real(1e300), .text(""), .text("it's \"quoted\" \\ 🥛"), .text("e\u{301}"), .text("\u{e9}"),
    ]
    try await kind.use { storage async throws in
      let columns = values.enumerated().map { index, value in
        TableColumn(name: "c\(index)", kind: Self.kind(of: value))
      }
      var row = Record.made("e\u{301}", at: 5)
      for (column, value) in zip(columns, values) { row.values[column.name] = value }
      let written = row
      try await storage.write(.first) { list in
        try list.add(columns)
        try list.insert(written)
      }
      var expected = written
      expected.values["text"] = .null
      expected.values["complete"] = .null
      let (stored, other) = try await storage.read(.first) { (try $0.row("e\u{301}"), try $0.row("\u{e9}")) }
      #expect(stored == expected)
      #expect(other == nil, "ids are compared exactly")
      let listed = try await storage.rows(ListQuery(nulls: .sql, limit: 10))
      let schema = try await storage.read(.first) { $0.schema }
      #expect(listed.map { $0.record(schema.columns) } == [expected])
      #expect(schema.columns.dropFirst(2) == columns[...])
    }
  }

  private static func kind(of value: FieldValue) -> TableColumn.Kind {
    switch value {
    case .bool: .bool
    case .integer, .real: .number
    case .null, .text: .text
    }
  }

  @Test(
    "says to each who listens that a list moved, and not of a write that is undone", arguments: StorageKind.allCases)
  func moves(kind: StorageKind) async throws {
    struct Refusal: Error {}
    let movies = ListID(try #require(ServedTable(named: "movies")))
    func write(_ storage: any TableStorage, _ list: ListID, at moment: Int64, isRefused: Bool = false) async throws {
      try await storage.write(list) { list in
        try list.insert(.made("r\(moment)", at: moment))
        try list.save(lastMoment: Timestamp(milliseconds: moment), digest: TableDigest(count: 1, checksum: 1))
        if isRefused { throw Refusal() }
      }
    }
    try await kind.use { storage async throws in
      let streams = [storage.moves, storage.moves]
      try await write(storage, movies, at: 5)
      await #expect(throws: Refusal.self) { try await write(storage, .first, at: 6, isRefused: true) }
      try await write(storage, .first, at: 7)
      for stream in streams {
        var seen: [ListID: Timestamp] = [:]
        for await notice in stream {
          let state = try await storage.read(notice.list) { try $0.state() }
          #expect(state.lastMoment >= notice.lastMoment, "what it is about can be read")
          seen[notice.list] = notice.lastMoment
          if seen.count == 2 { break }
        }
        #expect(seen == [movies: Timestamp(milliseconds: 5), .first: Timestamp(milliseconds: 7)])
      }
    }
  }

  @Test("answers a query by condition, order, place and limit", arguments: StorageKind.allCases)
  func queries(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      try await storage.write(.first) { list in
        for (index, id) in ["a", "b", "c", "d", "e"].enumerated() {
          var row = Record.made(RecordID(id), at: Int64(10 - index))
          row.values = ["text": index == 2 ? .null : .text(index % 2 == 0 ? "even" : "odd"), "complete": .bool(true)]
          row.system.deleted = id == "e"
          try list.insert(row)
        }
      }
      var query = ListQuery(nulls: .sql, order: [SortKey("text"), SortKey("updatedAt", ascending: false)], limit: 9)
      #expect(try await storage.rows(query).map(\.id) == ["c", "a", "b", "d"])
      query.place = [.text("even"), .integer(10), .text("a")]
      #expect(try await storage.rows(query).map(\.id) == ["b", "d"])
      query.place = [.null, .integer(8), .text("c")]
      #expect(try await storage.rows(query).map(\.id) == ["a", "b", "d"])
      query.limit = 2
      #expect(try await storage.rows(query).map(\.id) == ["a", "b"])
      #expect(try await storage.count(query) == 4)
      query = ListQuery(filter: try FilterParser.parse("text eq 'even'"), nulls: .sql, limit: 9)
      #expect(try await storage.rows(query).map(\.id) == ["a"])
      query.includesDeleted = true
      #expect(try await storage.rows(query).map(\.id) == ["a", "e"])
      #expect(try await storage.count(query) == 2)
      query.skip = 1
      #expect(try await storage.rows(query).map(\.id) == ["e"])
      let unknown = ListQuery(filter: try FilterParser.parse("none eq 1"), nulls: .sql, limit: 9)
      await #expect(throws: QueryError.unknownColumn("none")) { try await storage.rows(unknown) }
    }
  }

  @Test("stops at the row at which its caller has enough", arguments: StorageKind.allCases)
  func enough(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      try await storage.write(.first) { list in
        for number in 0..<5 { try list.insert(.made("row\(number)", at: Int64(number))) }
      }
      let seen = try await storage.read(.first) { list in
        var seen: [RecordID] = []
        try list.forEachRow(of: ListQuery(nulls: .sql, limit: 9)) { row in
          seen.append(row.id)
          return seen.count < 2
        }
        return seen
      }
      #expect(seen == ["row0", "row1"])
    }
  }

  @Test("counts its rows again and corrects what it kept of them", arguments: StorageKind.allCases)
  func repair(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      try await storage.write(.first) { list in
        try list.insert(.made("a", at: 1))
        try list.save(lastMoment: Timestamp(milliseconds: 1), digest: TableDigest(count: 9, checksum: 9))
      }
      let found = try await storage.write(.first) { try $0.repair() }
      var expected = TableDigest()
      expected.add("a", RecordVersion("v1"))
      #expect(found.stored.count == 9 && found.counted == expected && found.needsRepair && found.damaged == 0)
      let again = try await storage.read(.first) { try $0.check() }
      #expect(again.stored == expected && !again.needsRepair)
    }
  }

  @Test("begins another epoch, which goes on from its newest row", arguments: StorageKind.allCases)
  func epochs(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      try await storage.write(.first) { list in
        try list.insert(.made("a", at: 7))
        try list.save(lastMoment: Timestamp(milliseconds: 7), digest: TableDigest())
      }
      let epoch = try storage.raiseEpoch(now: Timestamp(milliseconds: 50), nonce: "n1")
      #expect(epoch == DatabaseEpoch(number: 2, from: Timestamp(milliseconds: 7), nonce: "n1"))
      let state = try await storage.read(.first) { try $0.state() }
      #expect(state.epoch == epoch)
      #expect(state.lastMoment.milliseconds == 50 && state.newestMoment?.milliseconds == 7)
    }
  }

  private func named(_ name: String) throws -> UserName { try #require(UserName(name)) }

  @Test("keeps nothing of one list where another shows it", arguments: StorageKind.allCases)
  func lists(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      let anna = ListID(.todoItem, owner: try named("anna"))
      let ben = ListID(.todoItem, owner: try named("Anna"))
      for (list, moment) in [(anna, 7), (ListID.first, 9)] as [(ListID, Int64)] {
        try await storage.write(list) { list in
          try list.add([TableColumn(name: "at\(moment)", kind: .number)])
          try list.insert(.made("a", at: moment))
          try list.save(
            lastMoment: Timestamp(milliseconds: moment), digest: TableDigest(count: 1, checksum: UInt64(moment)))
        }
      }
      #expect(try await storage.read(anna) { try $0.row("a")?.system.updatedAt?.milliseconds } == 7)
      #expect(try await storage.read(anna) { $0.schema.columns.map(\.name) } == ["text", "complete", "at7"])
      let state = try await storage.read(anna) { try $0.state() }
      #expect(state.lastMoment.milliseconds == 7 && state.newestMoment?.milliseconds == 7)
      #expect(state.digest.checksum == 7)
      #expect(try await storage.read(ben) { try $0.state().lastMoment } == .epoch)
      #expect(try await storage.read(ben) { try $0.row("a") } == nil)
      #expect(Set(try await storage.lists()).isSuperset(of: [anna, .first]))

      _ = try storage.raiseEpoch(now: Timestamp(milliseconds: 50), nonce: "n")
      for (list, from) in [(anna, 7), (ListID.first, 9)] as [(ListID, Int64)] {
        let epoch = try await storage.read(list) { try $0.state().epoch }
        #expect(epoch == DatabaseEpoch(number: 2, from: Timestamp(milliseconds: from), nonce: "n"))
      }
      let late = ListID(.todoItem, owner: try named("late"))
      #expect(
        try await storage.read(late) { try $0.state().epoch } == DatabaseEpoch(number: 2, from: nil, nonce: "n"))
    }
  }

  @Test("makes a list with its first row, and of one that gets none nothing is left", arguments: StorageKind.allCases)
  func newTables(kind: StorageKind) async throws {
    struct Refusal: Error {}
    try await kind.use { storage async throws in
      let anna = try named("anna")
      let (movies, sqlite) = (try list("movies", of: anna), try list("sqlite_Master2", of: anna))
      let before = Set(try await storage.lists())
      let empty = try await storage.read(movies) { ($0.id, $0.schema.columns.count, try $0.state(), try $0.check()) }
      #expect(empty.0 == movies && empty.1 == 0 && empty.2.newestMoment == nil && empty.3.counted.count == 0)
      #expect(try await storage.read(movies) { try $0.count(of: ListQuery(nulls: .sql, limit: 1)) } == 0)
      let order = ListQuery(nulls: .sql, order: [SortKey("title")], limit: 1)
      await #expect(throws: QueryError.unknownColumn("title")) {
        try await storage.read(movies) { try $0.forEachRow(of: order) { _ in true } }
      }
      try await storage.write(movies) { list in
        #expect(list.isNew)
        #expect(try list.otherListsOfOwner() == 0)
        #expect(try list.row("a") == nil)
        _ = try list.part {
          try list.add([TableColumn(name: "title", kind: .text)])
          try list.insert(.made("a", at: 1))
          return ((), isKept: false)
        }
        #expect(list.isNew && list.schema.columns.isEmpty)
      }
      await #expect(throws: Refusal.self) {
        try await storage.write(sqlite) { list in
          try list.insert(.made("a", at: 1))
          throw Refusal()
        }
      }
      #expect(Set(try await storage.lists()) == before)

      for (list, name) in [(movies, "title"), (sqlite, "sql"), (try self.list("a_2", of: anna), "n")] {
        try await storage.write(list) { list in
          try list.add([TableColumn(name: name, kind: .text)])
          try list.insert(.made("a", at: 1))
          #expect(!list.isNew)
          try list.save(lastMoment: Timestamp(milliseconds: 1), digest: TableDigest(count: 1, checksum: 3))
        }
        #expect(try await storage.read(list) { $0.schema.columns.map(\.name) } == [name])
        #expect(try await storage.read(list) { try $0.state().digest.checksum } == 3)
      }
      #expect(Set(try await storage.lists()).subtracting(before).count == 3)
      #expect(try await storage.write(movies) { try $0.otherListsOfOwner() } == 2)
      #expect(try await storage.write(list("movies", of: nil)) { $0.isNew })
      #expect(try await storage.read(list("movies", of: nil)) { try $0.row("a") } == nil)
    }
  }

  @Test("keeps answers with what they answer, for a time and in a number", arguments: StorageKind.allCases)
  func answers(kind: StorageKind) async throws {
    struct Refusal: Error {}
    let answer = KeptAnswer(
      id: "c 1", firstSent: Timestamp(milliseconds: 1_000), fingerprint: [1, 0, 255], status: 201, eTag: "\"x\"",
      location: "/a", changedAt: Timestamp(milliseconds: 7), body: [123, 0, 125])
    let bare = KeptAnswer(
      id: "c 2", firstSent: Timestamp(milliseconds: 2_000), fingerprint: [], status: 204, body: [])
    try await kind.use { storage async throws in
      try await storage.write(.first) { list in
        for answer in [answer, bare] { try list.keep(answer) }
        try list.dropAnswers(upTo: .epoch, most: 2, bytes: nil)
      }
      await #expect(throws: Refusal.self) {
        try await storage.write(.first) { list in
          try list.keep(KeptAnswer(id: "undone", firstSent: .epoch, status: 200, body: []))
          try list.dropAnswers(upTo: Timestamp(milliseconds: 5_000), most: 2, bytes: nil)
          throw Refusal()
        }
      }
      let other = ListID(.todoItem, owner: try named("anna"))
      #expect(try await storage.write(other) { try $0.answer("c 1") } == nil)
      #expect(try await storage.write(.first) { try $0.answer("undone") } == nil)
      #expect(try await storage.write(.first) { try $0.answersKeptAfter() } == nil)
      let kept = try await storage.write(.first) { (try $0.answer("c 1"), try $0.answer("c 2")) }
      #expect(kept.0 == answer && kept.1 == bare)

      func keep(_ id: String, sent: Int64, dropping: Int64) async throws -> [Bool] {
        let answer = KeptAnswer(id: id, firstSent: Timestamp(milliseconds: sent), status: 200, body: [1])
        return try await storage.write(.first) { list in
          try list.keep(answer)
          try list.dropAnswers(upTo: Timestamp(milliseconds: dropping), most: 2, bytes: nil)
          return try ["c 1", "c 2", "c 3", "c 4"].map { try list.answer($0) != nil }
        }
      }
      #expect(try await keep("c 3", sent: 3_000, dropping: 0) == [false, true, true, false], "two at most")
      #expect(try await storage.write(.first) { try $0.answersKeptAfter()?.milliseconds } == 1_000)
      let late = try await keep("c 4", sent: 9_000, dropping: 3_000)
      #expect(late == [false, false, false, true], "none that is too old")
      #expect(try await storage.write(.first) { try $0.answersKeptAfter()?.milliseconds } == 3_000)
      let large = try await storage.write(.first) { list in
        for (id, sent, size) in [("c 5", 9_500, 3), ("c 6", 9_700, 6), ("c 7", 9_900, 1)] {
          try list.keep(
            KeptAnswer(
              id: id, firstSent: Timestamp(milliseconds: Int64(sent)), status: 200,
              body: [UInt8](repeating: 1, count: size)))
        }
        try list.dropAnswers(upTo: .epoch, most: 10, bytes: 10)
        let all = try ["c 4", "c 5", "c 6", "c 7"].map { try list.answer($0) != nil }
        try list.dropAnswers(upTo: .epoch, most: 10, bytes: 9)
        return (all, try ["c 4", "c 5", "c 6", "c 7"].map { try list.answer($0) != nil })
      }
      #expect(large.0 == [false, true, true, true], "as many bytes as there is room for")
      #expect(large.1 == [false, false, true, true], "no more")
    }
  }

  private func list(_ table: String, of owner: UserName?) throws -> ListID {
    ListID(try #require(ServedTable(named: table)), owner: owner)
  }
}

extension TableStorage {
  func rows(_ query: ListQuery) async throws -> [ListedRow] {
    try await read(.first) { list in
      var rows: [ListedRow] = []
      try list.forEachRow(of: query) { row in
        rows.append(row)
        return true
      }
      return rows
    }
  }

  func count(_ query: ListQuery) async throws -> Int {
    try await read(.first) { try $0.count(of: query) }
  }

  func ids() async throws -> [RecordID] {
    try await rows(ListQuery(nulls: .sql, limit: 1_000, includesDeleted: true)).map(\.id)
  }
}

extension Record {
  static func made(_ id: RecordID, at milliseconds: Int64) -> Record {
    let moment = Timestamp(milliseconds: milliseconds)
    return Record(
      id: id,
      system: SystemProperties(createdAt: moment, updatedAt: moment, version: RecordVersion("v\(milliseconds)")))
  }
}

extension Result where Failure == any Error {
  /// The error that `body` throws; nil if it throws none.
  static func of(_ body: () async throws -> Success) async -> (any Error)? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error
    }
  }
}
