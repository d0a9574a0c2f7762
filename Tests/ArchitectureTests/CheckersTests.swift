import Testing

@Suite("The checks of the sources can fail")
struct CheckersTests {
  private func source(_ text: String, room: String = "TodoUI") -> Repository.Source {
    Repository.Source(room: room, path: "Sources/\(room)/Made.swift", text: text)
  }

  @Test(
    "an import is found in every way to write it",
    arguments: [
      "import GRDB", "package import GRDB", "@testable import GRDB", "@preconcurrency internal import GRDB",
      "import struct GRDB.Row", "  import GRDB // why", "import GRDB;",
    ])
  func findsImports(line: String) {
    #expect(ImportScanner.modules(in: "let a = 1\n\(line)\n") == ["GRDB"])
  }

  @Test(
    "what only looks like an import is none",
    arguments: ["// import GRDB", "/* import GRDB */", "let text = \"import GRDB\"", "imports(GRDB)"])
  func findsNoOther(text: String) {
    #expect(ImportScanner.modules(in: text) == [])
  }

  @Test("an import within a comment of several lines is none")
  func findsNoneInComments() {
    #expect(ImportScanner.modules(in: "/* once\nimport GRDB\n*/\nimport Dispatch\n") == ["Dispatch"])
  }

  @Test(
    "an import that runs up, sideways, or past a door is refused",
    arguments: [
      ("TodoUI", "CNcurses"), ("TodoUI", "GRDB"), ("TodoUI", "SQLiteStore"), ("OfflineSync", "TodoCore"),
      ("OfflineSync", "GRDB"), ("TableServer", "OfflineSync"), ("TableProtocol", "Hummingbird"),
      ("TableSQL", "GRDB"), ("OfflineSync", "TableSQL"), ("SQLiteStore", "InMemoryStore"),
      ("SQLiteStore", "TableClient"), ("TodoCore", "ArgumentParser"), ("ebb", "CNcurses"), ("ebb", "GRDB"),
      ("TableClient", "FoundationNetworking"), ("Terminal", "TodoCore"), ("TableStorage", "TableServer"),
      ("TableStorage", "Hummingbird"), ("TableStorage", "HTTPTypes"), ("TableServer", "GRDB"),
    ])
  func refusesImports(room: String, module: String) {
    let found = Findings.wrongImports(in: source("import \(module)\n", room: room))
    #expect(found == ["Sources/\(room)/Made.swift: \(room) may not import \(module)"])
  }

  @Test(
    "an import that runs down is allowed, also past a room between",
    arguments: [
      ("TodoUI", "TodoCore"), ("TodoUI", "TableProtocol"), ("SQLiteStore", "TableProtocol"), ("ebb", "OfflineSync"),
      ("ebb", "Terminal"), ("Terminal", "CNcurses"), ("SQLiteStore", "GRDB"), ("TableClient", "NIOCore"),
      ("SQLiteStore", "TableSQL"), ("TableServer", "TableSQL"), ("TableServer", "TableStorage"),
    ])
  func allowsImports(room: String, module: String) {
    #expect(Findings.wrongImports(in: source("import \(module)\n", room: room)) == [])
  }

  @Test("a file of 400 lines is short enough, one more is not")
  func measuresLength() {
    #expect(Findings.tooLong(source(String(repeating: "\n", count: 400))) == [])
    #expect(Findings.tooLong(source(String(repeating: "\n", count: 401))).count == 1)
  }

  @Test("what could bring the program down is found in code, not in comments or strings")
  func findsCrashes() {
    let text = "let a = try! b()\nlet c = d as! E\n// try! x\nlet f = \"fatalError(\"\nfatalError(\"g\")\n"
    #expect(
      Findings.crashing(source(text)) == [
        "Sources/TodoUI/Made.swift:1: try!", "Sources/TodoUI/Made.swift:2: as!",
        "Sources/TodoUI/Made.swift:5: fatalError(",
      ])
  }

  @Test("an unchecked promise needs a comment on its line or the one above")
  func wantsReasons() {
    let bare = "let a = 1\nfinal class B: @unchecked Sendable {}\n"
    #expect(Findings.unexplained(source(bare)).count == 1)
    #expect(Findings.unexplained(source("// Only the main thread has it.\n\(bare.dropFirst(10))")) == [])
    #expect(Findings.unexplained(source("nonisolated(unsafe) var c = 1  // set before the first thread\n")) == [])
  }

  @Test("the map is read as it is written: two spaces, a name, a slash")
  func readsTheMap() {
    let readme = "Text\n\n```\nSources/\n  One/   says one\n         and more of it\n  Two/   says two\nTests/\n```\n"
    #expect(ReadmeMap.rooms(in: readme) == ["One", "Two"])
  }
}
