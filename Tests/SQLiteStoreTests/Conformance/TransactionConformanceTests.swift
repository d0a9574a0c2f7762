import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import Testing

@Suite("Every local store: transactions")
struct TransactionConformanceTests {
  private struct Stop: Error {}

  @Test("of a transaction that throws nothing has happened", arguments: StoreUnderTest.allCases)
  func rollback(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("a", "before"))
    #expect(throws: Stop.self) {
      try store.write { store throws in
        try store.upsert([stored("a", "after"), stored("b")], in: StoreUnderTest.table)
        try store.append(TableOperation(id: 0, table: StoreUnderTest.table, itemID: "a", kind: .update))
        try store.setDeltaToken(DeltaToken(.epoch), table: "T", queryID: "q")
        try store.setFact("name", "value")
        throw Stop()
      }
    }
    #expect(try store.row("a") == stored("a", "before"))
    #expect(try store.ids() == ["a"])
    try store.read { store throws in
      #expect(try store.operationCount() == 0)
      #expect(try store.deltaToken(table: "T", queryID: "q") == nil)
      #expect(try store.fact("name") == nil)
    }
  }

  @Test("a database error in a transaction undoes what was before it", arguments: StoreUnderTest.allCases)
  func rollbackOnError(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    #expect(throws: StoreError.self) {
      try store.write { store throws in
        try store.upsert([stored("a")], in: StoreUnderTest.table)
        try store.upsert([stored("a")], in: "Nothing")
      }
    }
    #expect(try store.ids().isEmpty)
  }

  @Test("inside a transaction its own changes are seen", arguments: StoreUnderTest.allCases)
  func ownChanges(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store throws in
      try store.upsert([stored("a", "milk")], in: StoreUnderTest.table)
      #expect(try store.record("a", in: StoreUnderTest.table)?.values["text"] == .text("milk"))
      let entry = try store.append(TableOperation(id: 9, table: StoreUnderTest.table, itemID: "a", kind: .insert))
      #expect(try store.operations(ofItems: ["a"], in: StoreUnderTest.table) == [entry])
    }
  }

  @Test("a read stays on one state though another transaction commits meanwhile", arguments: StoreUnderTest.allCases)
  func snapshot(kind: StoreUnderTest) async throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("a", "before"))
    try await blocking { () throws in
      try store.read { reader throws in
        #expect(try reader.record("a", in: StoreUnderTest.table)?.values["text"] == .text("before"))
        try store.put(stored("a", "after"))
        #expect(try reader.record("a", in: StoreUnderTest.table)?.values["text"] == .text("before"))
      }
    }
    #expect(try store.row("a")?.values["text"] == .text("after"))
  }

  @Test("transactions from many threads come one after another", arguments: StoreUnderTest.allCases)
  func oneAtATime(kind: StoreUnderTest) async throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { try $0.setFact("count", "0") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try store.write { store throws in
            let count = Int(try store.fact("count") ?? "") ?? 0
            try store.setFact("count", String(count + 1))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.read { try $0.fact("count") } == "20")
  }

  /// One write of each kind; each changes something.
  private static let writes: [@Sendable (any StoreWriter) throws -> Void] = [
    { try $0.upsert([stored("a", "milk")], in: StoreUnderTest.table) },
    { try $0.append(TableOperation(id: 0, table: StoreUnderTest.table, itemID: "a", kind: .update)) },
    { store in try store.mark(store.operations(after: 0, limit: 9).map(\.id)) },
    { try $0.setDeltaToken(DeltaToken(.epoch), table: StoreUnderTest.table, queryID: "q") },
    { try $0.setFact("name", "value") },
    { try $0.removeFact("name") },
    { store in try store.removeOperations(store.operations(after: 0, limit: 9).map(\.id)) },
    { try $0.remove(["a"], from: StoreUnderTest.table) },
  ]

  @Test("the revision stays while nothing is written, and every write changes it", arguments: StoreUnderTest.allCases)
  func revision(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    var known = try #require(try store.write { try $0.revision() })
    #expect(try store.ids().isEmpty)
    #expect(try store.write { try $0.operationCount() } == 0)
    #expect(try store.write { try $0.revision() } == known)
    for write in Self.writes {
      let reached = try store.write { store in
        #expect(try store.revision() == known)
        try write(store)
        return try store.revision()
      }
      #expect(reached != known)
      #expect(try store.write { try $0.revision() } == reached)
      known = try #require(reached)
    }
  }

  @Test("a write of another program changes the revision, a read of it does not")
  func revisionOfOthers() throws {
    let (store, folder) = try StoreUnderTest.sqlite.open()
    let other = try SQLiteStore(path: folder.file("ebb.sqlite"))
    var known = try #require(try store.write { try $0.revision() })
    #expect(try other.read { try $0.operationCount() } == 0)
    #expect(try store.write { try $0.revision() } == known)
    for write in Self.writes {
      try other.write(write)
      let reached = try store.write { try $0.revision() }
      #expect(reached != known)
      known = try #require(reached)
    }
  }
}
