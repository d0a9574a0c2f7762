import Chance
import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every local store: what a list on a screen asks")
struct RowQueryConformanceTests {
  private static let byTime = [RowKey(.column("createdAt")), RowKey(.column("id"))]

  private static func row(_ id: RecordID, _ text: String, at moment: Int64 = 0, complete: Bool = false) -> Record {
    Record(
      id: id, values: ["text": .text(text), "complete": .bool(complete)],
      system: SystemProperties(createdAt: Timestamp(milliseconds: moment)))
  }

  private func ids(_ store: any LocalStore, _ query: RowQuery) throws -> [RecordID] {
    try store.read { try $0.records(query).map(\.id) }
  }

  @Test("a word fits as its pattern says", arguments: StoreUnderTest.allCases)
  func patterns(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(
      Self.row("a", "Call Plumber"), Self.row("b", "play umbrella"), Self.row("c", "ÉTÉ à +Paris"),
      Self.row("d", "a+paris "),
      Self.row("e", "+paris2 été"), Self.row("f", ""))
    func found(_ word: String, _ fit: TextPattern.Fit) throws -> [RecordID] {
      let condition = RowCondition.fits(column: "text", TextPattern(word, fit))
      let query = RowQuery(table: store.table, condition: condition)
      let found = try ids(store, query)
      #expect(try store.read { try $0.count(query) } == found.count)
      #expect(try ids(store, RowQuery(table: store.table, condition: .not(condition))).count == 6 - found.count)
      return found
    }
    #expect(try found("plumb", .contained) == ["a"])
    #expect(try found("PLMB", .loosely) == ["a"])
    #expect(try found("plmb", .contained) == [])
    #expect(try found("été", .contained) == ["c", "e"])
    #expect(try found("ét", .wordBeginning) == ["c", "e"])
    #expect(try found("+paris", .wordBeginning) == ["c", "e"])
    #expect(try found("+PARIS", .wholeWord) == ["c"])
    #expect(try found("", .contained).count == 6)
    #expect(try found("%", .contained) == [])
  }

  @Test(
    "letters match without accents, in either form, in the word and in the text", arguments: StoreUnderTest.allCases)
  func accents(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(
      Self.row("a", "call Léo"), Self.row("b", "call Le\u{301}o +cafe\u{301}"), Self.row("c", "leo"),
      Self.row("d", "łódź Жёлтый"), Self.row("e", "かき"), Self.row("f", "がき"))
    func found(_ word: String, _ fit: TextPattern.Fit) throws -> [RecordID] {
      try ids(
        store, RowQuery(table: store.table, condition: .fits(column: "text", TextPattern(word, fit))))
    }
    for word in ["leo", "LEO", "léo", "LE\u{301}O"] {
      #expect(try found(word, .contained) == ["a", "b", "c"], "\(word)")
      #expect(try found(word, .wholeWord) == ["a", "b", "c"], "\(word)")
    }
    #expect(try found("+cafe", .wholeWord) == ["b"])
    #expect(try found("clo", .loosely) == [])
    #expect(try found("ldz", .loosely) == ["d"])
    #expect(try found("желтыи", .contained) == ["d"])
    #expect(try found("か", .contained) == ["e"])
    #expect(try found("\u{301}", .contained) == ["b"])
  }

  @Test(
    "only what stands below the first line is its note, and no date is read there", arguments: StoreUnderTest.allCases)
  func lines(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(
      Self.row("a", "milk\noat on:2026-01-01\n+shop"), Self.row("b", "oat on:2026-01-02\nmilk"), Self.row("c", "oat"),
      Self.row("d", "\non:2026-01-03"))
    func found(_ condition: RowCondition) throws -> [RecordID] {
      try ids(store, RowQuery(table: store.table, condition: condition))
    }
    #expect(try found(.fits(column: "text", TextPattern("oat", .belowFirstLine))) == ["a"])
    #expect(try found(.fits(column: "text", TextPattern("milk", .belowFirstLine))) == ["b"])
    #expect(try found(.fits(column: "text", TextPattern("+sho", .wordBeginning))) == ["a"])
    #expect(try found(.fits(column: "text", TextPattern("\n", .contained))) == ["a", "b", "d"])
    #expect(try found(.fits(column: "text", TextPattern("mo", .loosely))) == [])
    #expect(try found(.has(.date("text", after: "on:"))) == ["b"])
  }

  @Test("either of several conditions is enough, and of none none", arguments: StoreUnderTest.allCases)
  func either(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Self.row("a", "milk"), Self.row("b", "bread"), Self.row("c", "oat milk"))
    func found(_ condition: RowCondition) throws -> [RecordID] {
      try ids(store, RowQuery(table: store.table, condition: condition))
    }
    let (milk, bread, oat) = (Self.word("milk"), Self.word("bread"), Self.word("oat"))
    #expect(try found(.any([milk, bread])) == ["a", "b", "c"])
    #expect(try found(.any([.all([milk, oat]), bread])) == ["b", "c"])
    #expect(try found(.all([.any([bread, oat]), milk])) == ["c"])
    #expect(try found(.not(.any([bread, oat]))) == ["a"])
    #expect(try found(.any([])) == [])
  }

  private static func word(_ word: String) -> RowCondition {
    .fits(column: "text", TextPattern(word, .contained))
  }

  @Test(
    "a column turned true when the last version without it ended; of a row that came so, that is not known",
    arguments: StoreUnderTest.allCases)
  func turned(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let open = { (id: RecordID) in Self.row(id, "x \"complete\":true") }
    let done = { (id: RecordID) in Self.row(id, "x", complete: true) }
    var stored = done("b")
    stored.system.updatedAt = Timestamp(milliseconds: 20)
    try store.put(done("a"), stored, open("c"), done("d"), done("e"), done("f"))
    let versions: [(RecordID, Record?, Int64?)] = [
      ("a", nil, 1), ("a", open("a"), 30), ("c", open("c"), 10), ("d", open("d"), 5), ("d", nil, 6),
      ("e", open("e"), 7), ("e", done("e"), 40), ("f", open("f"), nil),
    ]
    try store.write { store in
      let noted = versions.map { id, before, moment in
        (itemID: id, version: Self.version(before, moment))
      }
      try store.appendPastVersions(noted, in: StoreUnderTest.table, keeping: 50, of: 100)
    }
    let value = RowValue.turnedTrue("complete")
    func found(_ condition: RowCondition) throws -> [RecordID] {
      try ids(store, RowQuery(table: store.table, condition: condition))
    }
    let (seven, eight) = (Timestamp(milliseconds: 7).text, Timestamp(milliseconds: 8).text)
    #expect(try found(.compare(value, .less, eight)) == ["e"])
    #expect(try found(.compare(value, .greater, seven)) == ["a"])
    #expect(try found(.has(value)) == ["a", "e"])
    #expect(try found(.not(.has(value))) == ["b", "c", "d", "f"])
    let newest = RowQuery(table: store.table, order: [RowKey(value, ascending: false), RowKey(.column("id"))])
    #expect(try ids(store, newest) == ["a", "e", "b", "c", "d", "f"])
    var rest = newest
    rest.start = .after(done("e"))
    #expect(try ids(store, rest) == ["b", "c", "d", "f"])
    #expect(try store.read { try $0.counts(newest, by: value)[""] } == 4)
  }

  private static func version(_ before: Record?, _ milliseconds: Int64?) -> PastVersion {
    PastVersion(before: before, changedAt: milliseconds.map(Timestamp.init(milliseconds:)), origin: .here)
  }

  @Test("a value that is absent lies nowhere, and is sorted last", arguments: StoreUnderTest.allCases)
  func values(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(
      Self.row("a", "x"), Self.row("b", "on:2026-12-24"), Self.row("c", "on:2026-01-01"), Self.row("d", "on:2026-02-30")
    )
    let date = RowValue.date("text", after: "on:")
    func found(_ condition: RowCondition) throws -> [RecordID] {
      try ids(store, RowQuery(table: store.table, condition: condition))
    }
    #expect(try found(.has(date)) == ["b", "c"])
    #expect(try found(.compare(date, .less, "2026-12-24")) == ["c"])
    #expect(try found(.compare(date, .greater, "2026-01-01")) == ["b"])
    #expect(try found(.compare(date, .equal, "2026-01-01")) == ["c"])
    #expect(try found(.not(.compare(date, .equal, "2026-01-01"))) == ["a", "b", "d"])
    #expect(try found(.all([])) == ["a", "b", "c", "d"])
    let order = [RowKey(date), RowKey(.column("id"), ascending: false)]
    #expect(try ids(store, RowQuery(table: store.table, order: order)) == ["c", "b", "d", "a"])
  }

  @Test("texts are gone through without the rest, and what throws ends it", arguments: StoreUnderTest.allCases)
  func texts(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Self.row("a", "x"), Self.row("b", "y", complete: true), Self.row("c", "z"))
    let query = RowQuery(table: store.table, condition: .matches(.compare("complete", .equal, .bool(false))))
    var texts: [String] = []
    try store.read { try $0.forEachText(of: "text", query) { texts.append($0) } }
    #expect(texts.sorted() == ["x", "z"])
    struct Stop: Error {}
    var seen = 0
    #expect(throws: Stop.self) {
      try store.read { reader in
        try reader.forEach(query) { _ in
          seen += 1
          throw Stop()
        }
      }
    }
    #expect(seen == 1)
  }

  @Test(
    "columns are read in the order of the rows, and a name the table has not is an error",
    arguments: StoreUnderTest.allCases)
  func columns(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Self.row("b", "x", complete: true), Self.row("a", "x"), Self.row("c", "k"))
    let order = [RowKey(.caseless("text")), RowKey(.column("id"))]
    var rows: [String] = []
    try store.read { reader in
      let query = RowQuery(table: store.table, order: order, limit: 2)
      try reader.forEach(query, columns: ["complete", "text"]) { id, values in
        rows.append("\(id) \(values[0].bool == true) \(values[1].text ?? "")")
      }
    }
    #expect(rows == ["c false k", "a false x"])
  }

  @Test("rows with a change that waits are found, each once, without an order too", arguments: StoreUnderTest.allCases)
  func pending(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Self.row("a", "x"), Self.row("b", "y"), Self.row("c", "z"))
    try store.write { store in
      for id in ["c", "a", "c", "gone"] as [RecordID] {
        try store.append(TableOperation(id: 0, table: "TodoItem", itemID: id, kind: .update))
      }
      try store.append(TableOperation(id: 0, table: "Other", itemID: "b", kind: .update))
    }
    var ids: [RecordID] = []
    try store.read { reader in
      let query = RowQuery(table: store.table, condition: .isPending, order: [])
      try reader.forEach(query, columns: []) { id, values in ids.append(values.isEmpty ? id : "") }
    }
    #expect(ids.sorted() == ["a", "c"])
  }

  @Test("an order is prepared once, and its rows stay the same", arguments: StoreUnderTest.allCases)
  func prepare(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Self.row("b", "x"), Self.row("a", "X"), Self.row("c", "A"))
    let order = [RowKey(.caseless("text")), RowKey(.column("id"))]
    let index = RowIndex(name: "by_text", table: store.table, flag: RowIndex.Flag("complete", is: false), order: order)
    for _ in 0..<2 {
      #expect(try ids(store, RowQuery(table: store.table, order: order)) == ["c", "a", "b"])
      try store.write { try $0.prepare(index) }
      #expect(try store.read { try $0.isPrepared(index) })
    }
    let other = RowIndex(name: "by_text", table: store.table, order: [RowKey(.column("id"))])
    try store.write { try $0.prepare(other) }
    #expect(try store.read { try $0.isPrepared(other) })
  }

  @Test("an index of rows with a flag is true to them while the flag changes", arguments: StoreUnderTest.allCases)
  func flagged(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.put(Self.row("b", "x"), Self.row("a", "Y"), Self.row("c", "a", complete: true))
    let order = [RowKey(.caseless("text")), RowKey(.column("id"))]
    for isDone in [false, true] {
      let index = RowIndex(
        name: "by_text\(isDone)", table: store.table, flag: RowIndex.Flag("complete", is: isDone), order: order)
      try store.write { try $0.prepare(index) }
    }
    func found(_ isDone: Bool) throws -> [RecordID] {
      let condition = RowCondition.matches(.compare("complete", .equal, .bool(isDone)))
      return try ids(store, RowQuery(table: store.table, condition: condition, order: order))
    }
    #expect(try found(false) == ["b", "a"] && found(true) == ["c"])
    try store.put(Self.row("b", "x", complete: true), Self.row("c", "z"))
    #expect(try found(false) == ["a", "c"] && found(true) == ["b"])
    try store.write { try $0.remove(["a"], from: store.table) }
    #expect(try found(false) == ["c"] && found(true) == ["b"])
  }

  @Test("both stores give the same rows for any query", arguments: 1...20)
  func random(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let stores = try StoreUnderTest.allCases.map { try $0.open() }
    defer { withExtendedLifetime(stores) {} }
    let parts = [
      "(A) ", "(B) ", "due:2026-12-24", "due:2026-02-30", " ", " ", "+shop", "Milk", "élan", "ELAN", "e\u{301}", "a",
      "Z",
      "~", "\t", "\n",
    ]
    let rows = (0..<40).map { number in
      var row = Self.row(
        "id\(number)", (0..<4).compactMap { _ in parts.randomElement(using: &random) }.joined(),
        at: .random(in: 0..<4, using: &random), complete: .random(using: &random))
      if Bool.random(using: &random) {
        row.system.updatedAt = Timestamp(milliseconds: .random(in: 0..<4, using: &random))
      }
      return row
    }
    let versions = Self.pastVersions(of: rows, &random)
    for (store, _) in stores {
      try store.write { writer in
        try writer.upsert(rows, in: store.table)
        try writer.appendPastVersions(versions, in: store.table, keeping: 50, of: 1_000)
      }
    }
    for _ in 0..<60 {
      let query = try Self.query(rows, parts, &random)
      let answers = try stores.map { store, _ in
        (try ids(store, query), try store.read { try $0.count(query) })
      }
      #expect(answers[0].0 == answers[1].0 && answers[0].1 == answers[1].1, "seed \(seed): \(query)")
    }
  }

  /// Up to three of each row: of no row, of an open one, or of one that is done, some without the time of the change.
  private static func pastVersions(
    of rows: [Record], _ random: inout SeededGenerator
  ) -> [(itemID: RecordID, version: PastVersion)] {
    var versions: [(itemID: RecordID, version: PastVersion)] = []
    for row in rows {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        var before: Record?
        if Int.random(in: 0..<3, using: &random) > 0 {
          before = Self.row(row.id, "before", complete: .random(using: &random))
        }
        let moment = Int64.random(in: 0..<6, using: &random)
        versions.append((itemID: row.id, version: Self.version(before, moment == 0 ? nil : moment)))
      }
    }
    return versions
  }

  private static func query(
    _ rows: [Record], _ parts: [String], _ random: inout SeededGenerator
  ) throws -> RowQuery {
    let values: [RowValue] = [
      .caseless("text"), .optional("updatedAt"), .capital("text", between: "(", and: ") "),
      .date("text", after: "due:"), .column("text"), .turnedTrue("complete"),
    ]
    let value = try #require(values.randomElement(using: &random))
    let word = try #require(parts.randomElement(using: &random))
    let fit = try #require(TextPattern.Fit.allCases.randomElement(using: &random))
    let conditions: [RowCondition?] = [
      nil, .matches(.compare("complete", .equal, .bool(true))), .fits(column: "text", TextPattern(word, fit)),
      .has(value),
      .compare(.date("text", after: "due:"), .less, "2026-12-25"), .not(.fits(column: "text", TextPattern(word, fit))),
      .not(.all([.has(value), .matches(.compare("complete", .equal, .bool(true)))])),
      .any([.fits(column: "text", TextPattern(word, fit)), .matches(.compare("complete", .equal, .bool(true)))]),
      .not(.any([.has(value), .not(.fits(column: "text", TextPattern(word, fit)))])),
      .compare(.turnedTrue("complete"), .less, Timestamp(milliseconds: 3).text),
    ]
    let anchor = try #require(rows.randomElement(using: &random))
    let starts: [RowQuery.Start] = [.first, .last, .after(anchor), .before(anchor)]
    return RowQuery(
      table: StoreUnderTest.table, condition: conditions.randomElement(using: &random) ?? nil,
      order: [RowKey(value, ascending: .random(using: &random))] + byTime,
      start: starts.randomElement(using: &random) ?? .first, limit: [nil, 1, 5].randomElement(using: &random) ?? nil)
  }
}
