import Testing

@Suite("Switches over our own enums")
struct SwitchesTests {
  /// Folders in which each switch names every case.
  private static let clean =
    ["Row", "Query", "Ports", "Sync"].map { "Sources/OfflineSync/\($0)/" } + ["Sources/SQLiteStore/"]

  @Test("name every case, in the folders that are clean: none ends in default")
  func nameEveryCase() throws {
    let sources = try Repository().swiftFiles()
    let cases = sources.reduce(into: Set<String>()) { $0.formUnion(SwitchScanner.cases(in: $1.code)) }
    let findings = sources.filter { source in Self.clean.contains { source.path.hasPrefix($0) } }.flatMap { source in
      SwitchScanner.defaults(in: source.code, cases: cases).map { "\(source.path):\($0): default over our own enum" }
    }
    #expect(findings.isEmpty, "\n\(findings.joined(separator: "\n"))")
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
