import TableProtocol
import Testing

@Suite("The digest of a table")
struct TableDigestTests {
  @Test(
    "adds for each row a number that never changes",
    arguments: [
      ("", "", 0xb903_4ad3_7056_f5fb), ("a", "1", 0x467c_d443_2f37_a62f), ("1", "a", 0x4b47_9814_3f96_337d),
      ("買い物", "AAABoesyBgA=", 0x6208_6d95_da44_290e), ("a1", "", 0x0776_96a5_7ec7_b113),
      ("", "a1", 0x6fa6_bb28_69f9_1e55),
      ("6a7c1f9e-0c34-4f0e-9a37-0c8a1a4b6b11", "AAABoesyBgA=", 0xc60a_39f8_2889_3bca),
    ] as [(RecordID, String, UInt64)])
  func fixedValues(id: RecordID, version: String, hash: UInt64) {
    #expect(TableDigest.hash(id, version) == hash)
  }

  @Test("is the same in whatever order rows come and go")
  func order() {
    let rows = (0..<50).map { (id: "row\($0)" as RecordID, version: RecordVersion("v\($0)")) }
    var forth = TableDigest()
    for row in rows { forth.add(row.id, row.version) }
    var back = TableDigest()
    for row in rows.reversed() { back.add(row.id, row.version) }
    back.add("guest", RecordVersion("1"))
    back.remove("guest", RecordVersion("1"))
    #expect(forth == back)
    #expect(forth.count == 50)
  }

  @Test("of two rows is the sum of their numbers, which wraps around")
  func sum() {
    var digest = TableDigest()
    digest.add("a", RecordVersion("1"))
    digest.add("b", RecordVersion("2"))
    #expect(digest == TableDigest(count: 2, checksum: 0xc00a_b9b9_a975_7033))
    var change = TableDigest()
    change.remove("a", RecordVersion("1"))
    digest.add(change)
    #expect(digest == TableDigest(count: 1, checksum: TableDigest.hash("b", "2")))
  }

  @Test("tells rows apart that exchanged their versions, and equal rows that are there twice")
  func collisions() {
    func digest(_ rows: (RecordID, String)...) -> TableDigest {
      rows.reduce(into: TableDigest()) { $0.add($1.0, RecordVersion($1.1)) }
    }
    #expect(digest(("a", "1"), ("b", "2")) != digest(("a", "2"), ("b", "1")))
    #expect(digest(("a", "1"), ("a", "1")).checksum != 0)
    #expect(digest(("a", "11")) != digest(("a1", "1")))
  }

  @Test("has one form as text")
  func text() {
    let digest = TableDigest(count: 1_204, checksum: 0xab)
    #expect(digest.text == "1204 00000000000000ab")
    #expect(TableDigest(digest.text) == digest)
    #expect(TableDigest("0 ffffffffffffffff") == TableDigest(count: 0, checksum: .max))
  }

  @Test(
    "can't be read from anything else",
    arguments: [
      "", " ", "1", "1 ab", "-1 00000000000000ab", "+1 00000000000000ab", "1 00000000000000AB", "1 -0000000000000ab",
      "1  00000000000000ab", "1 00000000000000ab ", "12345678901234567890 00000000000000ab", "1 0x000000000000ab",
      "x 00000000000000ab", "１ 00000000000000ab",
    ])
  func malformed(text: String) {
    #expect(TableDigest(text) == nil)
  }
}
