import TableProtocol
import TableSQL
import Testing

struct SQLiteFunctionTests {
  private func value(_ name: String, _ text: String) throws -> FieldValue {
    try #require(SQLiteFunction.all.first { $0.name == name }).value(text)
  }

  @Test("lower and upper case know all of Unicode")
  func cases() throws {
    #expect(try value("ebb_lower", "ÄPFEL Ω") == .text("äpfel ω"))
    #expect(try value("ebb_upper", "straße é") == .text("STRASSE É"))
  }

  @Test("a timestamp in text is its milliseconds since 1970, any other text is null")
  func milliseconds() throws {
    #expect(try value("ebb_milliseconds", "1970-01-01T01:00:01.5+01:00") == .integer(1_500))
    #expect(try value("ebb_milliseconds", "soon") == .null)
    #expect(try value("ebb_milliseconds", "") == .null)
  }

  @Test("every function that SQLite's words call is among those to register")
  func registered() throws {
    let names = Set(SQLiteFunction.all.map(\.name) + SQLiteFunction.searches)
    var called: Set<String> = []
    let patterns = FilterFunction.allCases.map { SQLiteDialect.sqlite.pattern($0, argumentCount: 1) }
    for text in patterns + [SQLiteDialect.sqlite.milliseconds(ofText: "x")] {
      called.formUnion(text.matches(of: /ebb_[a-z]+/).map { String($0.0) })
    }
    #expect(called == names)
  }

  @Test(
    "a value is bound as SQLite stores it, true and false as 1 and 0",
    arguments: [
      (FieldValue.null, "null"), (.bool(true), "integer 1"), (.bool(false), "integer 0"), (.integer(7), "integer 7"),
      (.real(2.5), "real 2.5"), (.text("7"), "text 7"),
    ])
  func binding(value: FieldValue, expected: String) {
    let bound = value.bound(
      null: "null", integer: { "integer \($0)" }, real: { "real \($0)" }, text: { "text \($0)" })
    #expect(bound == expected)
  }
}
