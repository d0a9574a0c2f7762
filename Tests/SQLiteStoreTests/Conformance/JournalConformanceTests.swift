import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every local store: the journal")
struct JournalConformanceTests {
  private func operation(_ itemID: RecordID, _ kind: TableOperation.Kind = .update) -> TableOperation {
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
      #expect(try store.operations(ofItems: ["a"], in: StoreUnderTest.table).map(\.id) == [ids[1], ids[3]])
      #expect(try Set(store.operations(ofItems: ["c", "b"], in: StoreUnderTest.table).map(\.id)) == [ids[0], ids[2]])
      #expect(try store.operations(ofItems: ["A"], in: StoreUnderTest.table).isEmpty)
      #expect(try store.operations(ofItems: ["a"], in: "Other").isEmpty)
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
      entry.isMarked = true
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
      #expect(try store.operationErrors().first(where: { $0.operationID == first.id }) == error("e3", of: first))
      #expect(try store.operationErrors().map(\.id) == ["e3", "e2"])
      #expect(try store.operationErrors(ofItems: ["b"], in: StoreUnderTest.table).map(\.id) == ["e2"])
      #expect(try store.operationErrors(ofItems: ["a", "b"], in: "Other").isEmpty)
      #expect(try store.operationErrors(of: [second.id, second.id + 1]).map(\.id) == ["e2"])
      #expect(try Set(store.operationErrors(of: [second.id, first.id]).map(\.id)) == ["e2", "e3"])
      #expect(try store.operationErrors(of: []).isEmpty)
    }
    try store.write { try $0.removeError(of: first.id) }
    #expect(try store.read { try $0.operationErrors().first(where: { $0.operationID == first.id }) } == nil)
    #expect(try store.read { try $0.operationErrors().count } == 1)
  }

  @Test(
    "the operations of one table are counted by themselves, and so are the records that have some",
    arguments: StoreUnderTest.allCases)
  func counts(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store throws in
      for id: RecordID in ["a", "b", "a"] { try store.append(operation(id)) }
      let other = try store.append(TableOperation(id: 0, table: "Other", itemID: "a", kind: .delete))
      #expect(try store.operationCount(in: StoreUnderTest.table) == 3)
      #expect(try store.operationCount(in: "Other") == 1)
      #expect(try store.operationCount(in: "Nothing") == 0)
      #expect(try store.changedItemCount(in: StoreUnderTest.table) == 2)
      #expect(try store.changedItemCount(in: "Nothing") == 0)
      #expect(try store.changedItemCount(in: nil) == 3, "one id in two tables is two records")
      try store.removeOperation(other.id)
      #expect(try store.operationCount(in: "Other") == 0)
      #expect(try store.operationCount() == 3)
    }
  }
}
