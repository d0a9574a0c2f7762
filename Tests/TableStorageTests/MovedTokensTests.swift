import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableStorage

@Suite("The tokens of a database that is moved", .timeLimit(.minutes(5)))
struct MovedTokensTests {
  private static let kinds = StorageKind.allCases.filter { $0 != .memory }
  private static let clock = WallClock.now

  /// Where a database of the kind can be, of a test's own. There is nothing there yet.
  private static func place(of kind: StorageKind, _ body: (Place) async throws -> Void) async throws {
    switch kind {
    case .sqlite: try await ServerDatabaseFile.use { try await body(.file($0)) }
    case .postgreSQL: try await PostgreSQLDatabase.use { try await body(.postgreSQL($0)) }
    case .memory: Issue.record("nothing is moved from or into memory")
    }
  }

  enum Place {
    case file(ServerDatabaseFile)
    case postgreSQL(PostgreSQLAddress)

    var text: String {
      switch self {
      case .file(let file): file.path
      case .postgreSQL(let address): address.url
      }
    }

    var table: String {
      switch self {
      case .file: "AccessToken"
      case .postgreSQL: "ebb_token"
      }
    }

    /// Gives one token to each of the users, and returns what is kept of it.
    func give(_ users: String...) throws -> [TokenDigest: Grant] {
      let storage = try DatabaseLocation(text).open(makesDatabase: true, update: nil)
      defer { try? storage.close() }
      var given: [TokenDigest: Grant] = [:]
      for (number, user) in users.enumerated() {
        let digest = TokenDigest(hash: Array(repeating: UInt8(number + 1), count: 32))
        let moment = Timestamp(milliseconds: Int64(number))
        let grant = Grant(id: "", user: try #require(UserName(user)), label: "of \(user)", createdAt: moment)
        given[digest] = try storage.add(grant, digest).grant
      }
      return given
    }

    /// Makes a token unreadable.
    func damage(_ id: String) async throws {
      let sql = "UPDATE \(table) SET scope = 'all' WHERE id = '\(id)'"
      switch self {
      case .file(let file): try await file.run(sql)
      case .postgreSQL(let address):
        try PostgreSQLConnection(address.with(applicationName: "test"), longest: .seconds(30)).run(sql)
      }
    }

    func tokens() async throws -> [TokenDigest: Grant] {
      let storage = try DatabaseLocation(text).open(update: nil)
      defer { try? storage.close() }
      return try await storage.allGrants().grants
    }
  }

  @Test(
    "stay those of their users if one of them is damaged, which is left out and named",
    arguments: Self.kinds, Self.kinds)
  func damaged(from source: StorageKind, to target: StorageKind) async throws {
    try await Self.place(of: source) { from async throws in
      var given = try from.give("ada", "bob", "cy")
      let ada = try #require(given.first { $0.value.user.text == "ada" })
      try await from.damage(ada.value.id)
      given[ada.key] = nil
      let sound = given
      try await Self.place(of: target) { to async throws in
        let report = try await DatabaseMove(from: from.text, to: to.text, clock: Self.clock).run()
        #expect(try await to.tokens() == sound)
        #expect(report.findings == [.damagedTokens(ids: [ada.value.id], count: 1)])
      }
    }
  }

  @Test("are not moved if none can be read: the new database would let everybody in", arguments: Self.kinds)
  func noneIsSound(source: StorageKind) async throws {
    try await Self.place(of: source) { from async throws in
      for grant in try from.give("ada", "bob").values { try await from.damage(grant.id) }
      let target = FileManager.default.temporaryDirectory.appending(path: "ebb-move-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: target) }
      let shown = DatabaseLocation(from.text).shown
      await #expect(throws: ServerDatabaseError.move(.noSoundToken(database: shown))) {
        try await DatabaseMove(from: from.text, to: target, clock: Self.clock).run()
      }
      #expect(!FileManager.default.fileExists(atPath: target))
    }
  }
}
