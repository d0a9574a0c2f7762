import Chance
import TableProtocol
import TableSQL
import Testing

struct HostileConditionTests {
  @Test("conditions that double with every level are refused, not written out")
  func explosion() throws {
    var text = "a"
    for _ in 0..<40 { text = "endswith(\(text),\(text == "a" ? "a" : "'x'"))" }
    let filter = try FilterParser.parse(text)
    #expect(throws: QueryError.tooComplex) {
      try FilterSQL(.sqlite, nulls: .sql) { SQLColumn("\"\($0)\"", .text) }.condition(filter)
    }
  }

  @Test("random pieces of the language give a filter or an error, and SQL with as many values as marks")
  func randomPieces() throws {
    let seed = UInt64.random(in: .min ... .max)
    var chance = SeededGenerator(seed: seed)
    let pieces = [
      "(", ")", ",", "/", "-", "'", "''", " ", "a", "id", "updatedAt", "eq", "ne", "and", "or", "not", "in", "add",
      "null", "true", "1", "2.5",
      "5L", "0x", "cast(", "Edm.Date", "datetime'", "2024-01-02T03:04:05Z", "contains(", "substringof(", "replace(",
      "round(", "买", "\u{0}", "%", "+",
      "startswith(", "X'0A'", "length", ".",
    ]
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...12, using: &chance)).map { _ in pieces.randomElement(using: &chance) ?? "" }
        .joined(separator: Bool.random(using: &chance) ? " " : "")
      guard let filter = try? FilterParser.parse(text) else { continue }
      let writer = FilterSQL(.sqlite, nulls: .odata) { SQLColumn("\"\($0)\"", .text) }
      guard let sql = try? writer.condition(filter) else { continue }
      #expect(sql.sql.count { $0 == "?" } == sql.arguments.count, "seed \(seed): \(text)")
    }
  }
}
