import TableProtocol
import Testing

@Suite("The epoch of a database on the wire")
struct DatabaseEpochTests {
  private static let moment = Timestamp("2026-11-21T02:00:00.000Z")

  @Test("is a number, and the moment it goes on from if there is one")
  func written() {
    #expect(DatabaseEpoch(number: 1).text == "1")
    #expect(DatabaseEpoch(number: 3, from: Self.moment).text == "3;from=2026-11-21T02:00:00.000Z")
  }

  @Test("is read as it was written, and parameters that came later are passed over")
  func read() {
    for epoch in [DatabaseEpoch(number: 1), DatabaseEpoch(number: 999_999_999, from: Self.moment)] {
      #expect(DatabaseEpoch(epoch.text) == epoch)
    }
    #expect(
      DatabaseEpoch("2;why=restored;from=2026-11-21T02:00:00.000Z") == DatabaseEpoch(number: 2, from: Self.moment))
  }

  @Test("has a random part, so that the same copy put back twice gives two; earlier texts without it stay readable")
  func nonce() {
    let first = DatabaseEpoch(number: 2, from: Self.moment, nonce: "7f3a9c01")
    let second = DatabaseEpoch(number: 2, from: Self.moment, nonce: "00c2f1aa")
    #expect(first.text == "2;from=2026-11-21T02:00:00.000Z;nonce=7f3a9c01")
    #expect(DatabaseEpoch(first.text) == first && first != second)
    #expect(DatabaseEpoch(DatabaseEpoch(number: 2, nonce: "a").text) == DatabaseEpoch(number: 2, nonce: "a"))
    let old = DatabaseEpoch("2;from=2026-11-21T02:00:00.000Z")
    #expect(old == DatabaseEpoch(number: 2, from: Self.moment) && old?.isMeant(for: first) == true)
    #expect(first.isMeant(for: first) && !first.isMeant(for: second))
    #expect(DatabaseEpoch("2;nonce=")?.nonce == nil)
  }

  @Test("counts the removals since an earlier epoch, as far as it has their names")
  func removals() throws {
    let first = DatabaseEpoch(number: 1)
    var epochs = [first]
    for name in ["a", "b", "c"] {
      let last = try #require(epochs.last)
      epochs.append(
        DatabaseEpoch(number: last.number + 1, nonce: last.nonce(afterRemoval: name, endsHere: false)))
    }
    #expect(epochs.map(\.text) == ["1", "2;nonce=a,1", "3;nonce=b,a,1", "4;nonce=c,b,a,1"])
    for (place, epoch) in epochs.enumerated() {
      let steps: [Int?] = (0...3).map { $0 > place ? nil : place - $0 }
      #expect(epochs.map { epoch.removals(since: $0) } == steps)
      #expect(DatabaseEpoch(epoch.text) == epoch && epoch.isNamed && epoch.beganWithRemoval == (place > 0))
    }
    let since = DatabaseEpoch(number: 4, nonce: epochs[2].nonce(afterRemoval: "c", endsHere: true))
    #expect(since.nonce == "c,b" && since.removals(since: epochs[2]) == 1 && since.removals(since: epochs[1]) == nil)
    #expect(since.goesBack(to: "c") && since.goesBack(to: "b") && !since.goesBack(to: "a"))
  }

  @Test("goes back as far as there is room in a header, and not beyond an epoch without a name")
  func room() {
    var epoch = DatabaseEpoch(number: 1)
    for number in 2...9 {
      let nonce = epoch.nonce(afterRemoval: "0000000\(number)", endsHere: false)
      epoch = DatabaseEpoch(number: number, nonce: nonce)
      #expect(DatabaseEpoch(epoch.text) == epoch)
    }
    #expect(epoch.nonce == (3...9).reversed().map { "0000000\($0)" }.joined(separator: ","))
    let unnamed = DatabaseEpoch(number: 2, from: Self.moment)
    #expect(!unnamed.isNamed && unnamed.removals(since: unnamed) == nil)
    #expect(unnamed.nonce(afterRemoval: "a", endsHere: false) == "a")
  }

  @Test(
    "counts no removals by names that do not fit the numbers, or are none",
    arguments: [
      "4;nonce=c,b", "3;nonce=c,b,1", "4;nonce=a,b,a,1", "5;nonce=c,b,a", "2;nonce=b,a", "4;nonce=,,a,1",
      "4;nonce=c,b,a,", "4;nonce=c,b,A", "4;nonce=d;nonce=c,b,a", "4;nonce=c;b;a", "4", "4;nonce=",
    ])
  func strangeNames(text: String) throws {
    let epoch = try #require(DatabaseEpoch(text))
    for earlier in ["a,1", "a", ",1", "a,", "1"] {
      #expect(epoch.removals(since: DatabaseEpoch(number: 2, nonce: earlier)) == nil, "\(earlier)")
    }
    #expect(epoch.removals(since: DatabaseEpoch(number: 2)) == nil)
  }

  @Test(
    "is nothing if it can't be read",
    arguments: [
      "", "0", "-1", "+1", "one", "1234567890", ";from=2026-11-21T02:00:00.000Z", "2;from=", "2;from=now", " 1",
      "2;nonce=a, 1", "2;nonce=\(String(repeating: "a", count: 63)),1",
    ])
  func unreadable(text: String) {
    #expect(DatabaseEpoch(text) == nil)
  }
}
