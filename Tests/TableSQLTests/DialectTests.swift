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
    ("contains(text,'a')", "(ebb_position(\"text\", ?) > 0)"),
    ("substringof('a',text)", "(ebb_position(\"text\", ?) > 0)"),
    ("length(text) eq 1", "(length(\"text\") = ?)"),
    ("indexof(text,'a') eq 1", "((ebb_position(\"text\", ?) - 1) = ?)"),
    ("substring(text,1) eq 'a'", "(substr(\"text\", max(?, 0) + 1) = ?)"),
    ("substring(text,1,2) eq 'a'", "(substr(\"text\", max(?, 0) + 1, max(?, 0)) = ?)"),
    ("trim(text) eq 'a'", "(trim(\"text\") = ?)"),
    ("tolower(text) eq 'a'", "(ebb_lower(\"text\") = ?)"),
    ("toupper(text) eq 'a'", "(ebb_upper(\"text\") = ?)"),
    ("concat(text,'b') eq 'a'", "((\"text\" || ?) = ?)"),
    ("replace(text,'b','c') eq 'a'", "(ebb_replace(\"text\", ?, ?) = ?)"),
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
      ("contains(tolower(text),'a')", "(strpos(lower(\"text\"), $1::text) > 0)"),
      ("endswith(text,'a') and n gt 1", "((right(\"text\", length($1::text)) = $2::text) AND (\"n\" > $3::bigint))"),
      ("text ne 'a'", "(\"text\" IS DISTINCT FROM $1::text)"),
      ("not (text eq 'a')", "(NOT coalesce((\"text\" IS NOT DISTINCT FROM $1::text), false))"),
      ("updatedAt lt datetime'1970-01-01T00:00:00Z'", "(updatedAt < $1::bigint)"),
      (
        "year(updatedAt) eq 2024",
        "(extract(year FROM to_timestamp(updatedAt / 1000.0) AT TIME ZONE 'UTC') = $1::bigint)"
      ),
      ("text in (null,'a')", "(\"text\" IN ($1::text) OR \"text\" IS NULL)"),
      ("text in (null)", "((\"text\" IS NULL AND false) OR \"text\" IS NULL)"),
      ("n lt 2.5", "(\"n\" < $1::numeric)"),
    ])
  func another(filter: String, sql: String) throws {
    #expect(try condition(filter, .odata, PostgreSQLDialect.postgreSQL) == sql)
  }

  @Test("null sorts before every value, in a dialect's own words, and a limit may be absent")
  func orders() throws {
    let query = TableQuery(
      table: "t", filter: .call(.contains, [.member("text"), .literal(.text("a"))]),
      order: [SortKey("n", ascending: false)], skip: 2)
    let clauses = try QuerySQL(PostgreSQLDialect.postgreSQL, nulls: .odata, column: Columns.column).clauses(of: query)
    #expect(
      PostgreSQLDialect.postgreSQL.statement(clauses)
        == "WHERE (strpos(\"text\", $1::text) > 0) ORDER BY \"n\" DESC NULLS LAST, \"id\" ASC NULLS FIRST LIMIT $2 OFFSET $3::bigint"
    )
    #expect(clauses.arguments == [.text("a"), .null, .integer(2)])
  }

  @Test(
    "PostgreSQL is asked what it answers as SQLite does, and nothing else",
    arguments: [
      ("text eq 'a' and n gt 1", true), ("n eq 0.5", true), ("updatedAt gt '2024-01-01T00:00:00Z'", true),
      ("text eq null or n ne null", true), ("not (text in ('a',null))", true), ("startswith(text,'a')", true),
      ("text lt id", true), ("text eq 1", false), ("n eq '1'", false), ("tolower(text) eq 'a'", false),
      ("n add 1 eq 2", false), ("length(text) eq 1", false), ("text", false), ("startswith(tolower(text),'a')", false),
      ("updatedAt gt 5", false), ("not (n mod 2 eq 1)", false), ("contains(text,'a')", true),
      ("contains(text,'\(String(repeating: "a", count: 101))')", false), ("contains(text,id)", false),
    ])
  func divided(filter: String, isSaid: Bool) throws {
    #expect(PostgreSQLDialect.says(try FilterParser.parse(filter), Columns.column) == isSaid)
  }

  @Test("a chain of conditions is divided, and each of its parts stands on one side")
  func chains() throws {
    let filter = try FilterParser.parse("text eq 'a' and n add 1 eq 2 and (n gt 1 or tolower(text) eq 'b')")
    let divided = PostgreSQLDialect.divide(filter, Columns.column)
    #expect(divided.here == (try FilterParser.parse("text eq 'a'")))
    #expect(divided.elsewhere == (try FilterParser.parse("n add 1 eq 2 and (n gt 1 or tolower(text) eq 'b')")))
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
