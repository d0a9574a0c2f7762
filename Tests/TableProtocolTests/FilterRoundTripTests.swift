import Chance
import TableProtocol
import Testing

struct FilterRoundTripTests {
  @Test("a filter that is written and read is the same filter", arguments: ProtocolVersion.allCases)
  func roundTrip(version: ProtocolVersion) throws {
    let seed = UInt64.random(in: .min ... .max)
    var maker = FilterMaker(chance: SeededGenerator(seed: seed))
    for _ in 0..<3_000 {
      let filter = maker.filter(depth: 5)
      let text = FilterWriter(version).text(of: filter)
      #expect(try FilterParser.parse(text) == filter, "seed \(seed): \(text)")
    }
  }

  @Test(
    "the query of a URL gives back its filter, with nothing unencoded that a server would misread",
    arguments: ProtocolVersion.allCases)
  func queryString(version: ProtocolVersion) throws {
    let seed = UInt64.random(in: .min ... .max)
    var maker = FilterMaker(chance: SeededGenerator(seed: seed))
    for _ in 0..<1_000 {
      let filter = maker.filter(depth: 3)
      let query = QueryWriter(version).queryString(for: TableQuery(table: "t", filter: filter))
      let value = query.dropFirst("$filter=".count)
      #expect(!value.contains { "+&#= \"<>".contains($0) || !$0.isASCII }, "seed \(seed): \(query)")
      #expect(
        try FilterParser.parse(PercentEncoding.decode(value, plusIsSpace: true)) == filter, "seed \(seed): \(query)")
    }
  }

  @Test("a chain of conditions is written flat, so that it is not too deep to read")
  func chain() throws {
    let filter = try #require(Filter.any((0..<200).map { .compare("id", .equal, .integer($0)) }))
    #expect(try FilterParser.parse(FilterWriter(.v2).text(of: filter)) == filter)
  }

  @Test("each version gets its own words for a time and for a part of a text")
  func dialects() {
    let filter = Filter.binary(
      .and, .call(.contains, [.member("text"), .literal(.text("it's"))]),
      .compare("updatedAt", .greaterOrEqual, .timestamp(.epoch)))
    #expect(
      FilterWriter(.v2).text(of: filter)
        == "(substringof('it''s',text) and (updatedAt ge datetimeoffset'1970-01-01T00:00:00.000Z'))")
    #expect(
      FilterWriter(.v3).text(of: filter)
        == "(contains(text,'it''s') and (updatedAt ge cast(1970-01-01T00:00:00.000Z,Edm.DateTimeOffset)))")
  }

  @Test("every option of a query has its name in each version")
  func options() {
    let query = TableQuery(
      table: "t", filter: .compare("a", .equal, .text("x+y&z")),
      order: [SortKey("updatedAt"), SortKey("id", ascending: false)], skip: 5,
      limit: 50, select: ["id", "text"], includesTotalCount: true, includesDeleted: true)
    #expect(
      QueryWriter(.v2).queryString(for: query)
        == "$filter=(a%20eq%20'x%2By%26z')&$orderby=updatedAt,id%20desc&$skip=5&$top=50&$select=id,text&$inlinecount=allpages"
        + "&__includeDeleted=true")
    #expect(
      QueryWriter(.v3).queryString(for: query)
        == "$filter=(a%20eq%20'x%2By%26z')&$orderby=updatedAt,id%20desc&$skip=5&$top=50&$select=id,text&$count=true"
        + "&__includedeleted=true")
    #expect(QueryWriter(.v3).queryString(for: TableQuery(table: "t")).isEmpty)
  }
}

/// Makes filters by chance, of every kind there is.
private struct FilterMaker {
  var chance: SeededGenerator

  mutating func filter(depth: Int) -> Filter {
    guard depth > 0 else { return leaf() }
    switch Int.random(in: 0..<7, using: &chance) {
    case 0: return .not(filter(depth: depth - 1))
    case 1: return .negated(filter(depth: depth - 1))
    case 2: return .isIn(filter(depth: depth - 1), (0..<Int.random(in: 1...4, using: &chance)).map { _ in literal() })
    case 3: return call(depth: depth)
    case 4: return leaf()
    default:
      let operation = FilterOperator.allCases.randomElement(using: &chance) ?? .and
      return .binary(operation, filter(depth: depth - 1), filter(depth: depth - 1))
    }
  }

  private mutating func leaf() -> Filter {
    Bool.random(using: &chance)
      ? .literal(literal())
      : .member(["id", "text", "updatedAt", "_x", "eq", "notes"].randomElement(using: &chance) ?? "id")
  }

  private mutating func call(depth: Int) -> Filter {
    let function = FilterFunction.allCases.filter { $0 != .replace }.randomElement(using: &chance) ?? .trim
    let count: Int
    switch function {
    case .startsWith, .endsWith, .contains, .indexOf, .concat: count = 2
    case .substring: count = Int.random(in: 2...3, using: &chance)
    default: count = 1
    }
    return .call(function, (0..<count).map { _ in filter(depth: depth - 1) })
  }

  private mutating func literal() -> FilterLiteral {
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &chance))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &chance) >> Int64.random(in: 0..<60, using: &chance))
    case 3:
      return .real(
        Double(Int.random(in: -9_999...9_999, using: &chance))
          * ([1e-9, 0.25, 1, 1e30].randomElement(using: &chance) ?? 1))
    case 4: return .timestamp(Timestamp(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &chance)))
    default: return .text(text())
    }
  }

  private mutating func text() -> String {
    let characters = Array("ab' '+&%#=?/\"\\买🥛é,()\u{301}\n")
    return String(
      (0..<Int.random(in: 0...6, using: &chance)).compactMap { _ in characters.randomElement(using: &chance) })
  }
}
