import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("Every local store: the history")
struct UndoConformanceTests {
  private func change(_ id: RecordID, table: String = StoreUnderTest.table) -> RowChange {
    var tombstone = stored(id, "before")
    tombstone.system.deleted = true
    return RowChange(table: table, itemID: id, before: tombstone, after: stored(id, "after"))
  }

  /// The changes from the newest that stands to the oldest.
  private func standing(_ store: any LocalStore) throws -> [RecordID] {
    var items: [RecordID] = []
    try store.write { store in
      while let entry = try store.history(undone: false, in: StoreUnderTest.table) {
        items.append(entry.change.itemID)
        try store.setUndoEntry(entry.id, to: nil)
      }
    }
    return items
  }

  @Test("a change comes back whole, newest first, and each table has its own", arguments: StoreUnderTest.allCases)
  func order(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let added = RowChange(table: StoreUnderTest.table, itemID: "c", before: nil, after: stored("c"))
    try store.write { store in
      for change in [change("a"), change("b"), added, change("d", table: "Other")] {
        try store.appendUndoStep(change, keeping: 10)
      }
    }
    #expect(try store.read { try $0.history(undone: false, in: StoreUnderTest.table)?.change } == added)
    #expect(try store.read { try $0.history(undone: false, in: "Other")?.change } == change("d", table: "Other"))
    #expect(try store.read { try $0.history(undone: true, in: StoreUnderTest.table) } == nil)
    #expect(try standing(store) == ["c", "b", "a"])
  }

  @Test("a decision comes back with its copies", arguments: StoreUnderTest.allCases)
  func decision(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    for times in [0, 3] {
      var decided = change("a")
      decided.decision = DecidedBases(
        before: .known(stored("a", "base")), after: .unknown, sent: ["text": .text("sent")], takenAlong: times)
      try store.write { try $0.appendUndoStep(decided, keeping: 10) }
      #expect(try store.read { try $0.history(undone: false, in: StoreUnderTest.table)?.change } == decided)
    }
  }

  @Test("a step that is saved in runs is one step, and only the newest steps stay", arguments: StoreUnderTest.allCases)
  func continued(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let names = ["first", "second", "third", "fourth"]
    for name in names {
      try store.write { store in
        for run in 0..<3 {
          let changes = (1...100).map { change("\(name) \(run * 100 + $0)") }
          try store.appendUndoStep(changes, isContinued: run > 0, keeping: 10)
        }
      }
    }
    // Of ten steps a thousand changes are kept: the first step is beyond them.
    for name in names.dropFirst().reversed() {
      let step = try store.read { try $0.undoStepEntries(undone: false, in: StoreUnderTest.table) }
      #expect(step.map(\.change) == (1...300).map { change("\(name) \($0)") })
      try store.write { store in for entry in step { try store.setUndoEntry(entry.id, to: nil) } }
    }
    #expect(try store.read { try $0.undoStepEntries(undone: false, in: StoreUnderTest.table) }.isEmpty)
  }

  @Test("a step of more changes than are kept stays whole", arguments: StoreUnderTest.allCases)
  func continuedBeyondLimit(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    let changes = (1...300).map { change("large \($0)") }
    try store.write { store in
      try store.appendUndoStep(change("before"), keeping: 1)
      for run in 0..<3 {
        try store.appendUndoStep(Array(changes[run * 100..<run * 100 + 100]), isContinued: run > 0, keeping: 1)
      }
    }
    let step = try store.read { try $0.undoStepEntries(undone: false, in: StoreUnderTest.table) }
    #expect(step.map(\.change) == changes)
    #expect(try store.read { try $0.itemsWithUndoEntries(among: ["before"], in: StoreUnderTest.table) } == [])
  }

  @Test("entries of a step become undone, and done again, and nothing else of them", arguments: StoreUnderTest.allCases)
  func marked(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store in
      try store.appendUndoStep(change("earlier"), keeping: 10)
      try store.appendUndoStep((1...1_200).map { change("row\($0)") }, keeping: 10)
    }
    let entries = try store.read { try $0.undoStepEntries(undone: false, in: StoreUnderTest.table) }
    let (first, rest) = (entries.prefix(1_100).map(\.id), entries.dropFirst(1_100).map(\.id))
    try store.write { try $0.markUndoEntries(first, undone: true) }
    let undone = try store.read { try $0.undoStepEntries(undone: true, in: StoreUnderTest.table) }
    #expect(undone.map(\.change) == entries.prefix(1_100).map(\.change) && undone.allSatisfy(\.isUndone))
    #expect(try store.read { try $0.undoStepEntries(undone: false, in: StoreUnderTest.table) }.map(\.id) == rest)
    try store.write { try $0.markUndoEntries(first + [1_000_000], undone: false) }
    #expect(try store.read { try $0.undoStepEntries(undone: false, in: StoreUnderTest.table) } == entries)
    // They come in the order in which they are wanted; what is not there is passed over.
    let wanted = [rest.last ?? 0, 1_000_000, first[0]]
    #expect(try store.read { try $0.undoEntries(wanted) }.map(\.id) == [rest.last, first[0]])
  }

  @Test(
    "of those undone the last one undone comes first; a new change forgets them", arguments: StoreUnderTest.allCases)
  func undone(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store in
      for id: RecordID in ["a", "b", "c"] { try store.appendUndoStep(change(id), keeping: 10) }
      for _ in 0..<2 {
        guard var entry = try store.history(undone: false, in: StoreUnderTest.table) else { return }
        entry.isUndone = true
        entry.change.before = nil
        try store.setUndoEntry(entry.id, to: entry)
      }
    }
    let undone = try store.read { try $0.history(undone: true, in: StoreUnderTest.table) }
    #expect(undone?.change.itemID == "b" && undone?.isUndone == true && undone?.change.before == nil)
    try store.write { try $0.appendUndoStep(change("d"), keeping: 10) }
    #expect(try store.read { try $0.history(undone: true, in: StoreUnderTest.table) } == nil)
    #expect(try standing(store) == ["d", "a"])
  }

  @Test("only so many are kept, the newest", arguments: StoreUnderTest.allCases)
  func limit(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store in
      for number in 1...20 { try store.appendUndoStep(change("\(number)"), keeping: 3) }
    }
    #expect(try standing(store) == ["20", "19", "18"])
  }

  @Test(
    "changes of one step come and go together, and only whole steps are forgotten", arguments: StoreUnderTest.allCases)
  func steps(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    func step(undone: Bool = false) throws -> [RecordID] {
      try store.read { try $0.undoStepEntries(undone: undone, in: StoreUnderTest.table).map(\.change.itemID) }
    }
    try store.write { store in
      try store.appendUndoStep((1...150).map { change("old\($0)") }, keeping: 2)
      try store.appendUndoStep([change("a"), change("x", table: "Other"), change("b")], keeping: 2)
    }
    #expect(try step() == ["a", "b"])
    try store.write { store in
      for var entry in try store.undoStepEntries(undone: false, in: StoreUnderTest.table) {
        entry.isUndone = true
        try store.setUndoEntry(entry.id, to: entry)
      }
    }
    #expect(try step(undone: true) == ["a", "b"])
    #expect(try step().count == 150, "the newest that stands")
    try store.write { try $0.appendUndoStep((1...250).map { change("new\($0)") }, keeping: 2) }
    #expect(try step(undone: true).isEmpty)
    #expect(try standing(store).count == 250, "a step of more than a hundred times the limit is kept whole, and alone")
  }

  @Test("a transaction that fails leaves no change in the history", arguments: StoreUnderTest.allCases)
  func rollback(kind: StoreUnderTest) throws {
    struct Stop: Error {}
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    #expect(throws: Stop.self) {
      try store.write { store in
        try store.appendUndoStep(change("a"), keeping: 10)
        throw Stop()
      }
    }
    #expect(try standing(store).isEmpty)
  }

  @Test("it says of which rows a change is remembered, also one that was undone", arguments: StoreUnderTest.allCases)
  func itemsWithUndoEntries(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { try $0.appendUndoStep(change("a"), keeping: 10) }
    try store.read { store throws in
      #expect(try store.itemsWithUndoEntries(among: ["a", "A", "b"], in: StoreUnderTest.table) == ["a"])
      #expect(try store.itemsWithUndoEntries(among: ["b"], in: StoreUnderTest.table) == [])
      #expect(try store.itemsWithUndoEntries(among: ["a"], in: "Other") == [])
    }
    try store.write { store throws in
      var entry = try #require(try store.history(undone: false, in: StoreUnderTest.table))
      entry.isUndone = true
      try store.setUndoEntry(entry.id, to: entry)
      #expect(try store.itemsWithUndoEntries(among: ["a"], in: StoreUnderTest.table) == ["a"])
      try store.setUndoEntry(entry.id, to: nil)
      #expect(try store.itemsWithUndoEntries(among: ["a"], in: StoreUnderTest.table) == [])
    }
  }

  @Test("the history of one table is forgotten, done and undone, and no other's", arguments: StoreUnderTest.allCases)
  func removeOfTable(kind: StoreUnderTest) throws {
    let (store, folder) = try kind.open()
    defer { withExtendedLifetime(folder) {} }
    try store.write { store throws in
      for entry in [change("x", table: "Other"), change("a"), change("b")] {
        try store.appendUndoStep(entry, keeping: 10)
      }
      var last = try #require(try store.history(undone: false, in: StoreUnderTest.table))
      last.isUndone = true
      try store.setUndoEntry(last.id, to: last)
      try store.clear(.undoSteps, of: StoreUnderTest.table)
      #expect(try store.history(undone: false, in: StoreUnderTest.table) == nil)
      #expect(try store.history(undone: true, in: StoreUnderTest.table) == nil)
      #expect(try store.history(undone: false, in: "Other")?.change.itemID == "x")
    }
  }
}
