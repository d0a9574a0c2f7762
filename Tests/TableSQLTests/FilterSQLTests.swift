import TableProtocol
import TableSQL
import Testing

struct FilterSQLTests {
  private func column(_ name: String) -> SQLColumn? {
    switch name {
    case "updatedAt": SQLColumn("updatedAt", .milliseconds)
    case "seenAt": SQLColumn("seenAt", .timestampText)
    case "text", "id": SQLColumn("\"\(name)\"", .text)
    case "complete": SQLColumn("complete", .bool)
    default: nil
    }
  }

  private func sql(_ text: String, _ nulls: FilterSQL.NullRule = .sql) throws -> SQLFragment {
    try FilterSQL(.sqlite, nulls: nulls, column: column).condition(FilterParser.parse(text))
  }

  @Test("a pull's condition is one an index can answer", arguments: [FilterSQL.NullRule.sql, .odata])
  func indexable(nulls: FilterSQL.NullRule) throws {
    #expect(
      try sql("(updatedAt ge datetimeoffset'1970-01-01T00:00:01.000Z')", nulls)
        == SQLFragment("(updatedAt >= ?)", [.integer(1_000)]))
    #expect(try sql("id eq 'x'", nulls) == SQLFragment("(\"id\" = ?)", [.text("x")]))
  }

  @Test("times compare by instant, whichever form the column and the constant have")
  func times() throws {
    #expect(try sql("updatedAt gt '1970-01-02'") == SQLFragment("(updatedAt > ?)", [.integer(86_400_000)]))
    #expect(
      try sql("seenAt le cast(1970-01-01T01:00:00+01:00,Edm.DateTimeOffset)")
        == SQLFragment("(seenAt <= ?)", [.text("1970-01-01T00:00:00.000Z")]))
    #expect(try sql("text lt datetime'1970-01-01T00:00:00Z'").sql == "(ebb_milliseconds(\"text\") < ?)")
    #expect(try sql("seenAt lt updatedAt").sql == "(ebb_milliseconds(seenAt) < updatedAt)")
    #expect(throws: QueryError.notATimestamp("soon")) { try sql("updatedAt gt 'soon'") }
  }

  @Test("null follows the rule of each version")
  func nulls() throws {
    #expect(try sql("text eq null").sql == "(\"text\" IS NULL)")
    #expect(try sql("null ne text", .odata).sql == "(\"text\" IS NOT NULL)")
    #expect(try sql("text ne 'a'").sql == "(\"text\" <> ?)")
    #expect(try sql("text ne 'a'", .odata).sql == "(\"text\" IS NOT ?)")
    #expect(try sql("text eq id", .odata).sql == "(\"text\" IS \"id\")")
    #expect(try sql("not (text lt 'a')", .odata).sql == "(NOT coalesce((\"text\" < ?), 0))")
    #expect(try sql("not (text lt 'a')").sql == "(NOT (\"text\" < ?))")
  }

  @Test("a column the table has not is named in the error")
  func unknownColumns() {
    #expect(throws: QueryError.unknownColumn("nope")) { try sql("complete and nope eq 1") }
    #expect(throws: QueryError.unknownColumn("nope")) {
      try QuerySQL(.sqlite, nulls: .sql, column: column).order([SortKey("nope")])
    }
  }

  @Test("the id is always the last key of an order")
  func orders() throws {
    let query = QuerySQL(.sqlite, nulls: .sql, column: column)
    #expect(try query.order([]) == "\"id\"")
    #expect(try query.order([SortKey("updatedAt", ascending: false)]) == "updatedAt DESC, \"id\"")
    #expect(try query.order([SortKey("id", ascending: false), SortKey("text")]) == "\"id\" DESC")
  }

  @Test("a whole query becomes clauses with their values in order")
  func clauses() throws {
    let query = TableQuery(
      table: "t", filter: .compare("text", .equal, .text("a")), order: [SortKey("updatedAt")], skip: 2, limit: 3)
    #expect(
      try QuerySQL(.sqlite, nulls: .sql, column: column).clauses(of: query)
        == SQLFragment(
          "WHERE (\"text\" = ?) ORDER BY updatedAt, \"id\" LIMIT ? OFFSET ?", [.text("a"), .integer(3), .integer(2)]))
  }
}
