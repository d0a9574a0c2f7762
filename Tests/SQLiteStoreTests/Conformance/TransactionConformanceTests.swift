import OfflineSync
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
      #expect(try store.operations(ofItem: "a", in: StoreUnderTest.table) == [entry])
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
}
