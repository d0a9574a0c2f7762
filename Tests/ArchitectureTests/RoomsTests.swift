import Testing

@Suite("The rooms of the program")
struct RoomsTests {
  private let repository = Repository()

  @Test("every source imports only from below, is short, cannot be brought down, and says why where it is not checked")
  func sourcesKeepTheRules() throws {
    let sources = try repository.swiftFiles()
    #expect(!sources.isEmpty)
    let findings = sources.flatMap(Findings.all)
    #expect(findings.isEmpty, "\n\(findings.joined(separator: "\n"))")
  }

  @Test("every folder of Sources is a room with a rule, and every rule has its folder")
  func everyRoomHasARule() throws {
    #expect(try Set(repository.rooms()) == Set(Rooms.rules.keys))
  }

  @Test("every room has its line in the README's map, and every line its room")
  func everyRoomIsOnTheMap() throws {
    #expect(Set(ReadmeMap.rooms(in: try repository.readme())) == Set(Rooms.rules.keys))
  }

  @Test("curses is touched in at most two files")
  func cursesHasTwoDoors() throws {
    let doors = try repository.swiftFiles().filter { ImportScanner.modules(in: $0.text).contains("CNcurses") }
    #expect(doors.count <= 2, "\(doors.map(\.path))")
  }

  @Test("in the server a database library is imported by its storage, and by nothing else")
  func databasesStandBehindThePort() throws {
    let libraries = ["GRDB": "SQLite", "GRDBSQLite": "SQLite", "CSQLite": "SQLite", "CLibpq": "PostgreSQL"]
    let strays = try repository.swiftFiles().filter { source in
      ["TableStorage", "TableServer"].contains(source.room)
        && ImportScanner.modules(in: source.text).compactMap { libraries[$0] }.contains { folder in
          !source.path.hasPrefix("Sources/TableStorage/\(folder)/")
        }
    }
    #expect(strays.map(\.path) == [])
  }

  @Test("the server names a header in one place")
  func headersAreNamedOnce() throws {
    let places = try repository.swiftFiles().filter {
      $0.room == "TableServer" && $0.code.contains("HTTPField.Name(")
    }
    #expect(places.map(\.path) == ["Sources/TableServer/Requests/Header.swift"])
    let code = try #require(places.first).code
    let headers = code.matches(of: /static let (\w+) = Header\(/).map { String($0.output.1) }
    #expect(!headers.isEmpty)
    #expect(headers.filter { !code.contains(" .\($0),") } == [], "the list of all headers lacks them")
  }

  @Test("no room stands on itself, not even in turn")
  func arrowsRunDown() {
    #expect(Rooms.rules.keys.filter { Rooms.standsOn($0).contains($0) } == [])
  }
}
