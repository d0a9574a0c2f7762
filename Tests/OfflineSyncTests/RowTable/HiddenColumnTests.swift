import TableProtocol
import Testing

@testable import OfflineSync

/// The table here has a note, and the server's copies do not show it (Q6).
@Suite("RowTable: a column that the server does not show")
struct HiddenColumnTests {
  private static func row(_ note: String, _ text: Columns = .base) -> Columns {
    text.merging(["note": .text(note)]) { $1 }
  }

  @Test(
    "an attempt arrived if the copy shows every column that it changed",
    arguments: [
      (row("new"), row("old"), Columns.base, false), (row("new"), row("old"), row("new"), true),
      (row("new"), row("old"), row("old"), false), (row("old", .mine), row("old"), .mine, true),
      (row("old", .mine), row("old"), .base, false), (row("new", .mine), row("old"), .mine, false),
      (row("new"), nil, .base, false), (row("new"), nil, row("new"), true), (.mine, nil, .mine, true),
      (row("new"), row("old"), [:], false), (row("new"), row("old"), ["color": .text("red")], false),
      ([:], [:], [:], true),
    ] as [(Columns, Columns?, Columns, Bool)])
  func areShown(want: Columns, base: Columns?, copy: Columns, expected: Bool) {
    #expect(want.areShown(in: copy, since: base) == expected)
  }

  @Test("an edit of it is sent again over a newer copy, until the server accepts it", arguments: [false, true])
  func update(isRepeat: Bool) {
    var row = TrackedRow.synced(Self.row("old"))
    row.send(Self.row("new"))
    if isRepeat { row.mark() }
    #expect(row.receive(.met(Copy.live(.base, at: 2), mayHaveArrived: false)) == .sendAgain)
    #expect(row.state == .s4)
    #expect(row.base.version == RecordVersion("v2"))
    row.mark()
    #expect(row.receive(.met(Copy.live(.mine, at: 3), mayHaveArrived: false)) == .sendAgain)
    #expect(row.local == Self.row("new", .mine))
    row.mark()
    #expect(row.receive(.accepted(Copy.live(.mine, at: 4))) == .settled)
    #expect(row.state == .s1)
    #expect(row.local == Self.row("new", .mine))
  }

  @Test("an edit of it that waits outlives a page")
  func page() {
    var row = TrackedRow.synced(Self.row("old"))
    row.edit(to: Self.row("new"))
    row.places = Places(waiting: 1)
    row.receive(page: Copy.live(.mine, at: 2), isOrdered: true)
    #expect(row.state == .s4)
    #expect(row.local == Self.row("new", .mine))
  }

  @Test("an edit of it behind another waits after that is accepted")
  func behind() {
    var row = TrackedRow.synced(Self.row("old"))
    row.send(Self.row("new"))
    row.edit(to: Self.row("newer"))
    #expect(row.receive(.accepted(Copy.live(.base, at: 2))) == .sendAgain)
    #expect(row.state == .s4)
  }

  @Test("an edit of another column arrives without it")
  func otherColumn() {
    var row = TrackedRow.synced(Self.row("old"))
    row.send(Self.row("old", .mine))
    row.mark()
    #expect(row.receive(.met(Copy.live(.mine, at: 2), mayHaveArrived: false)) == .settled)
    #expect(row.local == Self.row("old", .mine))
  }

  @Test("an insert whose answer was lost is on the server with all that it holds")
  func insert() {
    var row = TrackedRow(id: Copy.id)
    row.add(Self.row("new"), createdAt: Copy.born, trace: .never)
    row.sendTwice()
    #expect(row.receive(.met(Copy.live(.base), mayHaveArrived: false)) == .settled)
    #expect(row.local == Self.row("new"))
  }

  @Test(
    "a row that was never sent, or is to live again, goes out as an edit of the copy that is there",
    arguments: [.never, .unknown, .tombstone(Copy.tombstone(at: 1)), .tombstone(Copy.tombstone(.row("old"), at: 1))]
      as [ServerSide])
  func noLiveBase(base: ServerSide) {
    var row = TrackedRow(id: Copy.id, local: Self.row("new"), base: base, places: Places(waiting: 1))
    row.mark()
    #expect(row.receive(.met(Copy.live(.base, at: 2), mayHaveArrived: false)) == .sendAgain)
    #expect(row.state == .s4)
    #expect(row.stored.waits)
    row.mark()
    #expect(row.receive(.accepted(Copy.live(.base, at: 3))) == .settled)
    #expect(row.local == Self.row("new"))
  }

  @Test("theirs puts it back to what the server had last, as far as is known")
  func theirs() {
    var row = TrackedRow.synced(Self.row("old"))
    row.send(Self.row("new", .mine))
    #expect(row.receive(.met(Copy.live(Columns.base.clashing, at: 2), mayHaveArrived: false)) == .needsDecision)
    row.resolve(.theirs)
    #expect(row.state == .s1)
    #expect(row.local == Self.row("old", Columns.base.clashing))
  }

  @Test("a copy without any column says nothing about an edit: it goes out again, with every column")
  func noColumns() {
    var row = TrackedRow.synced(Self.row("old"))
    row.send(Self.row("new"))
    #expect(row.receive(.met(Copy.live([:], at: 2), mayHaveArrived: false)) == .sendAgain)
    #expect(row.state == .s4)
    #expect(row.local == Self.row("new"))
  }
}

extension Columns {
  fileprivate static func row(_ note: String) -> Columns { base.merging(["note": .text(note)]) { $1 } }
}
