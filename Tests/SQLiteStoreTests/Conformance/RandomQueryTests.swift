import Chance
import OfflineSync
import TableProtocol
import TableSQL
import Testing

@Suite("The stores answer alike")
struct RandomQueryTests {
  @Test("random queries over random rows have one answer, from a printed seed")
  func alike() throws {
    let seed = UInt64.random(in: .min ... .max)
    var maker = QueryMaker(seed)
    let (sqlite, folder) = try StoreUnderTest.sqlite.open()
    let (memory, other) = try StoreUnderTest.inMemory.open()
    defer { withExtendedLifetime((folder, other)) {} }
    let rows = (0..<40).map { _ in maker.record() }
    try sqlite.write { try $0.upsert(rows, in: sqlite.table) }
    try memory.write { try $0.upsert(rows, in: memory.table) }
    var errors = 0
    for _ in 0..<1_500 {
      let query = maker.query()
      let expected = answer(sqlite, query)
      #expect(answer(memory, query) == expected, "seed \(seed): \(FilterText.of(query))")
      if case .failure = expected { errors += 1 }
    }
    #expect(errors < 750, "most queries are answered")
  }

  private func answer(_ store: any LocalStore, _ query: TableQuery) -> Result<[Record], QueryError> {
    do {
      return .success(try store.read { try $0.records(query).records })
    } catch {
      return .failure(error as? QueryError ?? .unknownColumn("\(error)"))
    }
  }
}

private enum FilterText {
  static func of(_ query: TableQuery) -> String {
    "\(query.filter.map(FilterWriter(.v3).text) ?? "all") by \(query.order), \(query.skip ?? 0), \(query.limit ?? -1)"
  }
}

/// Makes rows and queries by chance. Values are few, so that conditions often hold.
private struct QueryMaker {
  private var chance: SeededGenerator

  init(_ seed: UInt64) { chance = SeededGenerator(seed: seed) }

  mutating func record() -> Record {
    var record = Record(
      id: "\(pick(["a", "b", "C", "d1", "d2", "é", "zz"]))\(Int.random(in: 0..<9, using: &chance))")
    record.values = ["text": .text(text()), "complete": pick([.bool(true), .bool(false)])]
    record.system.createdAt = moment()
    if Bool.random(using: &chance) {
      record.system.updatedAt = moment()
      record.system.version = RecordVersion(pick(["v1", "v2", "7"]))
    }
    return record
  }

  mutating func query() -> TableQuery {
    var query = TableQuery(table: StoreUnderTest.table)
    query.filter = condition(depth: Int.random(in: 0...3, using: &chance))
    query.order = (0..<Int.random(in: 0...2, using: &chance)).map { _ in
      SortKey(pick(["id", "text", "complete", "createdAt", "updatedAt", "version"]), ascending: pick([true, false]))
    }
    query.skip = pick([nil, 0, 3])
    query.limit = pick([nil, nil, 0, 5])
    return query
  }

  private mutating func condition(depth: Int) -> Filter {
    guard depth > 0 else { return comparison() }
    switch Int.random(in: 0..<5, using: &chance) {
    case 0: return .not(condition(depth: depth - 1))
    case 1, 2: return .binary(.and, condition(depth: depth - 1), condition(depth: depth - 1))
    case 3: return .binary(.or, condition(depth: depth - 1), condition(depth: depth - 1))
    default: return comparison()
    }
  }

  private mutating func comparison() -> Filter {
    let relation = pick([FilterOperator.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
    switch Int.random(in: 0..<9, using: &chance) {
    case 0: return .isIn(.member(pick(["text", "id", "version"])), (0..<3).map { _ in textLiteral() })
    case 1: return .member("complete")
    case 2: return .call(pick([.startsWith, .endsWith, .contains]), [.member("text"), .literal(textLiteral())])
    case 3: return .compare(pick(["createdAt", "updatedAt"]), relation, timeLiteral())
    case 4: return .binary(relation, number(depth: 2), number(depth: 1))
    case 5: return .compare(pick(["complete", "text", "id", "deleted"]), relation, anyLiteral())
    case 6: return .binary(relation, textValue(), textValue())
    case 7: return .binary(relation, .member(pick(["createdAt", "text"])), .member("updatedAt"))
    default: return .compare(pick(["text", "version", "id"]), relation, textLiteral())
    }
  }

  private mutating func number(depth: Int) -> Filter {
    guard depth > 0 else {
      return .literal(pick([.integer(0), .integer(2), .integer(-7), .integer(.max), .real(2.5), .real(-0.5), .null]))
    }
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: return .call(.length, [textValue()])
    case 1: return .call(.indexOf, [.member("text"), .literal(textLiteral())])
    case 2:
      return .call(pick([.year, .month, .day, .hour, .minute, .second]), [.member(pick(["createdAt", "updatedAt"]))])
    case 3: return .call(pick([.floor, .ceiling, .round]), [number(depth: depth - 1)])
    case 4: return .negated(number(depth: depth - 1))
    default:
      return .binary(
        pick([.add, .subtract, .multiply, .divide, .modulo]), number(depth: depth - 1), number(depth: depth - 1))
    }
  }

  private mutating func textValue() -> Filter {
    let column = Filter.member(pick(["text", "id", "version", "updatedAt"]))
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: return .call(pick([.toLower, .toUpper, .trim]), [column])
    case 1: return .call(.concat, [column, .literal(textLiteral())])
    case 2: return .call(.substring, [column, .literal(.integer(Int64.random(in: -1...3, using: &chance)))])
    case 3: return .call(.substring, [column, .literal(.integer(1)), .literal(.integer(2))])
    case 4: return .call(.replace, [column, .literal(.text("l")), .literal(.text("L"))])
    default: return column
    }
  }

  private mutating func text() -> String {
    pick(["", "milk", "Milk", " milk ", "é", "e\u{301}", "7", "07", "2.5", "買う 牛乳", "2026-11-21T00:00:00Z", "m", "l'o"])
  }

  private mutating func textLiteral() -> FilterLiteral { pick([.text(text()), .text(text()), .text("d10"), .null]) }

  private mutating func timeLiteral() -> FilterLiteral {
    pick([.timestamp(moment()), .timestamp(moment()), .text("2026-11-21"), .null, .text("soon")])
  }

  private mutating func anyLiteral() -> FilterLiteral {
    pick([.null, .bool(true), .bool(false), .integer(1), .integer(7), .text("1"), .text("7"), .real(2.5)])
  }

  private mutating func moment() -> Timestamp {
    Timestamp(milliseconds: 1_795_219_200_000 + Int64.random(in: 0...5, using: &chance) * 35_999_999)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &chance)]
  }
}
