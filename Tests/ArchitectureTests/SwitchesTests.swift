import Testing

@Suite("Switches over our own enums")
struct SwitchesTests {
  /// Switches over foreign values whose cases have names that cases of ours have too, by file, and why they may end in
  /// `default`. Those over texts, characters and
  /// numbers, and errors told by their type, are not looked at.
  private static let foreign: [String: String] = [
    "Sources/TodoCore/Notation/ItemText.swift": "the general categories of Unicode",
    "Sources/TableClient/RemoteFailure+HTTP.swift": "errors of any kind, by type",
    "Sources/Terminal/Input/KeySequences.swift": "the numbers of a sequence, beside a key",
  ]

  @Test("name every case, in all rooms: none ends in default")
  func nameEveryCase() throws {
    let sources = try Repository().swiftFiles()
    let cases = sources.reduce(into: Set<String>()) { $0.formUnion(SwitchScanner.cases(in: $1.code)) }
    let findings = sources.reduce(into: [String: [Int]]()) { findings, source in
      let lines = SwitchScanner.defaults(in: source.code, cases: cases)
      if !lines.isEmpty { findings[source.path] = lines }
    }
    for (path, lines) in findings.sorted(by: { $0.key < $1.key }) where Self.foreign[path] == nil {
      Issue.record("\(path): default over our own enum in line \(lines)")
    }
    #expect(Self.foreign.keys.filter { findings[$0] == nil } == [], "these files need no exception any more")
  }

  @Test("the cases of an enum are found in every way to write them")
  func findsCases() {
    let source = """
      package indirect enum A: String {
        case one, two
        case three(Int, b: String), four = "case five"
        case six(
          Int),
          `default`
        var text: String { switch self { case .one: "" default: "" } }
        struct B { let seven = 7 }
      }
      """
    #expect(
      SwitchScanner.cases(in: SourceText.withoutComments(source)) == ["one", "two", "three", "four", "six", "default"])
  }

  @Test(
    "a default beside a case of ours is found with its line",
    arguments: [
      "switch a {\ncase .one: 1\ndefault: 2\n}", "switch a {\ncase\n.one: 1; default: 2 }",
      "switch (a, b) {\ncase (.one, _), (_, 3): 1\ndefault: 2\n}",
      "switch a {\ncase .x(let y) where y == .one: 1\ndefault: 2\n}",
      "switch a {\ncase .one:\n  let c = { switch b { case 1: 1 default: 2 } } }; switch c {\ncase .one: default: 0 }",
    ])
  func findsDefaults(code: String) {
    #expect(SwitchScanner.defaults(in: SourceText.withoutComments(code), cases: ["one"]).count == 1)
  }

  @Test(
    "a switch over something else, or without a default, is none",
    arguments: [
      "switch a {\ncase 1: 1\ndefault: 2\n}", "switch a {\ncase .one: 1\ncase .two: 2\n}",
      "switch a {\ncase .other: 1\ndefault: 2\n}", "switch a {\ncase B.one: 1\ndefault: 2\n}",
      "switch a {\ncase 1: if case .one = b { c() }\ndefault: 2\n}",
      "switch a {\ncase 1:\n  guard b, case .one = c else { return }\ndefault: 2\n}",
      "// switch a { case .one: 1\n// default: 2 }", "switch a {\ncase .some: 1\ndefault: 2\n}",
    ])
  func findsNoOther(code: String) {
    #expect(SwitchScanner.defaults(in: SourceText.withoutComments(code), cases: ["one", "some"]) == [])
  }
}
