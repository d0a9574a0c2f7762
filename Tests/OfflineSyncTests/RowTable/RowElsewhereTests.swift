import TableProtocol
import Testing

@testable import OfflineSync

@Suite("RowTable: stories of one row whose list moves to another database")
struct RowElsewhereTests {
  private static let theirs = Columns.base.clashing

  private static let milk = item("milk"), oat = item("oat milk")

  private static func item(_ text: String, isDone: Bool = false, note: String = "") -> Columns {
    ["text": .text(text), "note": .text(note), "complete": .bool(isDone)]
  }

  /// A row that was `last` in the database that the list has left, and meets a copy in another one.
  private func row(_ last: Columns, now: Columns?, earlier: [Columns] = [], meeting copy: Columns) -> TrackedRow {
    row(last, now: now, earlier: earlier, meeting: Copy.live(copy, at: 9))
  }

  private func row(_ last: Columns, now: Columns?, earlier: [Columns] = [], meeting copy: Record) -> TrackedRow {
    var row = TrackedRow(id: Copy.id, local: now, base: .known(Copy.live(last)))
    row.voidVersions()
    row.earlier = earlier
    row.looksForAncestor = true
    row.receive(page: copy, isOrdered: true)
    return row
  }

  @Test("past states count up to the one that was sent first, or that a server gave last, and all of a row at rest")
  func recalled() {
    let (past, soy) = ([Self.milk, Self.oat, Self.milk, Self.oat], Self.item("soy"))
    let new = TrackedRow(id: Copy.id, local: soy, underWay: Attempt(want: Self.oat)).recalling(past)
    #expect(new.earlier == [Self.milk] && !new.looksForAncestor)
    var rested = TrackedRow(id: Copy.id, local: Self.oat, base: .known(Copy.live(Self.oat)))
    rested.voidVersions()
    #expect(rested.recalling(past).earlier == past && rested.recalling(past).looksForAncestor)
    var edited = rested
    edited.edit(to: soy)
    #expect(edited.recalling(past).earlier == Array(past.dropLast()))
  }

  @Test("the past of a row that was sent, or is from elsewhere, is asked about a copy that is not its newest state")
  func pastAsked() {
    let (same, other) = (Copy.live(Self.oat, at: 9), Copy.live(Self.milk, at: 9))
    let new = TrackedRow(id: Copy.id, local: Self.oat, underWay: Attempt(want: Self.oat))
    let known = TrackedRow(id: Copy.id, local: Self.oat, base: .known(Copy.live(Self.oat)))
    var moved = known
    moved.voidVersions()
    for row in [new, moved] {
      #expect(row.asksPast(about: other) && !row.asksPast(about: same) && !row.asksPast(about: nil), "\(row)")
    }
    #expect(!known.asksPast(about: other) && !TrackedRow(id: Copy.id, local: Self.oat).asksPast(about: other))
  }

  @Test(
    "a copy in another database that shows an earlier state, or was made from one, gets what became of the row here since",
    arguments: [
      (milk, oat), (item("milk today"), item("oat milk today")), (item("milk", note: "n"), item("oat milk", note: "n")),
    ])
  func earlierElsewhere(copy: Columns, expected: Columns) {
    let row = row(Self.oat, now: Self.oat, earlier: [Self.milk], meeting: copy)
    #expect(row.state == .s4 && row.local == expected && row.base.version == RecordVersion("v9"), "\(row)")
  }

  @Test(
    "a copy there that was made from the last state here is the newer one",
    arguments: [item("oat milk today"), item("oat milk", isDone: true), item("fresh oat milk", note: "n")])
  func newerElsewhere(copy: Columns) {
    let row = row(Self.oat, now: Self.oat, earlier: [Self.milk], meeting: copy)
    #expect(row.state == .s1 && row.local == copy, "\(row)")
  }

  @Test("a column from before and one from after: each side keeps what is newer")
  func mixedElsewhere() {
    let last = Self.item("oat milk", note: "two")
    let row = row(last, now: last, earlier: [Self.milk, Self.oat], meeting: Self.item("milk", note: "two of them"))
    #expect(row.state == .s4 && row.local == Self.item("oat milk", note: "two of them"), "\(row)")
  }

  @Test("whether an item was reopened there or completed here later, nobody can tell: a person decides")
  func completedElsewhere() {
    let done = Self.item("oat milk", isDone: true)
    let row = row(done, now: done, earlier: [Self.oat], meeting: Self.oat)
    #expect(row.state == .s18 && row.local == done, "\(row)")
    let lagging = self.row(Self.oat, now: Self.oat, earlier: [Self.milk], meeting: done)
    #expect(lagging.state == .s1 && lagging.local == done, "\(lagging)")
  }

  @Test(
    "of a row without a past a person decides about a copy that lacks words: somebody may have taken them out (D39)",
    arguments: [milk, item("oat milk, two"), item("soy milk")])
  func withoutPast(copy: Columns) {
    let row = row(Self.oat, now: Self.oat, meeting: copy)
    #expect(row.state == .s18 && row.local == Self.oat, "\(row)")
    let added = self.row(Self.milk, now: Self.milk, meeting: Self.oat)
    #expect(added.state == .s1 && added.local == Self.oat, "\(added)")
  }

  @Test("a deletion that waits goes on over an earlier state, and is asked about if the copy is another")
  func deletedElsewhere() {
    #expect(row(Self.oat, now: nil, earlier: [Self.milk], meeting: Self.milk).state == .s5)
    #expect(row(Self.oat, now: nil, meeting: Self.item("soy milk")).state == .s20)
  }

  @Test(
    "a deletion there of what may be an earlier state is asked about, and nothing lives again unasked (D36)",
    arguments: [
      ([milk], milk), ([milk], item("milk today")), ([Columns](), milk), ([Columns](), item("soy milk")),
      ([item("oat milk", isDone: true)], item("oat milk", isDone: true)),
    ])
  func earlierDeletedElsewhere(earlier: [Columns], deleted: Columns) {
    let tombstone = Copy.tombstone(deleted, at: 9)
    let asked = row(Self.oat, now: Self.oat, earlier: earlier, meeting: tombstone)
    #expect(asked.state == .s19 && asked.local == Self.oat, "\(asked)")
    for (choice, state) in [(ConflictResolution.mine, RowState.s6), (.theirs, .s2)] {
      var decided = asked
      decided.resolve(choice)
      #expect(decided.state == state && decided.base == .tombstone(tombstone), "\(decided)")
    }
  }

  @Test(
    "a deletion there of the last state here, of one made from it, or of one that nobody can tell, is one here too",
    arguments: [oat, item("oat milk today"), [:]])
  func lastDeletedElsewhere(deleted: Columns) {
    let row = row(Self.oat, now: Self.oat, earlier: [Self.milk], meeting: Copy.tombstone(deleted, at: 9))
    #expect(row.state == .s2, "\(row)")
  }

  @Test(
    "what was deleted there in an earlier state, and lives again as it was, takes nothing from the later one (D37)",
    arguments: [
      ([Columns](), item("milk", note: "n"), RowState.s18), ([Columns](), item("milk", note: "two"), .s18),
      ([item("milk", note: "n")], item("milk", note: "n"), .s4),
    ])
  func revivedElsewhere(earlier: [Columns], copy: Columns, state: RowState) {
    let last = Self.item("milk", note: "two litres")
    let mine = Self.item("milk", isDone: true, note: "two litres")
    var row = row(last, now: mine, earlier: earlier, meeting: Copy.tombstone(copy, at: 9))
    #expect(row.state == .s19 && row.local == mine, "\(row)")
    row.receive(page: Copy.live(copy, at: 10), isOrdered: true)
    #expect(row.state == state && row.local == mine, "\(row)")
  }

  @Test("an item that was added again behind its delete loses nothing to an earlier state that is deleted there")
  func addedAgainElsewhere() {
    let mine = Self.item("oat milk", isDone: true)
    var row = TrackedRow(id: Copy.id, local: Self.oat, base: .known(Copy.live(Self.oat)))
    row.voidVersions()
    row.edit(to: nil)
    row.sendTwice()
    row.edit(to: mine)
    row.earlier = [Self.milk]
    row.looksForAncestor = true
    row.receive(page: Copy.tombstone(Self.milk, at: 9), isOrdered: true)
    #expect(row.state == .s6 && row.local == mine, "\(row)")
  }

  @Test("an edit to just what is deleted there is asked about")
  func sameDeletedElsewhere() {
    let row = row(Self.oat, now: Self.milk, earlier: [Self.milk], meeting: Copy.tombstone(Self.milk, at: 9))
    #expect(row.state == .s19 && row.local == Self.milk, "\(row)")
  }

  @Test(
    "a question from before the move, or about a deletion, loses nothing to an earlier state there (D37)",
    arguments: [
      (Copy.tombstone(oat, at: 2), milk, RowState.s4), (Copy.live(item("oat milk soon"), at: 2), milk, .s4),
      (Copy.live(item("oat milk soon"), at: 2), item("oat milk soon"), .s18),
    ])
  func questionMeetsEarlier(theirs: Record, copy: Columns, state: RowState) {
    let mine = Self.item("oat milk today")
    var row = TrackedRow.synced(Self.oat)
    row.edit(to: mine)
    row.receive(page: theirs, isOrdered: true)
    #expect(row.isConflict)
    row.voidVersions()
    row.earlier = [Self.milk]
    row.looksForAncestor = true
    row.receive(page: Copy.live(copy, at: 9), isOrdered: true)
    #expect(row.state == state && row.local == mine && row.server.version == RecordVersion("v9"), "\(row)")
  }

  @Test("a change that is sent to another database makes nothing else of the row older than what a lagging device gave")
  func sentWithoutPast() {
    var row = TrackedRow(id: Copy.id, local: Self.oat, base: .known(Copy.live(Self.oat)))
    row.voidVersions()
    row.edit(to: Self.item("oat milk", note: "two"))
    row.sendTwice()
    row.looksForAncestor = true
    row.receive(page: Copy.live(Self.item("soy"), at: 9), isOrdered: true)
    #expect(row.isConflict && row.local == Self.item("oat milk", note: "two"), "\(row)")
  }

  @Test("what was sent to another database, and changed there by others, is not taken for an earlier state")
  func sentElsewhere() {
    var row = TrackedRow(
      id: Copy.id, local: ["text": .text("oat milk bread")], base: .known(Copy.live(["text": .text("oat milk bread")])))
    row.voidVersions()
    row.edit(to: ["text": .text("oat milk")])
    row.sendTwice()
    row.earlier = [["text": .text("milk")]]
    row.looksForAncestor = true
    row.receive(page: Copy.live(["text": .text("fresh oat milk")], at: 9), isOrdered: true)
    #expect(row.local == ["text": .text("fresh oat milk")] && row.state == .s1, "\(row)")
  }

  @Test("a question about a row that another database lacks stays open, with both texts, and either can be sent there")
  func questionElsewhere() {
    for (choice, text) in [(ConflictResolution.mine, Columns.mine), (.theirs, Self.theirs)] {
      var row = TrackedRow.synced()
      row.edit(to: .mine)
      row.receive(page: Copy.live(Self.theirs, at: 2), isOrdered: true)
      row.voidVersions()
      row.receiveAbsenceElsewhere()
      #expect(row.isConflict && row.theirs?.values == Self.theirs && !row.there.isLive, "\(row)")
      row.resolve(choice)
      #expect(row.local == text && row.waits && row.base == .unknown, "\(row)")
    }
  }
}
