import TableProtocol
import Testing

@testable import OfflineSync

@Suite("RowTable: stories of one row whose list moves to another database")
struct RowElsewhereTests {
  private static let theirs = Columns.base.clashing

  @Test("a copy in another database that shows an earlier state gets what became of the row here since")
  func earlierElsewhere() {
    let milk: Columns = ["text": .text("milk"), "complete": .bool(false)]
    let oat: Columns = ["text": .text("oat milk"), "complete": .bool(false)]
    let done: Columns = ["text": .text("oat milk"), "complete": .bool(true)]
    let today: Columns = ["text": .text("milk today"), "complete": .bool(false)]
    let both: Columns = ["text": .text("oat milk today"), "complete": .bool(true)]
    let soon: Columns = ["text": .text("oat milk soon"), "complete": .bool(false)]
    func moved(_ last: Columns, now: Columns?, earlier: [Columns]) -> TrackedRow {
      var row = TrackedRow(id: Copy.id, local: now, base: .known(Copy.live(last)))
      row.doubtVersions()
      row.earlier = earlier
      row.meetsOtherDatabase = true
      return row
    }
    for (copy, expected) in [
      (milk, done), (oat, done), (today, both), (soon, both.merging(["text": .text("oat milk soon")]) { $1 }),
    ] {
      var row = moved(done, now: done, earlier: [milk, oat])
      row.receive(page: Copy.live(copy, at: 9), isOrdered: true)
      #expect(row.state == .s4 && row.local == expected && row.base.version == RecordVersion("v9"), "\(row)")
    }
    var newer = moved(oat, now: oat, earlier: [milk])
    newer.receive(page: Copy.live(done, at: 9), isOrdered: true)
    #expect(newer.state == .s1 && newer.local == done)
    var deleted = moved(oat, now: nil, earlier: [milk])
    deleted.receive(page: Copy.live(milk, at: 9), isOrdered: true)
    #expect(deleted.state == .s5, "\(deleted)")
    // Nothing is known of its past here.
    let soy: Columns = ["text": .text("soy milk"), "complete": .bool(false)]
    for (copy, state, expected) in [(milk, RowState.s4, oat), (done, .s1, done), (soy, .s18, oat)] {
      var row = moved(oat, now: oat, earlier: [])
      row.receive(page: Copy.live(copy, at: 9), isOrdered: true)
      #expect(row.state == state && row.local == expected, "\(row)")
    }
    var gone = moved(oat, now: nil, earlier: [])
    gone.receive(page: Copy.live(soy, at: 9), isOrdered: true)
    #expect(gone.state == .s20, "nobody overwrites what a deletion has not seen: \(gone)")
  }

  @Test("what was sent to another database, and changed there by others, is not taken for an earlier state")
  func sentElsewhere() {
    var row = TrackedRow(
      id: Copy.id, local: ["text": .text("oat milk bread")], base: .known(Copy.live(["text": .text("oat milk bread")])))
    row.doubtVersions()
    row.edit(to: ["text": .text("oat milk")])
    row.sendTwice()
    row.earlier = [["text": .text("milk")]]
    row.meetsOtherDatabase = true
    row.receive(page: Copy.live(["text": .text("fresh oat milk")], at: 9), isOrdered: true)
    #expect(row.local == ["text": .text("fresh oat milk")] && row.state == .s1, "\(row)")
  }

  @Test("a question about a row that another database lacks stays open, with both texts, and either can be sent there")
  func questionElsewhere() {
    for (choice, text) in [(ConflictResolution.mine, Columns.mine), (.theirs, Self.theirs)] {
      var row = TrackedRow.synced()
      row.edit(to: .mine)
      row.receive(page: Copy.live(Self.theirs, at: 2), isOrdered: true)
      row.doubtVersions()
      row.receiveAbsenceElsewhere()
      #expect(row.isConflict && row.theirs?.values == Self.theirs && !row.there.isLive, "\(row)")
      row.resolve(choice)
      #expect(row.local == text && row.waits && row.base == .unknown, "\(row)")
    }
  }
}
