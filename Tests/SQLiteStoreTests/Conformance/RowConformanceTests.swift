import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every local store: rows")
struct RowConformanceTests {
  @Test("a row survives with its server's columns", arguments: StoreUnderTest.allCases)
  func roundTrip(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let live = stored("a", "milk", complete: true)
    var dead = stored("b", "bread")
    dead.system.deleted = true
    try store.put(live, dead)
    #expect(try store.row("a") == live)
    #expect(try store.row("b") == dead)
    #expect(try store.row("c") == nil)
  }

  @Test("an upsert changes the columns it has and keeps the others", arguments: StoreUnderTest.allCases)
  func merge(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("a", "milk", complete: true))
    try store.put(Record(id: "a", values: ["text": .text("oat milk")]))
    #expect(try store.row("a") == stored("a", "oat milk", complete: true))
    try store.put(Record(id: "a", system: SystemProperties(version: RecordVersion("v2"))))
    #expect(try store.row("a") == stored("a", "oat milk", complete: true, version: "v2"))
  }

  @Test("of two records with one id in a call the later one wins", arguments: StoreUnderTest.allCases)
  func duplicates(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("a", "first"), stored("a", "second"))
    #expect(try store.ids() == ["a"])
    #expect(try store.row("a")?.values["text"] == .text("second"))
  }

  @Test("columns the table does not have are dropped, and none leaks out", arguments: StoreUnderTest.allCases)
  func unknownColumns(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Record(id: "a", values: ["text": .text("milk"), "colour": .text("red")]))
    #expect(try store.row("a")?.values == ["text": .text("milk"), "complete": .bool(false)])
  }

  @Test("null in a column that has none is its empty value", arguments: StoreUnderTest.allCases)
  func nulls(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Record(id: "a", values: ["text": .null, "complete": .null]))
    #expect(try store.row("a")?.values == ["text": .text(""), "complete": .bool(false)])
  }

  @Test("a value is of its column's type, whatever it looks like", arguments: StoreUnderTest.allCases)
  func types(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Record(id: "a", values: ["text": .text("2016-01-01T00:00:00Z"), "complete": .integer(1)]))
    try store.put(Record(id: "b", values: ["text": .integer(7)]))
    try store.put(Record(id: "c", values: ["text": .text("12")]))
    #expect(try store.row("a")?.values == ["text": .text("2016-01-01T00:00:00Z"), "complete": .bool(true)])
    #expect(try store.row("b")?.values["text"] == .text("7"))
    #expect(try store.row("c")?.values["text"] == .text("12"))
  }

  @Test("ids are compared exactly", arguments: StoreUnderTest.allCases)
  func exactIDs(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("a"), stored("A"), stored("e\u{301}"), stored("\u{E9}"), stored("a b"))
    #expect(try store.ids() == ["A", "a", "a b", "e\u{301}", "\u{E9}"])
    try store.write { try $0.remove(["A", "\u{E9}"], from: store.table) }
    #expect(try store.row("A") == nil)
    #expect(try store.row("a") != nil)
    #expect(try store.row("e\u{301}") != nil)
  }

  @Test("removing one, several, none or rows that are not there is fine", arguments: StoreUnderTest.allCases)
  func remove(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("a"), stored("b"), stored("c"), stored("d"))
    try store.write { store throws in
      try store.remove(["a"], from: StoreUnderTest.table)
      try store.remove(["b", "nobody", "c"], from: StoreUnderTest.table)
      try store.remove([], from: StoreUnderTest.table)
    }
    #expect(try store.ids() == ["d"])
  }

  @Test("the ids that begin so are found, in order", arguments: StoreUnderTest.allCases)
  func prefixes(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(stored("ab2"), stored("ab1"), stored("ac"), stored("AB"))
    #expect(try store.read { try $0.ids(beginning: "ab", in: store.table) } == ["ab1", "ab2"])
    #expect(try store.read { try $0.ids(beginning: "", in: store.table) } == ["AB", "ab1", "ab2", "ac"])
  }

  @Test("ids that begin with the last characters of Unicode are found too", arguments: StoreUnderTest.allCases)
  func lastCharacters(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let last = "\u{10FFFF}"
    let all: [RecordID] = ["a", "a\u{D7FF}", "a\u{E000}", "a\u{10FFFF}b", "b", "\u{10FFFF}c"]
    for id in all { try store.put(stored(id)) }
    for (prefix, ids) in [
      ("", all), ("a", Array(all.prefix(4))), ("a\(last)", [all[3]]), ("a\u{D7FF}", [all[1]]), (last, [all[5]]),
      (last + last, []),
    ] {
      #expect(try store.read { try $0.ids(beginning: prefix, in: store.table) } == ids)
    }
  }

  @Test("a table that is not there is an error, whatever is asked", arguments: StoreUnderTest.allCases)
  func unknownTable(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    #expect(throws: StoreError.self) { try store.write { try $0.upsert([stored("a")], in: "Nothing") } }
    #expect(throws: StoreError.self) { try store.read { try $0.record("a", in: "Nothing") } }
    #expect(throws: StoreError.self) { try store.write { try $0.remove(["a"], from: "Nothing") } }
    #expect(throws: StoreError.self) { try store.read { try $0.records(TableQuery(table: "Nothing")) } }
    #expect(throws: StoreError.self) { try store.read { try $0.ids(beginning: "", in: "Nothing") } }
  }
}
