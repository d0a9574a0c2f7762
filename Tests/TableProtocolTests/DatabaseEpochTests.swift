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

  @Test(
    "is nothing if it can't be read",
    arguments: [
      "", "0", "-1", "+1", "one", "1234567890", ";from=2026-11-21T02:00:00.000Z", "2;from=", "2;from=now", " 1",
    ])
  func unreadable(text: String) {
    #expect(DatabaseEpoch(text) == nil)
  }
}
