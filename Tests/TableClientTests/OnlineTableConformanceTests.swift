import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("A table of the server used directly, over every remote table")
struct OnlineTableConformanceTests {
  private func with(
    _ kind: RemoteTableUnderTest, _ test: @escaping @Sendable (OnlineTable, any RemoteTable) throws -> Void
  ) async throws {
    let environment = TestEnvironment().environment
    try await kind.with { remote in
      try test(OnlineTable(RemoteTableUnderTest.table, remote: remote, environment: environment), remote)
    }
  }

  @Test("an item is added, changed, deleted and made live again", arguments: RemoteTableUnderTest.allCases)
  func life(kind: RemoteTableUnderTest) async throws {
    try await with(kind) { table, _ in
      var item = try table.insert(["text": .text("milk"), "complete": .bool(false)])
      #expect(try table.read(item.id)?.values == item.values)
      item.values["text"] = .text("oat milk")
      item = try table.update(item)
      #expect(item.values == ["text": .text("oat milk"), "complete": .bool(false)])
      try table.delete(item.id, version: item.system.version)
      #expect(try table.read(item.id) == nil)
      let again = try table.undelete(Record(id: item.id, values: ["text": .text("milk"), "complete": .bool(true)]))
      #expect(again.values == ["text": .text("milk"), "complete": .bool(true)])
      #expect(try table.read(item.id)?.system.version == again.system.version)
    }
  }

  @Test("from an older version nothing is done, and the server's copy comes", arguments: RemoteTableUnderTest.allCases)
  func conflicts(kind: RemoteTableUnderTest) async throws {
    try await with(kind) { table, _ in
      let old = try table.insert(["text": .text("milk"), "complete": .bool(false)])
      var edited = old
      edited.values["text"] = .text("oat milk")
      let current = try table.update(edited)
      #expect(throws: OnlineTableError.conflict(status: 412, current)) { try table.update(edited) }
      #expect(throws: OnlineTableError.conflict(status: 412, current)) {
        try table.delete(old.id, version: old.system.version)
      }
      #expect(throws: OnlineTableError.conflict(status: 409, current)) { try table.insert(old) }
      #expect(try table.read(old.id) == current)
    }
  }

  @Test("an item nobody knows, or that was deleted, is not found", arguments: RemoteTableUnderTest.allCases)
  func unknown(kind: RemoteTableUnderTest) async throws {
    try await with(kind) { table, _ in
      // So that the table is there.
      _ = try table.insert(["text": .text("milk")])
      #expect(try table.read("nobody") == nil)
      #expect(throws: OnlineTableError.notFound) {
        try table.update(Record(id: "nobody", values: ["text": .text("x")]))
      }
      #expect(throws: OnlineTableError.notFound) { try table.delete("nobody") }
    }
  }

  @Test(
    "a query is read over all its pages: filter, order, skip, limit, select and total",
    arguments: RemoteTableUnderTest.allCases)
  func query(kind: RemoteTableUnderTest) async throws {
    try await with(kind) { table, remote in
      try remote.fill(260)
      _ = try remote.send(.delete(table: RemoteTableUnderTest.table, id: "item101", base: nil))
      for (skip, limit) in [(nil, nil), (3, nil), (nil, 120), (5, 101), (0, 1), (0, 0), (200, 5)] as [(Int?, Int?)] {
        let query = TableQuery(
          table: RemoteTableUnderTest.table, filter: .compare("complete", .equal, .bool(true)),
          order: [SortKey("id", ascending: false)], skip: skip, limit: limit, select: ["id", "text"],
          includesTotalCount: true)
        let (records, total) = try table.read(query)
        let all = (0..<129).map { "item\(359 - 2 * $0)" as RecordID }.dropFirst(skip ?? 0).prefix(limit ?? .max)
        #expect(records.map(\.id) == Array(all), "\(String(describing: skip)), \(String(describing: limit))")
        #expect(records.allSatisfy { $0.values.keys.sorted() == ["text"] })
        #expect(total == 129)
      }
    }
  }
}
