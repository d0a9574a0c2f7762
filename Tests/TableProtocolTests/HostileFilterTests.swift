import Chance
import TableProtocol
import Testing

struct HostileFilterTests {
  @Test("nesting without end is an error, whatever nests", arguments: ["(", "not ", "-(", "trim(", "concat('a',"])
  func nesting(opening: String) {
    let text = String(repeating: opening, count: 16_000 / opening.utf8.count)
    #expect(throws: FilterSyntaxError.self) { try FilterParser.parse(text + "a") }
  }

  @Test("a chain of some hundred conditions is read, one of thousands is refused")
  func chains() throws {
    func chain(_ count: Int) -> String { Array(repeating: "a", count: count).joined(separator: " or ") }
    _ = try FilterParser.parse(chain(300))
    #expect(throws: FilterSyntaxError.self) { try FilterParser.parse(chain(3_000)) }
  }

  @Test("a filter may call 200 functions and no more, wherever they stand")
  func calls() throws {
    func sum(_ count: Int) -> String {
      // In pairs, so that the tree is not too deep.
      (0..<count / 2).map { _ in "(length(a) add length(a))" }.joined(separator: " add ") + " gt 1"
    }
    _ = try FilterParser.parse(sum(200))
    #expect(throws: FilterSyntaxError.self) { try FilterParser.parse(sum(202)) }
  }

  @Test("a text longer than any client sends is refused before it is read")
  func length() {
    let text = String(repeating: " ", count: 1_000_000) + "a"
    #expect(throws: FilterSyntaxError(.tooLong, at: 16_384)) { try FilterParser.parse(text) }
  }

  @Test("random bytes never do more than fail")
  func randomBytes() {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...60, using: &chance)).map { _ in
        UInt8.random(in: .min ... .max, using: &chance)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      _ = try? FilterParser.parse(text)
      _ = try? OrderParser.parse(text)
      _ = NextLink.query(of: text)
      _ = LinkHeader.nextQuery(in: text)
      _ = ErrorBody.message(in: bytes)
      _ = RecordVersion(entityTag: text)
      _ = Timestamp(text)
    }
  }
}
