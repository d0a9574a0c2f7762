import OfflineSync
import Support
import TableProtocol
import Testing

/// What a store may do faster in one go: it must come to the same as one by one.
@Suite("Every local store: many at once")
struct BulkConformanceTests {
  /// More than fit into one statement.
  private static let many = (0..<1_203).map { "item\($0)" as RecordID }

  private func operation(_ itemID: RecordID, table: String = StoreUnderTest.table) -> TableOperation {
    TableOperation(id: 0, table: table, itemID: itemID, kind: .update, base: stored(itemID, "before"))
  }

  @Test("the rows of some ids are those that are there", arguments: StoreUnderTest.allCases)
  func records(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { try $0.upsert(Self.many.map { stored($0, $0.text) }, in: StoreUnderTest.table) }
    let wanted = Self.many.dropFirst(2) + ["nobody", "ITEM5"]
    let found = try store.read { try $0.records(Array(wanted), in: StoreUnderTest.table) }
    #expect(found.map(\.id).sorted() == Self.many.dropFirst(2).sorted())
    #expect(found.allSatisfy { $0 == stored($0.id, $0.id.text) })
    #expect(try store.read { try $0.records([], in: StoreUnderTest.table) }.isEmpty)
  }

  @Test(
    "the versions of some ids are those of the rows that are there, sent or not", arguments: StoreUnderTest.allCases)
  func versions(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("a", version: "v7"), Record(id: "new"))
    let versions = try store.read { try $0.versions(of: ["a", "new", "nobody"], in: StoreUnderTest.table) }
    #expect(versions == ["a": RecordVersion("v7"), "new": nil as RecordVersion?])
    #expect(versions.keys.sorted() == ["a", "new"])
    #expect(throws: StoreError.self) { try store.read { try $0.versions(of: ["a"], in: "Nothing") } }
  }

  @Test("the digest is of the rows that have a version and are not deleted", arguments: StoreUnderTest.allCases)
  func digest(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    #expect(try store.read { try $0.digest(of: StoreUnderTest.table) } == TableDigest())
    var tombstone = stored("gone", version: "v3")
    tombstone.system.deleted = true
    try store.put(stored("a", version: "v7"), stored("買い物", version: "é\""), Record(id: "new"), tombstone)
    var expected = TableDigest()
    expected.add("a", RecordVersion("v7"))
    expected.add("買い物", RecordVersion("é\""))
    for _ in 0..<2 { #expect(try store.read { try $0.digest(of: StoreUnderTest.table) } == expected) }
    #expect(throws: StoreError.self) { try store.read { try $0.digest(of: "Nothing") } }
  }

  @Test(
    "the operations of several items are found in their table, those of one item oldest first",
    arguments: StoreUnderTest.allCases)
  func several(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store throws in
      let ids = try ["a", "c", "a", "c"].map { try store.append(operation(RecordID($0))).id }
      try store.append(operation("b"))
      try store.append(operation("b", table: "Other"))
      let found = try store.operations(ofItems: ["a", "b", "nobody"], in: StoreUnderTest.table)
      #expect(found.map(\.itemID).sorted() == ["a", "a", "b"])
      #expect(found.filter { $0.itemID == "a" }.map(\.id) == [ids[0], ids[2]])
      #expect(try store.operations(ofItems: ["a", "b"], in: "Other").map(\.itemID) == ["b"])
    }
  }

  @Test("a mark changes nothing else of its operations", arguments: StoreUnderTest.allCases)
  func mark(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    var kept = operation("kept")
    kept.sent = stored("kept", "買 \"sent\"")
    kept.isMarked = true
    let entries = try store.write { store in try (Self.many.map { operation($0) } + [kept]).map(store.append) }
    try store.write { try $0.mark(entries.dropFirst().map(\.id)) }
    let after = try store.read { try $0.operations(after: 0, limit: 2_000) }
    let expected = entries.enumerated().map { index, entry in
      var entry = entry
      entry.isMarked = index > 0
      return entry
    }
    #expect(after == expected)
  }

  @Test("operations are removed, and those that are gone do no harm", arguments: StoreUnderTest.allCases)
  func remove(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let ids = try store.write { store in try Self.many.map { try store.append(operation($0)).id } }
    try store.write { try $0.removeOperations(ids.dropFirst(2) + [999_999]) }
    try store.write { try $0.removeOperations([]) }
    #expect(try store.read { try $0.operations(after: 0, limit: 10).map(\.id) } == Array(ids.prefix(2)))
  }

  @Test(
    "a change in parts gets each with its rows, in order, and ends when it is told to",
    arguments: StoreUnderTest.allCases)
  func parts(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { try $0.upsert(Self.many.map { stored($0, $0.text) }, in: StoreUnderTest.table) }
    var taken: [RecordID] = []
    try store.write { store throws in
      try store.forEach(
        Self.many.chunked(by: 100), load: { try $0.records(Array($1), in: StoreUnderTest.table) }
      ) { part, rows in
        #expect(Set(rows.map(\.id)) == Set(part) && rows.allSatisfy { $0.values["text"] == .text($0.id.text) })
        try store.upsert(rows.map { stored($0.id, "changed") }, in: StoreUnderTest.table)
        taken += part
        return taken.count < 700 ? .goOn : .stop
      }
    }
    #expect(taken == Array(Self.many.prefix(700)))
    let texts = try store.read { try $0.records(Self.many, in: StoreUnderTest.table) }.map { $0.values["text"] }
    #expect(texts.filter { $0 == .text("changed") }.count == 700)
  }

  @Test("a store that reads beside a change loads each part as it was before the change")
  func partsBeside() throws {
    let (store, folder) = try StoreUnderTest.sqlite.open()
    defer { withExtendedLifetime(folder) {} }
    var seen: [String?] = []
    try store.write { store throws in
      try store.forEach(Array(0..<20), load: { store, _ in try store.fact("parts") }) { part, fact in
        seen.append(fact)
        try store.setFact("parts", String(part))
        return .goOn
      }
    }
    #expect(seen == Array(repeating: nil, count: 20))
    #expect(try store.read { try $0.fact("parts") } == "19")
  }

  @Test("a change in parts that can't be loaded changes nothing and says why", arguments: StoreUnderTest.allCases)
  func partsThatFail(kind: StoreUnderTest) throws {
    struct Unreadable: Error {}
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    #expect(throws: Unreadable.self) {
      try store.write { store throws in
        try store.forEach(Array(0..<20), load: { _, part in if part == 13 { throw Unreadable() } else { part } }) {
          part, loaded in
          #expect(part == loaded)
          try store.upsert([stored(RecordID("item\(part)"))], in: StoreUnderTest.table)
          return .goOn
        }
      }
    }
    #expect(try store.ids().isEmpty)
  }
}
