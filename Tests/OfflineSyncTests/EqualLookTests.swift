import TableProtocol
import Testing

@testable import OfflineSync

/// Some clients leave out what is false or empty, and the server stores null.
@Suite("Values that look the same to a person")
struct EqualLookTests {
  @Test("an unset value looks like false and like an empty text, and otherwise only equal ones look the same")
  func values() {
    let values: [FieldValue] = [
      .null, .bool(false), .bool(true), .text(""), .text("milk"), .integer(0), .real(0),
    ]
    let alike: [Set<FieldValue>] = [[.null, .bool(false)], [.null, .text("")]]
    for left in values {
      #expect(!left.looks(like: nil))
      for right in values {
        let isAlike = left == right || alike.contains(Set([left, right]))
        #expect(left.looks(like: right) == isAlike, "\(left) and \(right)")
      }
    }
  }

  @Test(
    "rows look the same if the columns of both do, and a row without any is like no other",
    arguments: [
      (["c": .null], ["c": .bool(false)], true), (["c": .null], ["c": .bool(true)], false),
      (["c": .null, "t": .text("milk")], ["c": .bool(false), "t": .text("tea")], false),
      (["c": .null, "t": .text("milk")], ["t": .text("milk")], true), ([:], ["c": .null], false), ([:], [:], true),
      (nil, nil, true), (nil, ["c": .null], false),
    ] as [(Columns?, Columns?, Bool)])
  func rows(left: Columns?, right: Columns?, isAlike: Bool) {
    #expect(Columns.lookAlike(left, right) == isAlike)
    #expect(Columns.lookAlike(right, left) == isAlike)
  }
}

@Suite("Merging columns that are unset, false or empty")
struct EqualLookMergeTests {
  /// All that a column may hold in a copy, if it has two looks and this is the second one; nil is a copy without it.
  private static func states(_ full: FieldValue) -> [FieldValue?] {
    [nil, .null, full.bool == nil ? .text("") : .bool(false), full]
  }

  private func columns(_ value: FieldValue?) -> Columns { value.map { ["column": $0] } ?? [:] }

  @Test(
    "no three copies clash: the one that changed its look wins, and of two that did not, the one that is another value",
    arguments: [FieldValue.bool(true), .text("milk")])
  func withBase(full: FieldValue) {
    let states = Self.states(full)
    let copies = states.flatMap { base in states.flatMap { mine in states.map { (base, mine, $0) } } }
    for (base, mine, theirs) in copies {
      let merge = RecordMerge.of(base: columns(base), mine: columns(mine), theirs: columns(theirs))
      guard case .merged(let merged) = merge else {
        Issue.record("\(String(describing: (base, mine, theirs))) clash")
        continue
      }
      let result = merged["column"]
      guard let here = mine, let there = theirs else {
        #expect(result == theirs, "a column that only one side has is the server's")
        continue
      }
      let start = base ?? .null
      let isFull = (there == full) == (start == full) ? here == full : there == full
      #expect((result == full) == isFull, "\(start), \(here), \(there)")
      if there == start {
        #expect(result == here, "\(start), \(here), \(there)")
      } else if here == start {
        #expect(result == there, "\(start), \(here), \(there)")
      }
    }
  }

  @Test(
    "nor do they clash if a fourth may have been sent: theirs wins if its look is neither that of the base nor of that",
    arguments: [FieldValue.bool(true), .text("milk")])
  func withSent(full: FieldValue) {
    let values = Self.states(full).compactMap(\.self)
    let copies = values.flatMap { mine in values.map { (mine, $0) } }
    for base in values {
      for sent in values {
        for (mine, theirs) in copies {
          let merge = RecordMerge.of(
            base: columns(base), sent: columns(sent), mine: columns(mine), theirs: columns(theirs))
          guard case .merged(let merged) = merge else {
            Issue.record("\(mine) and \(theirs) clash after \(base) and \(sent)")
            continue
          }
          let isNews = (theirs == full) != (base == full) && (theirs == full) != (sent == full)
          let winner = isNews ? theirs : mine
          #expect((merged["column"] == full) == (winner == full), "\(base), \(sent), \(mine), \(theirs)")
        }
      }
    }
  }

  @Test("without a common copy only what looks different clashes", arguments: [FieldValue.bool(true), .text("milk")])
  func withoutBase(full: FieldValue) {
    for mine in Self.states(full) {
      for theirs in Self.states(full) {
        let clashes = mine != nil && theirs != nil && (mine == full) != (theirs == full)
        let merge = RecordMerge.of(base: nil, mine: columns(mine), theirs: columns(theirs))
        #expect(merge == (clashes ? .clash(["column"]) : .merged(columns(theirs))))
      }
    }
  }
}

/// The completion of an item here and there, in each way in which it is not completed.
@Suite("RowTable: nobody is asked about values that look the same")
struct EqualLookRowTests {
  /// Nil is a copy without the column.
  private static let unset: [FieldValue?] = [nil, .null, .bool(false)]

  private func item(_ complete: FieldValue?, _ text: String = Text.base) -> Columns {
    var columns: Columns = ["text": .text(text)]
    columns["complete"] = complete
    return columns
  }

  @Test("a new item whose id the server has already", arguments: unset, unset)
  func added(here: FieldValue?, there: FieldValue?) {
    var row = TrackedRow(id: Copy.id)
    row.add(item(here), createdAt: Copy.born, trace: .unknown)
    row.receive(page: Copy.live(item(there)), isOrdered: true)
    #expect(row.attention == nil)
    #expect(row.local?.line == Text.base)
  }

  @Test("both edited the item, and the texts merge", arguments: unset, unset)
  func edited(here: FieldValue?, there: FieldValue?) {
    var row = TrackedRow.synced(item(here))
    row.edit(to: item(here, Text.mine))
    row.receive(page: Copy.live(item(there, Text.fitting(Text.base)), at: 2), isOrdered: true)
    #expect(row.state == .s4)
    #expect(row.local?.line == Text.fitting(Text.mine))
  }

  @Test("the item was deleted there, and the edit here shows no difference", arguments: unset, unset)
  func deletedThere(before: FieldValue?, after: FieldValue?) {
    var row = TrackedRow.synced(item(before))
    row.edit(to: item(after))
    row.receive(page: Copy.tombstone(at: 2), isOrdered: true)
    #expect(row.state == .s2)
  }

  @Test("the item was deleted here, and the edit there shows no difference", arguments: unset, unset)
  func deletedHere(before: FieldValue?, there: FieldValue?) {
    var row = TrackedRow.synced(item(before))
    row.edit(to: nil)
    row.receive(page: Copy.live(item(there), at: 2), isOrdered: true)
    #expect(row.state == .s5)
  }

  @Test("a copy of this store has sent the new item, and somebody has deleted it", arguments: unset, unset)
  func sentByCopy(here: FieldValue?, there: FieldValue?) {
    var row = TrackedRow(id: Copy.id)
    row.add(item(here), createdAt: Copy.born, trace: .never)
    row.places = Places(waiting: 1)
    row.mark()
    #expect(row.receive(.met(Copy.tombstone(item(there), at: 2), mayHaveArrived: false)) == .settled)
    #expect(row.state == .s2)
  }

  @Test("the new item had arrived, and is deleted here since", arguments: unset, unset)
  func deletedBehind(here: FieldValue?, there: FieldValue?) {
    var row = TrackedRow(id: Copy.id)
    row.add(item(here), createdAt: Copy.born, trace: .never)
    row.sendTwice()
    row.edit(to: nil)
    #expect(row.receive(.met(Copy.live(item(there)), mayHaveArrived: false)) == .sendAgain)
    #expect(row.state == .s5)
  }

  @Test("the server went back to a copy that shows no difference", arguments: unset, unset)
  func restored(here: FieldValue?, there: FieldValue?) {
    var row = TrackedRow(
      id: Copy.id, local: item(here), createdAt: Copy.born, base: .known(Copy.live(item(here), at: 5)))
    row.serverWentBack(to: Copy.live(item(there), at: 3), since: Timestamp(milliseconds: 4_000))
    #expect(row.state == .s1)
  }

  @Test("an edit between the two is one, and goes out")
  func sent() {
    var row = TrackedRow.synced(item(.null))
    row.edit(to: item(.bool(false)))
    #expect(row.state == .s4)
  }
}
