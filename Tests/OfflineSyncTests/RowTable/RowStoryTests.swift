import TableProtocol
import Testing

@testable import OfflineSync

@Suite("RowTable: stories of one row, while it is sent")
struct RowStoryTests {
  private static let html = RemoteFailure(.notTheServer("text/html"), mayHaveActed: true)

  @Test("a delete that a portal answers stays under way, and is done once the server answers")
  func portal() {
    var row = TrackedRow.synced()
    row.send(nil)
    let server = Copy.live(.base)
    _ = row.receive(.failure(Self.html), from: StubTable { () throws(RemoteFailure) in server })
    #expect(row.state == .s9)
    row.mark()
    #expect(row.receive(.accepted(nil)) == .settled)
    #expect(row.state == .s2)
  }

  @Test("theirs of a refused edit that is on its way again: the old text follows, mine never stays on the server")
  func theirsUnderWay() {
    var row = TrackedRow.synced()
    row.refuse(.mine)
    row.mark()
    row.resolve(.theirs)
    #expect(row.state == .s13)
    var refused = row
    _ = refused.receive(.refused(status: 400, message: "no"))
    #expect(refused.state == .s1)
    #expect(row.receive(.accepted(Copy.live(.mine, at: 2))) == .sendAgain)
    #expect(row.state == .s4)
    #expect(row.local == .base)
  }

  @Test("a refused new row that is dropped while it is on its way again is deleted behind it")
  func droppedInsert() {
    var row = TrackedRow.added()
    row.mark()
    _ = row.receive(.refused(status: 400, message: "no"))
    row.mark()
    row.drop()
    #expect(row.state == .s12)
    #expect(row.receive(.accepted(Copy.live(.mine))) == .sendAgain)
    #expect(row.state == .s5)
  }

  @Test("a refused change does not offer both, sent again or not")
  func noBoth() {
    var row = TrackedRow.synced()
    row.refuse(.mine)
    #expect(!row.offersBoth)
    row.mark()
    #expect(row.state == .s25)
    #expect(!row.offersBoth)
  }

  @Test("a refused change that somebody decides to keep both of stays, with its text", arguments: [false, true])
  func bothOfRefused(isSentAgain: Bool) {
    var row = TrackedRow.added()
    row.mark()
    _ = row.receive(.refused(status: 403, message: "no"))
    if isSentAgain { row.mark() }
    let before = row
    row.resolve(.both)
    #expect(row == before)
  }

  @Test("a new row that a copy of this store sent, and that was deleted since, is gone")
  func copiedStore() {
    var row = TrackedRow.added()
    row.mark()
    #expect(row.receive(.met(Copy.tombstone(.mine), mayHaveArrived: false)) == .settled)
    #expect(row.state == .s2)
  }

  @Test("if its text was changed here, a person is asked")
  func copiedStoreEdited() {
    var row = TrackedRow.added()
    row.edit(to: .new)
    row.mark()
    #expect(row.receive(.met(Copy.tombstone(.mine), mayHaveArrived: false)) == .needsDecision)
    #expect(row.state == .s19)
    #expect(row.local == .new)
  }

  @Test("a change that this user may not make is refused, and waits for a person")
  func forbidden() {
    var row = TrackedRow.synced()
    row.send(.mine)
    _ = row.receive(
      .success(.refused(status: 403, message: "no")), from: StubTable { () throws(RemoteFailure) in nil })
    #expect(row.attention == .refused(status: 403, message: "no"))
  }

  @Test("an edit under way, then both sides delete: no conflict")
  func bothDelete() {
    var row = TrackedRow.synced()
    row.send(.mine)
    row.edit(to: nil)
    #expect(row.receive(.met(Copy.tombstone(at: 2), mayHaveArrived: false)) == .settled)
    #expect(row.state == .s2)
  }

  @Test("a revival that was cut half way goes on with the live row, whatever was changed since")
  func halfRevival() {
    for (behind, expected) in [(Columns?.some(.mine), RowState.s4), (.new, .s4), (nil, .s5)] {
      var row = TrackedRow(id: Copy.id, local: .mine, base: .tombstone(Copy.tombstone(.base)))
      row.mark()
      row.edit(to: behind)
      row.mark()
      #expect(row.receive(.met(Copy.live(.base, at: 2), mayHaveArrived: false)) == .sendAgain)
      #expect(row.state == expected)
      #expect(row.local == behind)
      #expect(row.base.version == RecordVersion("v2"))
    }
  }

  @Test("a text that nobody here has seen, and that somebody brings back unchanged, is put to a person")
  func revivedUnseen() {
    for (base, expected) in [(ServerSide.tombstone(Copy.tombstone(.base)), RowState.s18), (Copy.trace(.base), .s4)] {
      var row = TrackedRow(id: Copy.id, local: .mine, base: base, places: Places(waiting: 1))
      var deleted = row
      row.receive(page: Copy.live(.base, at: 2), isOrdered: true)
      #expect(row.state == expected)
      #expect(row.local == .mine)
      deleted.mark()
      deleted.edit(to: nil)
      _ = deleted.receive(.met(Copy.live(.base, at: 2), mayHaveArrived: false))
      #expect(deleted.state == (expected == .s18 ? .s20 : .s5))
    }
  }

  @Test("a list from before a deletion shows no revival: the undo of the deletion is sent", arguments: [false, true])
  func listFromBefore(isOrdered: Bool) {
    var deleted = TrackedRow.synced()
    let trace = deleted.trace.map { ServerSide($0) } ?? .never
    deleted.send(nil)
    _ = deleted.receive(.accepted(nil))
    #expect(deleted.server.deletedAfter == trace.deletedAfter)
    var row = TrackedRow(id: Copy.id)
    row.add(.base, createdAt: Copy.born, trace: trace)
    let before = row
    row.receive(page: Copy.live(.base), isOrdered: isOrdered)
    #expect(row == before)
    var restored = row
    restored.serverWentBack(to: Copy.live(.base), since: Copy.born)
    #expect(restored.state == .s1)
    row.receive(page: Copy.live(.base, at: 2), isOrdered: isOrdered)
    #expect(row.state == .s1)
  }

  @Test("a lost answer to an insert: the row that is read is ours, and there is no second one")
  func lostInsert() {
    var row = TrackedRow.added()
    row.sendTwice()
    let mine = Copy.live(.mine)
    _ = row.receive(
      .success(.conflict(status: 409, nil)), from: StubTable { () throws(RemoteFailure) in mine })
    #expect(row.state == .s1)
  }

  @Test("somebody changed the row that arrived unheard: theirs is taken, and a newer edit is merged over it")
  func lostInsertChanged() {
    var row = TrackedRow.added()
    row.sendTwice()
    var edited = row
    #expect(row.receive(.met(Copy.live(.new), mayHaveArrived: false)) == .settled)
    #expect(row.local == .new)
    edited.edit(to: .text("phone the big bank about the loan"))
    #expect(edited.receive(.met(Copy.live(Columns.mine.fitting), mayHaveArrived: false)) == .sendAgain)
    #expect(edited.local == .text("phone the big bank about the mortgage"))
  }

  @Test("a lost answer to an update: my words in the server's copy are mine, with another change on top")
  func lostUpdate() {
    var row = TrackedRow.synced()
    row.send(.mine)
    row.sendTwice()
    var checked = Columns.mine
    checked["note"] = .text("theirs")
    #expect(row.receive(.met(Copy.live(checked, at: 3), mayHaveArrived: false)) == .settled)
    #expect(row.state == .s1)
  }

  @Test("a text that was put back behind a lost update is on the server at the end, arrived or not")
  func putBack() {
    var row = TrackedRow.synced()
    row.send(.mine)
    row.edit(to: .base)
    row.sendTwice()
    #expect(row.state == .s13)
    var unheard = row
    #expect(row.receive(.met(Copy.live(.mine, at: 2), mayHaveArrived: false)) == .sendAgain)
    #expect(row.local == .base)
    #expect(unheard.receive(.met(Copy.live(.base, at: 2), mayHaveArrived: false)) == .settled)
    #expect(unheard.local == .base)
  }

  @Test("my own words do not come back as theirs, if I take them out while the conflict is open")
  func sentIsKept() {
    var row = TrackedRow.synced(.text("call the bank"))
    row.send(.text("call the bank today"))
    row.edit(to: .text("ring the bank today"))
    row.sendTwice()
    #expect(row.receive(.met(Copy.live(.text("phone the bank today"), at: 2), mayHaveArrived: false)) == .needsDecision)
    row.edit(to: .text("call the bank"))
    #expect(row.local == .text("phone the bank"))
    #expect(row.state == .s4)
  }

  @Test("a lost answer to a delete: a tombstone or nothing at all says that it is done, a live row that it is not")
  func lostDelete() {
    var row = TrackedRow.synced()
    row.send(nil)
    row.sendTwice()
    var (gone, wrong) = (row, row)
    #expect(row.receive(.met(Copy.tombstone(at: 2), mayHaveArrived: false)) == .settled)
    #expect(row.state == .s2)
    _ = gone.receive(.success(.gone(status: 410)), from: StubTable { () throws(RemoteFailure) in nil })
    #expect(gone.state == .s2)
    let live = Copy.live(.base, at: 2)
    _ = wrong.receive(.success(.gone(status: 404)), from: StubTable { () throws(RemoteFailure) in live })
    #expect(wrong.state == .s5)
  }

  @Test("a lost answer to a revival: my words are mine, other words have no ancestor")
  func lostRevival() {
    var row = TrackedRow(id: Copy.id, local: .mine, base: .tombstone(Copy.tombstone()))
    row.sendTwice()
    var other = row
    #expect(row.receive(.met(Copy.live(.mine, at: 2), mayHaveArrived: false)) == .settled)
    #expect(other.receive(.met(Copy.live(.new, at: 2), mayHaveArrived: false)) == .needsDecision)
    #expect(other.state == .s18)
  }

  @Test("two edits and another's: one conflict, about the newest text")
  func twoEdits() {
    var row = TrackedRow.synced()
    row.send(.sent)
    row.edit(to: .mine)
    #expect(row.receive(.met(Copy.live(Columns.base.clashing, at: 2), mayHaveArrived: false)) == .needsDecision)
    #expect(row.local == .mine)
    #expect(row.base == .known(Copy.live(.base)))
  }

  @Test("an edit under way and a delete behind it: another's edit is put against the delete")
  func editThenDelete() {
    var row = TrackedRow.synced()
    row.send(.mine)
    row.edit(to: nil)
    #expect(row.receive(.met(Copy.live(Columns.base.fitting, at: 2), mayHaveArrived: false)) == .needsDecision)
    #expect(row.state == .s20)
  }

  @Test("a row added again behind its delete is revived, or was never deleted")
  func addedAgain() {
    var row = TrackedRow.synced()
    row.send(nil)
    row.add(.mine, createdAt: Copy.born, trace: .unknown)
    var (unsent, other) = (row, row)
    #expect(row.receive(.accepted(Copy.tombstone(.base, at: 2))) == .sendAgain)
    #expect(row.state == .s6)
    _ = unsent.receive(.notActedOn)
    #expect(unsent.state == .s4)
    #expect(other.receive(.met(Copy.live(Columns.base.fitting, at: 2), mayHaveArrived: false)) == .sendAgain)
    #expect(other.local == Columns.mine.fitting)
  }

  @Test("a server that trims a text makes no question of the delete behind it")
  func trimmed() {
    var row = TrackedRow.synced()
    row.send(.mine)
    row.edit(to: nil)
    #expect(row.receive(.accepted(Copy.live(.text("phone the bank"), at: 2))) == .sendAgain)
    #expect(row.state == .s5)
  }

  @Test("a refusal speaks of what was sent: a newer edit goes out, and only if that is refused it shows")
  func refusedThenChanged() {
    var row = TrackedRow.synced()
    row.send(.sent)
    row.edit(to: .mine)
    #expect(row.receive(.refused(status: 400, message: "no")) == .sendAgain)
    #expect(row.state == .s4)
    row.mark()
    #expect(row.receive(.refused(status: 400, message: "no")) == .needsDecision)
    #expect(row.state == .s22)
  }
}

extension TrackedRow {
  var state: RowState { RowClassifier.state(of: self) }

  static func synced(_ values: Columns = .base) -> TrackedRow {
    TrackedRow(id: Copy.id, local: values, createdAt: Copy.born, base: .known(Copy.live(values)))
  }

  static func added() -> TrackedRow {
    var row = TrackedRow(id: Copy.id)
    row.add(.mine, createdAt: Copy.born, trace: .never)
    row.places = Places(waiting: 1)
    return row
  }

  /// Changes the row and marks the change as sent.
  mutating func send(_ values: Columns?) {
    edit(to: values)
    places = Places(waiting: 1)
    mark()
  }

  /// Marks again what is under way: the first answer was lost.
  mutating func sendTwice() {
    if places == Places() { places = Places(waiting: 1) }
    if underWay == nil { mark() }
    mark()
  }

  mutating func refuse(_ values: Columns) {
    send(values)
    _ = receive(.refused(status: 400, message: "no"))
  }
}
