import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every local store: the journal")
struct JournalConformanceTests {
  private func operation(_ itemID: String, _ kind: TableOperation.Kind = .update) -> TableOperation {
    TableOperation(id: 0, table: StoreUnderTest.table, itemID: itemID, kind: kind)
  }

  private func error(_ id: String, of operation: TableOperation) -> TableOperationError {
    TableOperationError(
      id: id, operationID: operation.id, table: operation.table, itemID: operation.itemID, kind: .conflict, status: 412,
      message: "changed", item: stored("a", "mine"), serverItem: stored("a", "theirs", version: "v2"))
  }

  @Test("operations come back in the order they were entered", arguments: StoreUnderTest.allCases)
  func order(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let ids = try store.write { store in try ["b", "a", "c", "a"].map { try store.append(operation($0)).id } }
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == 4)
    try store.read { store throws in
      #expect(try store.operationCount() == 4)
      #expect(try store.operations(after: 0, limit: 10).map(\.itemID) == ["b", "a", "c", "a"])
      #expect(try store.operations(after: ids[0], limit: 2).map(\.id) == [ids[1], ids[2]])
      #expect(try store.operations(ofItem: "a", in: StoreUnderTest.table).map(\.id) == [ids[1], ids[3]])
      #expect(try store.operations(ofItems: ["c", "b"], in: StoreUnderTest.table).map(\.id) == [ids[0], ids[2]])
      #expect(try store.operations(ofItem: "A", in: StoreUnderTest.table).isEmpty)
      #expect(try store.operations(ofItem: "a", in: "Other").isEmpty)
    }
  }

  @Test("the id of an operation is never used again, not even by an empty journal", arguments: StoreUnderTest.allCases)
  func idsAreSpent(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let first = try store.write { try $0.append(operation("a")).id }
    try store.write { try $0.removeOperation(first) }
    #expect(try store.write { try $0.append(operation("a")).id } > first)
  }

  @Test("an operation keeps its kind, its base and what was sent", arguments: StoreUnderTest.allCases)
  func content(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    for kind in TableOperation.Kind.allCases {
      var entry = try store.write { try $0.append(operation("a", kind)) }
      #expect(try store.read { try $0.operations(after: entry.id - 1, limit: 1) } == [entry])
      entry.base = kind == .insert ? nil : stored("a", "before")
      entry.isFrozen = true
      entry.sent = stored("a", "2016-01-01T00:00:00Z", complete: true)
      try store.write { try $0.replace(entry) }
      #expect(try store.read { try $0.operations(after: entry.id - 1, limit: 1) } == [entry])
    }
  }

  @Test("replacing or removing an operation that is gone does nothing", arguments: StoreUnderTest.allCases)
  func gone(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let entry = try store.write { try $0.append(operation("a")) }
    try store.write { store throws in
      try store.removeOperation(entry.id)
      try store.removeOperation(entry.id)
      try store.replace(entry)
    }
    #expect(try store.read { try $0.operationCount() } == 0)
  }

  @Test("an operation has one error, the last", arguments: StoreUnderTest.allCases)
  func errors(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let (first, second) = try store.write { (try $0.append(operation("a")), try $0.append(operation("b"))) }
    try store.write { store throws in
      try store.save(error("e2", of: second))
      try store.save(error("e1", of: first))
      try store.save(error("e3", of: first))
    }
    try store.read { store throws in
      #expect(try store.operationError(of: first.id) == error("e3", of: first))
      #expect(try store.operationErrors().map(\.id) == ["e3", "e2"])
      #expect(try store.operationErrors(ofItems: ["b"], in: StoreUnderTest.table).map(\.id) == ["e2"])
      #expect(try store.operationErrors(ofItems: ["a", "b"], in: "Other").isEmpty)
    }
    try store.write { try $0.removeError(of: first.id) }
    #expect(try store.read { try $0.operationError(of: first.id) } == nil)
    #expect(try store.read { try $0.operationErrors().count } == 1)
  }

  @Test("tokens belong to a table and a query", arguments: StoreUnderTest.allCases)
  func tokens(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let early = DeltaToken(Timestamp(milliseconds: 1_795_000_000_001))
    let late = DeltaToken(Timestamp(milliseconds: 1_795_000_000_002))
    try store.write { store throws in
      try store.setDeltaToken(early, table: "T", queryID: "q")
      try store.setDeltaToken(late, table: "T", queryID: "q")
      try store.setDeltaToken(early, table: "U", queryID: "q")
    }
    try store.read { store throws in
      #expect(try store.deltaToken(table: "T", queryID: "q") == late)
      #expect(try store.deltaToken(table: "U", queryID: "q") == early)
      #expect(try store.deltaToken(table: "T", queryID: "Q") == nil)
    }
  }

  @Test("a row set aside comes back whole, the latest for its id and table", arguments: StoreUnderTest.allCases)
  func shadows(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    var tombstone = stored("a", "gone", version: "v2")
    tombstone.system.deleted = true
    tombstone.values["colour"] = .text("red")
    try store.write { store throws in
      try store.setShadow(stored("a"), in: "T")
      try store.setShadow(tombstone, in: "T")
    }
    #expect(try store.read { try $0.shadow(of: "a", in: "T") } == tombstone)
    #expect(try store.read { try $0.shadow(of: "a", in: "U") } == nil)
    try store.write { try $0.removeShadow(of: "a", in: "T") }
    try store.write { try $0.removeShadow(of: "a", in: "T") }
    #expect(try store.read { try $0.shadow(of: "a", in: "T") } == nil)
  }

  @Test("a fact is what was last said", arguments: StoreUnderTest.allCases)
  func facts(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { try $0.setFact("a", "one") }
    try store.write { try $0.setFact("a", "two") }
    #expect(try store.read { try $0.fact("a") } == "two")
    #expect(try store.read { try $0.fact("b") } == nil)
  }
}
