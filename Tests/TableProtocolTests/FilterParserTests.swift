import TableProtocol
import Testing

struct FilterParserTests {
  private static let moment = FilterLiteral.timestamp(Timestamp(milliseconds: 1_704_164_645_678))

  @Test(
    "every way a client writes a value is read",
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("''", .text("")), ("'it''s'", .text("it's")),
      ("'a b+c&d%20'", .text("a b+c&d%20")), ("'买🥛'", .text("买🥛")), ("42", .integer(42)), ("-7", .integer(-7)),
      ("5L", .integer(5)), ("5l", .integer(5)), ("-9223372036854775808", .integer(.min)), ("1.5", .real(1.5)),
      ("1e-3", .real(0.001)), ("-2.5E+2", .real(-250)), ("5d", .real(5)), ("42M", .real(42)), ("1.5f", .real(1.5)),
      ("2m", .real(2)), ("1F", .real(1)), ("2D", .real(2)), ("datetime'2024-01-02T03:04:05.678Z'", moment),
      ("datetime'2024-01-02T03:04:05.678'", moment), ("datetimeoffset'2024-01-02T03:04:05.678Z'", moment),
      ("datetimeoffset'2024-01-02T03:04:05.6780000+00:00'", moment),
      ("datetimeoffset'2024-01-02T03%3A04%3A05.6780000%2B00%3A00'", moment),
      ("datetimeoffset'2024-01-02T05:04:05.6789999+02:00'", moment),
      ("cast(2024-01-02T03:04:05.678Z,Edm.DateTimeOffset)", moment),
      ("cast(2024-01-02T03:04:05.678+00:00, Edm.DateTimeOffset)", moment),
      ("cast(2024-01-02,Edm.Date)", .text("2024-01-02")), ("cast(03:04:05.678,Edm.TimeOfDay)", .text("03:04:05.678")),
      ("cast(6f1a23b4-0000-4000-8000-00000000000f,Edm.Guid)", .text("6f1a23b4-0000-4000-8000-00000000000f")),
      ("2024-01-02T03:04:05.678Z", moment), ("2024-01-02", .text("2024-01-02")),
      ("03:04:05.678", .text("03:04:05.678")),
      ("6f1a23b4-0000-4000-8000-00000000000f", .text("6f1a23b4-0000-4000-8000-00000000000f")),
      ("ff1a23b4-0000-4000-8000-00000000000F", .text("ff1a23b4-0000-4000-8000-00000000000F")),
      ("guid'6f1a23b4-0000-4000-8000-00000000000f'", .text("6f1a23b4-0000-4000-8000-00000000000f")),
      ("X'0A0B'", .text("Cgs=")), ("(datetimeoffset'2024-01-02T03:04:05.678Z')", moment),
    ] as [(String, FilterLiteral)])
  func literals(text: String, literal: FilterLiteral) throws {
    #expect(try FilterParser.parse("x eq \(text)") == .compare("x", .equal, literal))
    #expect(try FilterParser.parse("x in (\(text), 1)") == .isIn(.member("x"), [literal, .integer(1)]))
  }

  @Test("operators bind as OData says, and not binds tighter than comparison")
  func precedence() throws {
    let a = Filter.member("a")
    let b = Filter.member("b")
    let c = Filter.member("c")
    #expect(try FilterParser.parse("a or b and c") == .binary(.or, a, .binary(.and, b, c)))
    #expect(try FilterParser.parse("(a or b) and c") == .binary(.and, .binary(.or, a, b), c))
    #expect(try FilterParser.parse("not a eq b") == .binary(.equal, .not(a), b))
    #expect(try FilterParser.parse("not(a eq b)") == .not(.binary(.equal, a, b)))
    #expect(
      try FilterParser.parse("a add b mul c gt 1")
        == .binary(.greater, .binary(.add, a, .binary(.multiply, b, c)), .literal(.integer(1))))
    #expect(try FilterParser.parse("a sub b sub c") == .binary(.subtract, .binary(.subtract, a, b), c))
    #expect(try FilterParser.parse("-a lt - b") == .binary(.less, .negated(a), .negated(b)))
    #expect(try FilterParser.parse("(1 eq 1)") == .binary(.equal, .literal(.integer(1)), .literal(.integer(1))))
    #expect(try FilterParser.parse("  complete  ") == .member("complete"))
  }

  @Test("substringof has its arguments the other way round than contains")
  func contains() throws {
    let expected = Filter.call(.contains, [.member("text"), .literal(.text("ilk"))])
    #expect(try FilterParser.parse("substringof('ilk',text)") == expected)
    #expect(try FilterParser.parse("contains(text, 'ilk')") == expected)
  }

  @Test("quotes in a list may be written once or twice")
  func listQuotes() throws {
    let expected = Filter.isIn(.member("a"), [.text("it's"), .text(""), .text("b")])
    #expect(try FilterParser.parse("a in ('it''s','','b')") == expected)
    #expect(try FilterParser.parse("a in ( 'it's' , '' , 'b' )") == expected)
  }

  @Test("columns may have the names of operators, and paths are kept as one name")
  func members() throws {
    #expect(try FilterParser.parse("eq eq and") == .binary(.equal, .member("eq"), .member("and")))
    #expect(try FilterParser.parse("a/b eq 1") == .compare("a/b", .equal, .integer(1)))
  }

  @Test(
    "what is no filter is refused with the place",
    arguments: [
      ("", .unexpectedEnd, 0), ("a eq", .unexpectedEnd, 4), ("a eq 'x", .unterminatedString, 5),
      ("a eq 1 1", .unexpected("a value"), 8),
      ("a === 1", .unexpected("="), 2), ("f(a)", .unknownFunction("f"), 1), ("geo.distance(a,b)", .unexpected("."), 3),
      ("startswith(a)", .wrongArgumentCount(.startsWith), 10), ("a eq 12x", .invalidLiteral("12x"), 5),
      ("a eq 99999999999999999999L", .invalidLiteral("99999999999999999999L"), 5),
      ("a eq 1e999", .invalidLiteral("1e999"), 5),
      ("a eq datetime'soon'", .invalidLiteral("datetime'soon'"), 5), ("(a", .unexpectedEnd, 2),
      ("a)", .unexpected(")"), 2),
      ("a eq 买", .unexpected("买"), 5), ("a in ()", .unexpected(")"), 7), ("a in (b)", .unexpected(")"), 8),
      ("cast(1", .invalidLiteral("cast"), 0), ("replace(replace(a,'b','c'),'d','e')", .unsafeReplace, 15),
      ("replace(a,'b',c)", .unsafeReplace, 7), ("a eq '\u{0}'", .invalidLiteral("U+0000"), 6),
    ] as [(String, FilterSyntaxError.Reason, Int)])
  func syntaxErrors(text: String, reason: FilterSyntaxError.Reason, position: Int) {
    #expect(throws: FilterSyntaxError(reason, at: position)) { try FilterParser.parse(text) }
  }

  @Test("an order is names with directions")
  func orders() throws {
    #expect(try OrderParser.parse("a") == [SortKey("a")])
    #expect(try OrderParser.parse("a desc, b asc ,c") == [SortKey("a", ascending: false), SortKey("b"), SortKey("c")])
    for text in [
      "", ",", "a,", "a b", "a desc asc", "1", "a;b", Array(repeating: "a", count: 33).joined(separator: ","),
    ] {
      #expect(throws: FilterSyntaxError.self) { try OrderParser.parse(text) }
    }
  }
}
