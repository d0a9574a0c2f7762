import TableProtocol
import TableSQL
import Testing

@Suite("Filters and orders in the words of a dialect")
struct DialectTests {
  private func condition(_ text: String, _ nulls: FilterSQL.NullRule, _ dialect: any SQLDialect) throws -> String {
    let filter = try FilterParser.parse(text)
    return dialect.statement(try FilterSQL(dialect, nulls: nulls, column: Columns.column).condition(filter))
  }

  @Test("every function is written in SQLite's words", arguments: sqliteFunctions)
  func sqlite(filter: String, sql: String) throws {
    #expect(try condition(filter, .sql, .sqlite) == sql)
  }

  private static let sqliteFunctions: [(String, String)] = [
    ("startswith(text,'a')", "(substr(\"text\", 1, length(?)) = ?)"),
    (
      "endswith(text,'a')",
      "(length(\"text\") >= length(?) AND substr(\"text\", length(\"text\") - length(?) + 1) = ?)"
    ),
    ("contains(text,'a')", "(instr(\"text\", ?) > 0)"),
    ("substringof('a',text)", "(instr(\"text\", ?) > 0)"),
    ("length(text) eq 1", "(length(\"text\") = ?)"),
    ("indexof(text,'a') eq 1", "((instr(\"text\", ?) - 1) = ?)"),
    ("substring(text,1) eq 'a'", "(substr(\"text\", max(?, 0) + 1) = ?)"),
    ("substring(text,1,2) eq 'a'", "(substr(\"text\", max(?, 0) + 1, max(?, 0)) = ?)"),
    ("trim(text) eq 'a'", "(trim(\"text\") = ?)"),
    ("tolower(text) eq 'a'", "(ebb_lower(\"text\") = ?)"),
    ("toupper(text) eq 'a'", "(ebb_upper(\"text\") = ?)"),
    ("concat(text,'b') eq 'a'", "((\"text\" || ?) = ?)"),
    ("replace(text,'b','c') eq 'a'", "(replace(\"text\", ?, ?) = ?)"),
    ("round(n) eq 1", "(round(\"n\") = ?)"),
    ("floor(n) eq 1", "((CAST(\"n\" AS INTEGER) - (\"n\" < CAST(\"n\" AS INTEGER))) = ?)"),
    ("ceiling(n) eq 1", "((CAST(\"n\" AS INTEGER) + (\"n\" > CAST(\"n\" AS INTEGER))) = ?)"),
    ("year(updatedAt) eq 1", "(CAST(strftime('%Y', updatedAt / 1000.0, 'unixepoch') AS INTEGER) = ?)"),
    ("month(updatedAt) eq 1", "(CAST(strftime('%m', updatedAt / 1000.0, 'unixepoch') AS INTEGER) = ?)"),
    ("day(updatedAt) eq 1", "(CAST(strftime('%d', updatedAt / 1000.0, 'unixepoch') AS INTEGER) = ?)"),
    ("hour(updatedAt) eq 1", "(CAST(strftime('%H', updatedAt / 1000.0, 'unixepoch') AS INTEGER) = ?)"),
    ("minute(updatedAt) eq 1", "(CAST(strftime('%M', updatedAt / 1000.0, 'unixepoch') AS INTEGER) = ?)"),
    (
      "second(text) eq 1",
      "(CAST(strftime('%S', ebb_milliseconds(\"text\") / 1000.0, 'unixepoch') AS INTEGER) = ?)"
    ),
    ("text in ('a','b')", "(\"text\" IN (?, ?))"),
    ("text in (null)", "(\"text\" IN ())"),
  ]

  @Test(
    "another dialect's words take the place of SQLite's, and its arguments are numbered",
    arguments: [
      ("contains(tolower(text),'a')", "(strpos(lower(\"text\"), $1) > 0)"),
      ("endswith(text,'a') and n gt 1", "((right(\"text\", length($1)) = $2) AND (\"n\" > $3))"),
      ("text ne 'a'", "(\"text\" IS DISTINCT FROM $1)"),
      ("not (text eq 'a')", "(NOT coalesce((\"text\" IS NOT DISTINCT FROM $1), false))"),
      ("text lt datetime'1970-01-01T00:00:00Z'", "(milliseconds(\"text\") < $1)"),
      ("year(updatedAt) eq 2024", "(extract(year FROM to_timestamp(updatedAt / 1000.0)) = $1)"),
      ("text in (null,'a')", "(\"text\" IN ($1) OR \"text\" IS NULL)"),
    ])
  func another(filter: String, sql: String) throws {
    #expect(try condition(filter, .odata, NumberedDialect()) == sql)
  }

  @Test("null sorts before every value, in a dialect's own words, and a limit may be absent")
  func orders() throws {
    let query = TableQuery(
      table: "t", filter: .call(.contains, [.member("text"), .literal(.text("a"))]),
      order: [SortKey("n", ascending: false)], skip: 2)
    let clauses = try QuerySQL(NumberedDialect(), nulls: .odata, column: Columns.column).clauses(of: query)
    #expect(
      NumberedDialect().statement(clauses)
        == "WHERE (strpos(\"text\", $1) > 0) ORDER BY \"n\" DESC NULLS LAST, \"id\" ASC NULLS FIRST LIMIT $2 OFFSET $3")
    #expect(clauses.arguments == [.text("a"), .null, .integer(2)])
  }

  @Test("the rows after a place have a bound for the index, and go on after null")
  func places() throws {
    let sqlite = QuerySQL(.sqlite, nulls: .sql, column: Columns.column)
    #expect(
      try sqlite.rows(after: [.integer(5), .text("x")], in: [SortKey("updatedAt")])
        == SQLFragment(
          "(updatedAt >= ? AND (updatedAt > ? OR (updatedAt IS ? AND (\"id\" > ? OR (\"id\" IS ? AND 0)))))",
          [.integer(5), .integer(5), .integer(5), .text("x"), .text("x")]))
    #expect(
      try sqlite.rows(after: [.null, .text("x")], in: [SortKey("n")]).sql
        == "(\"n\" IS NOT NULL OR (\"n\" IS ? AND (\"id\" > ? OR (\"id\" IS ? AND 0))))")
    #expect(throws: QueryError.unknownColumn("nope")) {
      try sqlite.rows(after: [.null, .text("x")], in: [SortKey("nope")])
    }
  }

  @Test("a name with a quote in it stays one name")
  func quoting() {
    #expect(SQLiteDialect.sqlite.quoted("a b") == "\"a b\"")
    #expect(SQLiteDialect.sqlite.quoted("a\" OR 1") == "\"a\"\" OR 1\"")
  }
}

private enum Columns {
  static func column(_ name: String) -> SQLColumn? {
    switch name {
    case "updatedAt": SQLColumn("updatedAt", .milliseconds)
    case "text", "id": SQLColumn("\"\(name)\"", .text)
    case "n": SQLColumn("\"n\"", .number)
    default: nil
    }
  }
}

/// The words of a database that has booleans, numbers its arguments and sorts null last, like PostgreSQL.
private struct NumberedDialect: SQLDialect {
  func quoted(_ name: String) -> String { SQLiteDialect.sqlite.quoted(name) }

  func statement(_ fragment: SQLFragment) -> String {
    let pieces = fragment.sql.split(separator: "?", omittingEmptySubsequences: false)
    return pieces.dropFirst().enumerated().reduce(String(pieces[0])) { $0 + "$\($1.offset + 1)" + $1.element }
  }

  func constant(_ truth: Bool) -> String { truth ? "true" : "false" }
  var isSame: String { "IS NOT DISTINCT FROM" }
  var isNotSame: String { "IS DISTINCT FROM" }
  func milliseconds(ofText expression: String) -> String { "milliseconds(\(expression))" }

  func pattern(_ function: FilterFunction, argumentCount: Int) -> String {
    switch function {
    case .contains: "(strpos($0, $1) > 0)"
    case .endsWith: "(right($0, length($1)) = $1)"
    case .toLower: "lower($0)"
    case .year: "extract(year FROM to_timestamp($0 / 1000.0))"
    default: SQLiteDialect.sqlite.pattern(function, argumentCount: argumentCount)
    }
  }

  func isIn(_ operand: String, count: Int) -> String {
    count == 0 ? "(\(operand) IS NULL AND false)" : SQLiteDialect.sqlite.isIn(operand, count: count)
  }

  func sortKey(_ expression: String, ascending: Bool) -> String {
    expression + (ascending ? " ASC NULLS FIRST" : " DESC NULLS LAST")
  }

  var noLimit: FieldValue { .null }
}
