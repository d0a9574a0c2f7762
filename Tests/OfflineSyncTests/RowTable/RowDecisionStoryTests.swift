import TableProtocol
import Testing

@testable import OfflineSync

@Suite("RowTable: stories of one row, about decisions and pages")
struct RowDecisionStoryTests {
  private static let theirs = Columns.base.clashing

  private var conflict: TrackedRow {
    var row = TrackedRow.synced()
    row.edit(to: .mine)
    row.receive(page: Copy.live(Self.theirs, at: 2), isOrdered: true)
    return row
  }

  private func reopen(_ row: inout TrackedRow) {
    row.reopen(local: conflict.local, base: conflict.base, shown: conflict.server)
  }

  @Test("deleting what was deleted there, or typing what is there, ends the conflict")
  func agreed() {
    var deleted = TrackedRow.synced()
    deleted.edit(to: .mine)
    deleted.receive(page: Copy.tombstone(at: 2), isOrdered: true)
    #expect(deleted.state == .s19)
    deleted.edit(to: nil)
    #expect(deleted.state == .s2)
    var typed = conflict
    typed.edit(to: Self.theirs)
    #expect(typed.state == .s1)
  }

  @Test("a copy with an earlier time is seen in a conflict where the server's clock may have stepped back")
  func clockBack() {
    let copy = Copy.live(.text("mail the bank"), at: 1)
    var row = conflict
    row.receive(page: copy.with(version: RecordVersion("v3")), isOrdered: true)
    #expect(row == conflict)
    row.receive(page: copy.with(version: RecordVersion("v3")), isOrdered: false)
    #expect(row.state == .s18)
    #expect(row.server.live == copy.values)
  }

  @Test("an older copy that equals mine ends no conflict: from a cache it would let theirs replace mine without a word")
  func cachedCopy() {
    var row = conflict
    row.receive(page: Copy.live(.mine, at: 1).with(version: RecordVersion("v0")), isOrdered: false)
    #expect(row == conflict)
  }

  @Test("both, undone: the row has my text again, and the conflict is open")
  func bothUndone() {
    var row = conflict
    #expect(row.offersBoth)
    row.resolve(.both)
    #expect(row.local == Self.theirs)
    reopen(&row)
    #expect(row == conflict)
  }

  @Test("mine, undone before it was sent: the same conflict; after it was sent nothing changes")
  func mineUndone() {
    var row = conflict
    row.resolve(.mine)
    #expect(row.state == .s4)
    var sent = row
    reopen(&row)
    #expect(row.state == .s18)
    #expect((row.base, row.server) == (conflict.base, conflict.server))
    sent.send(.mine)
    _ = sent.receive(.accepted(Copy.live(.mine, at: 3)))
    let before = sent
    reopen(&sent)
    #expect(sent == before)
  }

  @Test("theirs, undone after the server moved on: mine is merged with the newest text, or the conflict shows that one")
  func theirsUndone() {
    var row = conflict
    row.resolve(.theirs)
    var other = row
    row.receive(page: Copy.live(Columns.base.fitting, at: 3), isOrdered: true)
    reopen(&row)
    #expect(row.state == .s4)
    #expect(row.local == Columns.mine.fitting)
    other.receive(page: Copy.live(.new, at: 3), isOrdered: true)
    reopen(&other)
    #expect(other.state == .s18)
    #expect(other.server.live == .new)
  }

  @Test("a copy that was not shown is not overwritten by a decision")
  func shown() {
    var row = conflict
    let shown = row.server
    row.receive(page: Copy.live(.new, at: 3), isOrdered: true)
    var mine = row
    mine.resolve(.mine, shown: shown)
    #expect(mine.state == .s18)
    row.resolve(.theirs, shown: shown)
    #expect(row.state == .s1)
    #expect(row.local == .new)
  }

  @Test("the server took an edit and changed it: the conflict stays while the text here is changed")
  func conflictStays() {
    var row = TrackedRow.synced()
    row.send(.sent)
    row.edit(to: .mine)
    #expect(row.receive(.accepted(Copy.live(Columns.sent.clashing, at: 2))) == .needsDecision)
    row.edit(to: .new)
    #expect(row.state == .s18)
  }

  @Test("a row under a change that is gone from the server is asked about; a new row is not")
  func vanished() {
    var row = TrackedRow.synced()
    row.send(.mine)
    row.receiveAbsence()
    #expect(row.state == .s19)
    var given = row
    given.resolve(.theirs)
    #expect(given.state == .s2)
    row.resolve(.mine)
    #expect(row.state == .s6)
    var new = TrackedRow.added()
    new.mark()
    new.receiveAbsence()
    #expect(new.state == .s7)
  }

  @Test("a restored server without my rows: nothing changes before it is asked, and sending back is not asked twice")
  func restored() {
    let since = Timestamp(milliseconds: 500)
    var lost = TrackedRow.synced()
    lost.serverWentBack(to: nil, since: since)
    var older = TrackedRow.synced()
    older.serverWentBack(to: Copy.live(.new, at: 0), since: since)
    #expect([lost.state, older.state] == [.s26, .s26])
    #expect([lost.local, older.local] == [.base, .base])
    lost.resolve(.mine)
    older.resolve(.mine)
    #expect([lost.state, older.state] == [.s6, .s4])
    var second = TrackedRow.synced()
    second.serverWentBack(to: Copy.live(.base, at: 3), since: since)
    #expect(second.state == .s1)
  }

  /// The conflict, after the server lost the other text and went back to the state before it.
  private var lostConflict: TrackedRow {
    var row = conflict
    row.serverWentBack(to: Copy.live(.base, at: 1), since: Timestamp(milliseconds: 1_500))
    return row
  }

  @Test("an open conflict stays open when the server went back: both texts stay, and either can be chosen")
  func openConflict() {
    #expect(lostConflict.state == .s18)
    #expect(lostConflict.local == .mine && lostConflict.server.live == Self.theirs)
    for (resolution, text) in [(ConflictResolution.mine, Columns.mine), (.theirs, Self.theirs), (.both, Self.theirs)] {
      var row = lostConflict
      row.resolve(resolution)
      #expect(row.state == .s4 && row.local == text)
      #expect(row.base.version == RecordVersion("v1"), "it is sent over what the server has")
      let decided = row
      row.reopen(local: lostConflict.local, base: lostConflict.base, shown: lostConflict.server)
      #expect(row.state == .s18 && row.local == .mine && row.server.live == Self.theirs)
      var sent = decided
      sent.mark()
      _ = sent.receive(.accepted(Copy.live(text, at: 4)))
      #expect(sent.state == .s1)
    }
    var gone = conflict
    gone.serverWentBack(to: nil, since: Timestamp(milliseconds: 500))
    let open = gone
    gone.resolve(.mine)
    gone.reopen(local: open.local, base: open.base, shown: open.server)
    #expect(gone == open, "the same where the server lost the row too")
    var deleted = TrackedRow.synced()
    deleted.edit(to: nil)
    deleted.receive(page: Copy.live(Self.theirs, at: 2), isOrdered: true)
    deleted.serverWentBack(to: nil, since: Timestamp(milliseconds: 1_500))
    #expect(deleted.state == .s20 && deleted.server.live == Self.theirs)
    let asked = deleted
    deleted.resolve(.theirs)
    #expect(deleted.state == .s6 && deleted.local == Self.theirs)
    var mine = asked
    mine.resolve(.mine)
    #expect(mine.state == .s2)
    var untracked = TrackedRow(id: Copy.id)
    untracked.reopen(local: nil, base: asked.base, shown: asked.server)
    #expect(untracked.state == .s20 && untracked.server == asked.server)
  }

  @Test("a state between the two texts, to which a restored server went back, is no ancestor of either")
  func lostConflictWithoutAncestor() {
    var row = TrackedRow.synced()
    row.edit(to: .mine)
    row.receive(page: Copy.live(Columns.new.fitting, at: 3), isOrdered: true)
    row.serverWentBack(to: Copy.live(.new, at: 2), since: Timestamp(milliseconds: 2_500))
    #expect(row.state == .s18 && row.server.live == Columns.new.fitting)
    var typed = row
    typed.edit(to: .base)
    #expect(typed.state == .s18 && typed.local == .base)
    row.receive(page: Copy.live(Columns.new.fitting, at: 5), isOrdered: true)
    #expect(row.state == .s18 && row.local == .mine && row.server.version == RecordVersion("v5"))
    row.resolve(.mine)
    #expect(row.state == .s4 && row.base.version == RecordVersion("v5"))
  }

  @Test("a conflict about a lost copy goes on with the other device's text when that is sent back")
  func lostConflictGoesOn() {
    var row = lostConflict
    row.receive(page: Copy.live(.base, at: 1), isOrdered: true)
    #expect(row == lostConflict)
    row.receive(page: Copy.live(Self.theirs, at: 5), isOrdered: true)
    #expect(row.state == .s18 && row.server.version == RecordVersion("v5") && row.local == .mine)
    var typed = lostConflict
    typed.edit(to: Columns.base.fitting)
    #expect(typed.state == .s4 && typed.base.version == RecordVersion("v1"))
    var moved = lostConflict
    moved.voidVersions()
    #expect(moved.isAboutLost)
    moved.receive(page: Copy.live(.base, at: 9), isOrdered: true)
    #expect(moved.state == .s18 && moved.server.live == Self.theirs && moved.base.version == RecordVersion("v9"))
  }

  @Test("a decision that is redone in a conflict about a lost copy goes out over what the server has instead")
  func redoneInLostConflict() {
    var decided = conflict
    decided.resolve(.theirs)
    var gone = conflict
    gone.serverWentBack(to: nil, since: Timestamp(milliseconds: 500))
    for (open, state) in [(gone, RowState.s6), (lostConflict, .s4)] {
      var row = open
      row.reopen(local: decided.local, base: decided.base, shown: conflict.base)
      #expect(row.state == state && row.local == Self.theirs)
      #expect(row.base == open.base && row.server == open.base)
    }
  }

  @Test("a restored server while an edit of mine waits: keeping the server's merges my words into the older text")
  func restoredUnderEdit() {
    var row = TrackedRow.synced()
    row.edit(to: .mine)
    row.serverWentBack(to: Copy.live(Columns.base.fitting, at: 0), since: Timestamp(milliseconds: 500))
    #expect(row.state == .s26)
    row.resolve(.theirs)
    #expect(row.state == .s4)
    #expect(row.local == Columns.mine.fitting)
  }

  @Test("a row that was added again while a restored delete is asked about is not thrown away by keeping the server's")
  func restoredDelete() {
    var row = TrackedRow(id: Copy.id, base: .tombstone(Copy.tombstone()))
    row.serverWentBack(to: Copy.live(.base, at: 0), since: Timestamp(milliseconds: 500))
    #expect(row.state == .s26)
    row.add(.new, createdAt: Copy.born, trace: .unknown)
    row.resolve(.theirs)
    #expect(row.state == .s18)
    #expect(row.local == .new)
  }

  @Test("a composed and a decomposed letter make two ids and two texts")
  func codePoints() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    #expect(RecordID(composed) != RecordID(decomposed))
    var row = TrackedRow.synced(.text(composed))
    row.edit(to: .text(decomposed))
    #expect(row.state == .s4)
  }

  @Test("a page under my waiting edit: both changes stand in the row at once, and the request has the newer version")
  func pageUnderEdit() {
    var row = TrackedRow.synced()
    row.edit(to: .mine)
    row.receive(page: Copy.live(Columns.base.fitting, at: 2), isOrdered: true)
    #expect(row.state == .s4)
    #expect(row.local == Columns.mine.fitting)
    #expect(row.base.version == RecordVersion("v2"))
  }

  @Test("a revival whose answer was lost is sent again, if its tombstone is the same at another address")
  func revivalElsewhere() {
    for (tombstone, state) in [(Columns.base, RowState.s6), (.mine, .s19)] {
      var row = TrackedRow(id: Copy.id, local: .mine, base: .tombstone(Copy.tombstone(.base)))
      row.sendTwice()
      row.voidVersions()
      _ = row.receive(.met(Copy.tombstone(tombstone), mayHaveArrived: false))
      #expect(row.state == state)
    }
  }

  @Test("a text that was put back after it may have arrived stands against a deletion, which may not have seen it")
  func putBackAgainstDeletion() {
    var row = TrackedRow.synced()
    row.send(.mine)
    row.edit(to: .base)
    var first = row
    #expect(first.receive(.met(Copy.tombstone(at: 3), mayHaveArrived: false)) == .settled)
    row.sendTwice()
    #expect(row.receive(.met(Copy.tombstone(at: 3), mayHaveArrived: false)) == .needsDecision)
    row.receive(page: Copy.tombstone(at: 4), isOrdered: true)
    #expect(row.stored.state == .s19)
    row.resolve(.mine)
    #expect(row.local == .base)
    #expect(row.state == .s6)
  }

  @Test("a row that is deleted here keeps the time when it was made, if the server does not say it and theirs is taken")
  func keepsBirth() {
    let made = Timestamp(milliseconds: 77)
    var row = TrackedRow(id: Copy.id)
    row.add(.mine, createdAt: made, trace: .never)
    row.sendTwice()
    row.edit(to: nil)
    row = row.stored
    #expect(row.receive(.accepted(Copy.live(.mine).withoutBirth)) == .sendAgain)
    row.places = Places(waiting: 1)
    row = row.stored
    row.receive(page: Copy.live(.new, at: 2).withoutBirth, isOrdered: true)
    row = row.stored
    #expect(row.state == .s20)
    row.resolve(.theirs)
    #expect(row.shown?.system.createdAt == made)
  }

  @Test("a row keeps the time when it was made, if it goes by a decision that is undone and no server says it")
  func keepsBirthOfUndoneDecision() {
    let made = Timestamp(milliseconds: 77)
    let mine = Record(id: Copy.id, values: .mine, system: SystemProperties(createdAt: made))
    let base = ServerSide.known(Copy.live(.base).withoutBirth)
    let taken = RowChange(
      table: "TodoItem", itemID: Copy.id, before: mine, after: nil,
      decision: DecidedBases(before: base, after: .unknown))
    var row = TrackedRow(id: Copy.id)
    _ = row.reverse(taken, undoing: true)
    #expect(row.state == .s19 && row.shown?.system.createdAt == made)
  }

  @Test("a row whose adding is undone and redone keeps the time when it was made, if only its tombstone says it")
  func keepsBirthOfRedone() {
    let made = SystemProperties(createdAt: Timestamp(milliseconds: 77), deleted: true)
    let tombstone = Record(id: Copy.id, values: .mine, system: made)
    let added = RowChange(
      table: "TodoItem", itemID: Copy.id, before: tombstone, after: Record(id: Copy.id, values: .mine))
    var row = TrackedRow(id: Copy.id)
    _ = row.reverse(added, undoing: false)
    #expect(row.state == .s6 && row.shown?.system.createdAt == made.createdAt)
  }
}

extension Record {
  fileprivate var withoutBirth: Record {
    var copy = self
    copy.system.createdAt = nil
    return copy
  }

  fileprivate func with(version: RecordVersion) -> Record {
    var copy = self
    copy.system.version = version
    return copy
  }
}
