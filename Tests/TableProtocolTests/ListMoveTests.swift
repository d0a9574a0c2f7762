import TableProtocol
import Testing

@Suite("What a write did to a table, on the wire")
struct ListMoveTests {
  private static let moments = (Timestamp(milliseconds: 1_795_000_000_000), Timestamp(milliseconds: 1_795_000_000_007))

  @Test("is the moments around its rows and their number, and is read as it was written")
  func written() throws {
    let move = ListMove(from: Self.moments.0, to: Self.moments.1, rows: 999_999_999)
    #expect(ListMove(move.text) == move)
    let first = ListMove(from: .epoch, to: Self.moments.0, rows: 1)
    #expect(first.text == "from=1970-01-01T00:00:00.000Z;to=\(Self.moments.0.text);rows=1")
    #expect(ListMove(first.text) == first)
  }

  @Test("may have the digest of the whole table, and one that can't be read is none")
  func digest() {
    let digest = TableDigest(count: 12, checksum: 123_456_789)
    let move = ListMove(from: .epoch, to: Self.moments.0, rows: 1, digest: digest)
    #expect(move.text.hasSuffix(";rows=1;count=12;checksum=00000000075bcd15"))
    #expect(ListMove(move.text) == move)
    let (from, to) = (Self.moments.0.text, Self.moments.1.text)
    for bad in ["count=1", "checksum=0000000000000001", "count=-1;checksum=0000000000000001", "count=1;checksum=1"] {
      #expect(
        ListMove("from=\(from);to=\(to);rows=2;\(bad)")
          == ListMove(from: Self.moments.0, to: Self.moments.1, rows: 2))
    }
  }

  @Test("passes over parameters that came later, in any order")
  func later() {
    let (from, to) = (Self.moments.0.text, Self.moments.1.text)
    #expect(
      ListMove("rows=2;why=batch;to=\(to);from=\(from)")
        == ListMove(from: Self.moments.0, to: Self.moments.1, rows: 2))
  }

  @Test(
    "is nothing if a part is missing, can't be read or can't be",
    arguments: [
      "", "rows=1", "from=F;rows=1", "to=T;rows=1", "from=F;to=T", "from=F;to=T;rows=0", "from=F;to=T;rows=-1",
      "from=F;to=T;rows=+1", "from=F;to=T;rows=1000000000", "from=F;to=T;rows=1.0", "from=T;to=F;rows=1",
      "from=F;to=F;rows=1", "from=now;to=T;rows=1", "from=;to=T;rows=1",
    ])
  func unreadable(text: String) {
    let filled = text.map { character in
      switch character {
      case "F": Self.moments.0.text
      case "T": Self.moments.1.text
      default: String(character)
      }
    }.joined()
    #expect(ListMove(filled) == nil)
  }
}
