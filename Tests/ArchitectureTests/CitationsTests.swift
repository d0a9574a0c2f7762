import Testing

@Suite("The rules that comments cite")
struct CitationsTests {
  private let repository = Repository()

  @Test("every rule and section that a comment cites has its anchor in Resources/docs")
  func citationsResolve() throws {
    let pages = try repository.pages()
    let sources = try repository.swiftFiles() + repository.testFiles()
    // Made-up citations stand in the tests of these checks.
    let checked = sources.filter { $0.room != "ArchitectureTests" }
    let findings = checked.flatMap { Findings.unresolved(in: $0, pages) }
    #expect(findings.isEmpty, "\n\(findings.joined(separator: "\n"))")
    let cited = checked.reduce(0) { count, source in
      let scanner = CitationScanner(path: source.path)
      return count + SourceText.comments(in: source.text).reduce(0) { $0 + scanner.citations(in: $1.text).count }
    }
    #expect(cited > 100, "the scanner finds what is there")
  }

  @Test("the links between the pages lead somewhere, and no anchor is there twice")
  func linksResolve() throws {
    let pages = try repository.pages()
    #expect(pages.brokenLinks == [])
    #expect(pages.wrongAnchors == [])
  }

  @Test("a source file that a page names is there")
  func filesAreThere() throws {
    let paths = try (repository.swiftFiles() + repository.testFiles()).map(\.path)
    #expect(try repository.pages().missingFiles(among: paths) == [])
  }

  @Test("a file or type that a tree of a page names is there")
  func namesAreThere() throws {
    let missing = try repository.pages().missingNames(among: repository.swiftFiles())
    #expect(missing == [])
  }

  @Test(
    "a citation is found in each form that is allowed",
    arguments: [
      ("See sync-rules Q5.", ["sync-rules Q5"]),
      ("(sync-rules 13.1.1)", ["sync-rules 13.1.1"]),
      ("(wire 3, 6.4 and 7), as", ["wire 3", "wire 6.4", "wire 7"]),
      ("(wire 11, sync-rules P6)", ["wire 11", "sync-rules P6"]),
      ("A pull (P13) and Q5–Q7 too", ["P13", "Q5", "Q7"]),
      ("J4.3: deleted there", ["J4.3"]),
      ("(sync-rules row-4.2, W4)", ["sync-rules row-4.2", "sync-rules W4"]),
      ("wire 18.1, OData 4.01 JSON format 19", ["wire 18.1"]),
      ("(sync-rules P6, 30 s)", ["sync-rules P6"]),
      ("(wire 5). Of 3 rows 2 remain.", ["wire 5"]),
    ] as [(String, [String])])
  func findsCitations(comment: String, found: [String]) {
    #expect(CitationScanner(path: "Sources/TodoCore/Made.swift").citations(in: comment).map(\.text) == found)
  }

  @Test(
    "numbers that cite nothing of ours are passed over",
    arguments: [
      "RFC 9110 10.2.3", "protocol 2.0.0", "v2, P256, UTF-8", "a letter is C2 or A0", "Q", "the offline-sync way",
    ])
  func findsNoOther(comment: String) {
    #expect(CitationScanner(path: "Sources/TodoCore/Made.swift").citations(in: comment) == [])
  }

  @Test("the letters of states and events are citations within the engine only")
  func knowsTheEngine() {
    let comment = "After A9 the row is S2."
    #expect(CitationScanner(path: "Sources/OfflineSync/Row/Made.swift").citations(in: comment).count == 2)
    #expect(CitationScanner(path: "Sources/Terminal/Made.swift").citations(in: comment) == [])
  }

  @Test("a citation without its anchor is a finding with its line, also where it runs over two lines")
  func findsUnresolved() {
    let pages = Pages(["sync-rules.md": "<a id=\"q5\"></a> <a id=\"row-p2\"></a>", "wire.md": "<a id=\"6.4\"></a>"])
    let text = """
      // sync-rules Q5, and wire
      // 6.5 that is missing
      let a = "sync-rules Q9"  // Q6
      // sync-rules row-P2, row-P3
      """
    let source = Repository.Source(room: "TodoUI", path: "Sources/TodoUI/Made.swift", text: text)
    #expect(
      Findings.unresolved(in: source, pages) == [
        "Sources/TodoUI/Made.swift:1: wire 6.5 has no anchor 6.5 in Resources/docs/wire.md",
        "Sources/TodoUI/Made.swift:3: Q6 has no anchor q6 in Resources/docs/sync-rules.md",
        "Sources/TodoUI/Made.swift:4: sync-rules row-P3 has no anchor row-p3 in Resources/docs/sync-rules.md",
      ])
  }

  @Test("a document that a comment names and that is not in the repository is a finding")
  func findsDocuments() {
    let text = "// See wire.md and README.md, not notes.md.\nlet a = \"other.md\"\n"
    let source = Repository.Source(room: "TodoUI", path: "Sources/TodoUI/Made.swift", text: text)
    #expect(
      Findings.unresolved(in: source, Pages(["wire.md": ""])) == [
        "Sources/TodoUI/Made.swift:1: notes.md is not in Resources/docs"
      ])
  }

  @Test("a link that leads nowhere and an anchor that is there twice are found")
  func findsBrokenLinks() {
    let pages = Pages([
      "a.md": "<a id=\"1\"></a>[x](#1) [x](#2) [x](b.md#q1) [x](b.md) [x](c.md) [x](https://example.org)",
      "b.md": "<a id=\"q1\"></a><a id=\"q1\"></a><a id=\"Q2\"></a>",
    ])
    #expect(pages.brokenLinks == ["a.md: a.md#2", "a.md: c.md"])
    #expect(pages.wrongAnchors == ["b.md: Q2", "b.md: q1"])
  }

  @Test("a name in a tree that is neither a file nor a type is found")
  func findsMissingNames() {
    let source = Repository.Source(room: "Made", path: "Sources/Made/Kept.swift", text: "struct Inner: Sendable {}")
    let tree = """
          Made/     words
              Kept, Inner   what stays
              Kept+Gone, Lost  what Made lost
          Lower/  words

      """
    #expect(Pages(["a.md": tree]).missingNames(among: [source]) == ["a.md: Kept+Gone", "a.md: Lost"])
  }

  @Test("a type that a tree names beside a folder is found if it is in another folder")
  func findsMisplacedNames() {
    func source(_ path: String, _ text: String = "") -> Repository.Source {
      Repository.Source(room: "Made", path: "Sources/Made/\(path).swift", text: text)
    }
    let tree = """
          Sources/Made/
            Ports/    the port Kept, and Inner of Ports; libpq, L1
                      and for others Gone, Kept+Part
            Lower/    words: Kept, Lower+Part, which goes to Inner in Ports/, made of Resources/Nothing
              Inner, Own     what is there

      Sentences name Whatever.
      """
    let sources = [
      source("Ports/Kept", "struct Inner: Sendable {}"), source("Ports/Kept+Part"), source("Lower/Lower+Part"),
      source("Lower/Other", "struct Own {}"),
    ]
    #expect(
      Pages(["a.md": tree]).missingNames(among: sources) == [
        "a.md: Sources/Made/Ports/ Gone", "a.md: Sources/Made/Lower/ Kept", "a.md: Sources/Made/Lower/ Inner",
      ])
  }

  @Test("a source file that is not there is found")
  func findsMissingFiles() {
    let pages = Pages(["a.md": "`Row/Kept.swift` and `Gone.swift`, but `Made.swiftly` and Odd.swift"])
    #expect(
      pages.missingFiles(among: ["Sources/OfflineSync/Row/Kept.swift", "Sources/X/NotGone.swift"]) == [
        "a.md: Gone.swift"
      ])
  }
}
