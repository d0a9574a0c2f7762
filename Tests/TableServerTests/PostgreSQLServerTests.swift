import Chance
import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

/// One request stream to a server on each storage.
@Suite("A server on PostgreSQL", .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLServerTests {
  @Test("answers as one on SQLite does, byte for byte", arguments: [1, 2, 3])
  func same(seed: UInt64) async throws {
    try await PostgreSQLDatabase.use { address async throws in
      let requests = RandomRequests(seed: seed).all(400)
      let first = try await answers(to: requests, on: nil)
      let second = try await answers(to: requests, on: address.url)
      for (request, (first, second)) in zip(requests, zip(first, second)) {
        #expect(first == second, "\(request)")
        if first != second { break }
      }
      #expect(Set(first.map(\.status)).isSuperset(of: [200, 201, 204, 400, 404]), "the requests meet something")
    }
  }

  /// With a clock that stands, so that moments and versions are the same too.
  private func answers(to requests: [RandomRequests.Request], on database: String?) async throws -> [Seen] {
    try await TestServer.result(
      databasePath: database, clock: TestServer.clock(standingAt: 1_700_000_000_000), tables: TablePolicy(.open),
      goesByDatabaseClock: false
    ) { server async throws in
      var seen: [Seen] = []
      var tags: [String: String] = [:]
      for request in requests {
        var headers = request.headers
        if request.isConditional, let tag = tags[request.path] { headers["If-Match"] = tag }
        let answer = try await server.send(request.verb, request.path, request.version, headers, body: request.body)
        if let tag = answer.eTag { tags[request.path] = tag }
        seen.append(Seen(answer, server))
        // The pages that follow are asked for too.
        var (next, pages) = (answer.nextPath, 0)
        while let path = next, pages < 8 {
          let page = try await server.send(.get, path, request.version, ["ZUMO-OPTIONS": "nextLink=path"])
          seen.append(Seen(page, server))
          (next, pages) = (page.nextPath, pages + 1)
        }
      }
      return seen
    }
  }

  /// What of an answer does not depend on which database it is.
  private struct Seen: Equatable {
    let status: Int
    let headers: [String?]
    let text: String

    init(_ answer: Answer, _ server: TestServer) {
      status = answer.status
      headers = [
        "ETag", "Last-Modified", "x-ebb-count", "x-ebb-checksum", "x-ebb-moved", "x-ebb-tombstones",
        "Repeatability-Result", "Retry-After", "Allow",
      ].map(answer.header)
      text = answer.text.replacing("127.0.0.1:\(server.port)", with: "HOST")
    }
  }

  @Test("keeps lists, tokens and names over a restart, and its look finds nothing wrong")
  func restart() async throws {
    try await PostgreSQLDatabase.use { address async throws in
      try await TestServer.run(databasePath: address.url) { server async throws in
        try await server.insert("a", #""text":"Milk","n":1.5"#)
        #expect(try await server.send(.get, "/health/ready").status == 200)
      }
      let tokens = try ServerTokens(database: address.url, makesDatabase: false, clock: TestServer.systemClock)
      defer { tokens.close() }
      let anna = try #require(UserName("anna"))
      let added = try tokens.add(anna, label: "phone", scope: .sync, days: nil)
      #expect(added.itemsTakenOver == 1)
      try await TestServer.run(databasePath: address.url) { server async throws in
        #expect(try await server.send(.get, "/tables/TodoItem", .v3).status == 401)
        let list = try await server.send(
          .get, "/tables/TodoItem", .v3, ["Authorization": "Bearer \(added.token.text)"])
        #expect(try list.list.items.map { $0.values["n"] } == [.real(1.5)])
      }
      #expect(try tokens.all().map(\.label) == ["phone"])
      #expect(try tokens.revoke(.user(anna)).count == 1)
      #expect(try tokens.all().isEmpty && tokens.wereTokensGiven())
      let report = try ServerDatabase(path: address.url).check()
      #expect(report.items == 1 && report.findings.isEmpty)
      #expect(throws: ServerDatabaseError.hasOwnTools(.backup, database: address.shown)) {
        try ServerDatabase(path: address.url).backUp(to: "/tmp/none")
      }
      let epoch = try TableServer.raiseEpoch(ofDatabase: address.url, clock: TestServer.systemClock)
      #expect(epoch.number == 2 && epoch.from != nil)
    }
  }

  @Test("a token that changes no list gets none; the first user with one that does gets it")
  func owner() async throws {
    try await PostgreSQLDatabase.use { address async throws in
      try await TestServer.run(databasePath: address.url) { server async throws in try await server.insert("a") }
      let tokens = try ServerTokens(database: address.url, makesDatabase: false, clock: TestServer.systemClock)
      defer { tokens.close() }
      for (name, scope, taken) in [
        ("prometheus", .metrics, 0), ("anna", .read, 0), ("ben", .sync, 1), ("anna", .sync, 0),
      ] as [(String, AccessScope, Int)] {
        let added = try tokens.add(try #require(UserName(name)), label: "", scope: scope, days: nil)
        #expect(added.itemsTakenOver == taken, "\(name) \(scope)")
      }
    }
  }

  @Test("a request does not wait for the note that its token was used, which is made later")
  func slowNote() async throws {
    try await PostgreSQLDatabase.use { address async throws in
      let tokens = try ServerTokens(database: address.url, makesDatabase: true, clock: TestServer.systemClock)
      defer { tokens.close() }
      let anna = try #require(UserName("anna"))
      let header = ["Authorization": "Bearer \(try tokens.add(anna, label: "", scope: .sync, days: nil).token.text)"]
      try await TestServer.run(databasePath: address.url) { server async throws in
        let connection = try PostgreSQLConnection(address, longest: .seconds(30))
        try connection.run("BEGIN")
        try connection.run("SELECT 1 FROM ebb_token FOR UPDATE")
        for _ in 1...3 {
          #expect(try await server.send(.get, "/tables/TodoItem", .v3, header).status == 200)
        }
        #expect(try tokens.all().map(\.lastUsedAt) == [nil], "the row is still locked")
        try connection.run("ROLLBACK")
        while try tokens.all().map(\.lastUsedAt) == [nil] {
          #expect(try await server.send(.get, "/tables/TodoItem", .v3, header).status == 200)
          try await Task.sleep(for: .milliseconds(50))
        }
      }
    }
  }

  @Test("an invitation is used once, and its device gets a token")
  func invitation() async throws {
    try await PostgreSQLDatabase.use { address async throws in
      let storage = try PostgreSQLStorage(address, makeUUID: { UUID() })
      defer { try? storage.close() }
      let now = Timestamp(milliseconds: 1_000)
      let (secret, user) = (AccessToken(prefix: "x"), try #require(UserName("ben")))
      _ = try storage.add(Grant(id: "", user: user, scope: .invite, createdAt: now), secret.digest)
      let outcomes = try await withThrowingTaskGroup(of: JoinOutcome.self) { joiners in
        for _ in 0..<6 {
          joiners.addTask { try await storage.join(secret.digest, as: AccessToken().digest, device: "d", at: now) }
        }
        return try await joiners.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.count { if case .joined = $0 { true } else { false } } == 1)
      #expect(outcomes.count { $0 == .used } == 5)
      #expect(try await storage.allGrants().grants.count == 2)
      let winner = try #require(outcomes.first { if case .joined = $0 { true } else { false } })
      let given = try #require(try await storage.allGrants().grants.first { $0.value.scope == .sync })
      #expect(try await storage.join(secret.digest, as: given.key, device: "d", at: now) == winner, "asked again")
      try await storage.noteUse(secret.digest, at: now)
      #expect(try await storage.grant(secret.digest)?.lastUsedAt == now)
      #expect(try await storage.join(AccessToken().digest, as: secret.digest, device: "", at: now) == .unknown)
      try await storage.note(address: "http://here")
      #expect(try storage.address() == "http://here")
      let names = try #require(ColumnNames(words: ["text=title"]))
      try storage.keep(names)
      #expect(try storage.aliases() == names)
    }
  }

  @Test("takes over a file with all it has, and gives it back, and devices see one database")
  func moves() async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path, tables: TablePolicy(.open)) { server async throws in
        for number in 0..<30 { try await server.insert("r\(number)", #""text":"t\#(number)","n":\#(number).5"#) }
        _ = try await server.send(.delete, "/tables/TodoItem/r3", .v3)
        _ = try await server.send(.post, "/tables/movies", .v3, body: #"{"id":"m","title":"Ida","seen":true}"#)
      }
      let tokens = try ServerTokens(database: file.path, makesDatabase: false, clock: TestServer.systemClock)
      _ = try tokens.add(try #require(UserName("anna")), label: "phone", scope: .sync, days: 3)
      tokens.close()
      _ = try TableServer.raiseEpoch(ofDatabase: file.path, clock: TestServer.systemClock)
      let back = file.folder.appending(path: "back.sqlite").path
      try await PostgreSQLDatabase.use { address in
        let clock = TestServer.systemClock
        let report = try await DatabaseMove(from: file.path, to: address.url, clock: clock).run()
        #expect(report.lists == 2 && report.items == 30)
        await #expect(throws: ServerDatabaseError.move(.targetUsed(database: address.shown))) {
          try await DatabaseMove(from: file.path, to: address.url, clock: clock).run()
        }
        #expect(try await DatabaseMove(from: address.url, to: back, clock: clock).run() == report)
      }
      let (first, last) = try (ServerDatabase(path: file.path).check(), ServerDatabase(path: back).check())
      #expect(first == last)
      let storages = try [file.path, back].map { try SQLiteStorage(path: $0, makeUUID: { UUID() }) }
      defer { for storage in storages { try? storage.close() } }
      #expect(storages[0].identity == storages[1].identity)
      #expect(try storages[0].grants() == storages[1].grants())
      for list in try await storages[0].lists() {
        let states = try await [storages[0].read(list) { try $0.state() }, storages[1].read(list) { try $0.state() }]
        #expect(states[0] == states[1] && states[0].epoch.number == 2)
      }
    }
  }

  @Test("does not start where a commit may be lost, nor on tables of a later version, and gives up a write in between")
  func refusals() async throws {
    try await PostgreSQLDatabase.use { address in
      let storage = try PostgreSQLStorage(address, makeUUID: { UUID() })
      defer { try? storage.close() }
      func change(_ sql: String) throws { try PostgreSQLConnection(address, longest: .seconds(30)).run(sql) }
      func open() throws { try PostgreSQLStorage(address, makeUUID: { UUID() }).close() }
      let name = try #require(try storage.blocking { try $0.run("SELECT current_database()").text(0, 0) })
      try change("ALTER DATABASE \(name) SET synchronous_commit = off")
      #expect(throws: ServerDatabaseError.databaseServer(.commitsUnsafely, database: address.shown)) { try open() }
      try storage.blocking { _ = try $0.run("SET synchronous_commit = off") }
      await #expect(throws: StorageError.self) { try await storage.write(ListID.first) { try $0.write("a") } }
      try storage.blocking { _ = try $0.run("SET synchronous_commit = on") }
      try await storage.write(ListID.first) { try $0.write("a") }
      #expect(try await storage.read(.first) { try $0.state().digest.count } == 1)
      try change("ALTER DATABASE \(name) RESET synchronous_commit")
      try change("UPDATE ebb_schema SET version = version + 1")
      #expect(throws: ServerDatabaseError.databaseServer(.newerVersion, database: address.shown)) { try open() }
      try change("UPDATE ebb_schema SET version = version - 1")
      try open()
    }
  }

  @Test("is refused a URL that has no database behind it, in one sentence and without a password")
  func unreachable() throws {
    let address = try #require(PostgreSQLAddress("postgresql://anna:secret@/none?host=/nowhere&connect_timeout=2"))
    #expect(address.shown == "postgresql://anna@/none")
    do {
      _ = try PostgreSQLStorage(address, makeUUID: { UUID() })
      Issue.record("it opened")
    } catch {
      guard case .databaseServer(.noAnswer(let reason), let database) = error else { throw error }
      #expect(database == address.shown && !reason.contains("secret") && !reason.contains("\n"))
    }
  }

  @Test(
    "a scheme that is none of a database's is no path",
    arguments: [
      ("mysql://a/b", true), ("http://a", true), ("postgresql://a", false), ("postgres://a", false),
      ("/var/lib/a.sqlite", false), ("a b://c", false), ("://", false), ("todo.sqlite", false),
    ])
  func schemes(text: String, isUnknown: Bool) {
    #expect(DatabaseLocation.isUnknownURL(text) == isUnknown)
  }
}

/// Requests of every kind, from a seed: about few items, so that they meet.
private struct RandomRequests {
  struct Request: CustomStringConvertible {
    let verb: Verb
    let path: String
    let version: ProtocolVersion
    var headers: [String: String] = [:]
    var body: String?
    var isConditional = false

    var description: String { "\(verb.rawValue) \(path) \(version.rawValue) \(headers) \(body ?? "")" }
  }

  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  func all(_ count: Int) -> [Request] {
    var copy = self
    return (0..<count).map { copy.request($0) }
  }

  private static let texts = [
    "Milk", "milk", "ÄPFEL it's", "e\u{301}", "\u{e9}", "", " a ", "10", "🥛 oat", "2024-02-29T23:30:00Z", "100%_\\\\",
    "İß",
  ]
  private static let numbers = [
    "0", "-1", "7", "2.5", "-2.5", "9223372036854775807", "-9223372036854775808", "1e300", "0.1", "5.0", "1e18",
    "4.9e-324",
  ]
  private static let filters = [
    "text eq 'Milk'", "text ne 'Milk'", "not (text eq 'Milk')", "complete", "complete eq false", "n gt 2", "n eq 0.1",
    "n le 9223372036854775807", "text gt 'b'", "text eq 10", "n eq '7'", "n add 1 eq 8", "n div 2 eq 3",
    "n mul 0.1 gt 0.2",
    "startswith(text,'Mi')", "endswith(text,'lk')", "contains(text,'%')", "contains(tolower(text),'äpfel')",
    "toupper(text) eq 'İSS'", "length(text) gt 3", "indexof(text,'l') eq 2", "substring(text,1) eq 'ilk'",
    "trim(text) eq 'a'", "concat(text,'!') eq 'Milk!'", "floor(n) eq -3", "round(n) eq 3", "n mod 4 eq 3",
    "text in ('Milk',null)", "n in (7, 2.5)", "id in ('r1','r3')", "complete eq true or n lt 0", "text eq null",
    "text ne null and complete eq false", "at lt datetimeoffset'2024-06-01T00:00:00Z'", "at eq null",
    "year(at) eq 2024",
    "updatedAt gt datetimeoffset'2023-11-14T22:13:20.020Z'", "updatedAt ge '2023-11-14T22:13:20.030Z'",
    "createdAt eq updatedAt", "deleted", "version ne null", "none eq 1", "text eq", "flag eq null", "flag",
    "flag eq true",
    "not flag", "n gt text", "text gt at", "-n gt 0", "n ne 7 and not (n gt 3)", "text eq 'a\u{0}b'",
  ]
  private static let orders = [
    "text", "text desc", "n", "n desc", "complete,text", "updatedAt desc", "createdAt", "id desc", "at,n desc",
    "flag desc",
    "deleted", "nope",
  ]

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
  private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private mutating func request(_ number: Int) -> Request {
    let version = pick([ProtocolVersion.v2, .v3])
    let table = pick(["TodoItem", "TodoItem", "TodoItem", "movies"])
    let id = "r\(Int.random(in: 0..<12, using: &random))"
    let path = "/tables/\(table)/\(id)"
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<22: return Request(verb: .post, path: "/tables/\(table)", version: version, body: item(id))
    case 22..<38: return Request(verb: .patch, path: path, version: version, body: item(nil), isConditional: chance(50))
    case 38..<44: return Request(verb: .put, path: path, version: version, body: item(id), isConditional: chance(50))
    case 44..<51: return Request(verb: .delete, path: path, version: version, isConditional: chance(30))
    case 51..<54: return Request(verb: .post, path: path, version: version)
    case 54..<58: return Request(verb: .get, path: path, version: version)
    case 58..<62: return repeated(number, table, version, id)
    case 62..<72: return batch(number)
    default: return list(table, version)
    }
  }

  private mutating func item(_ id: String?) -> String {
    var members: [String] = id.map { ["\"id\":\"\($0)\""] } ?? []
    if chance(70) { members.append("\"text\":\(chance(10) ? "null" : "\"\(pick(Self.texts))\"")") }
    if chance(50) { members.append("\"complete\":\(pick(["true", "false", "null", "1"]))") }
    if chance(50) { members.append("\"n\":\(pick(Self.numbers + ["null", "\"7\""]))") }
    if chance(20) {
      members.append("\"at\":\(pick(["\"2024-02-29T23:30:00Z\"", "\"2024-07-01T01:00:00+02:00\"", "null"]))")
    }
    if chance(15) { members.append("\"flag\":\(pick(["true", "false", "null"]))") }
    if chance(3) { members.append("\"text\":5") }
    if chance(5) { members.append("\"deleted\":false") }
    return "{\(members.joined(separator: ","))}"
  }

  private mutating func list(_ table: String, _ version: ProtocolVersion) -> Request {
    var items: [(String, String)] = []
    let filter = pick(Self.filters)
    if chance(80) { items.append(("$filter", chance(25) ? "(\(filter)) and (\(pick(Self.filters)))" : filter)) }
    if chance(50) { items.append(("$orderby", pick(Self.orders))) }
    if chance(40) { items.append(("$top", "\(Int.random(in: 0..<6, using: &random))")) }
    if chance(20) { items.append(("$skip", "\(Int.random(in: 0..<4, using: &random))")) }
    if chance(30) { items.append((version == .v2 ? "$inlinecount" : "$count", version == .v2 ? "allpages" : "true")) }
    if chance(30) { items.append(("__includeDeleted", "true")) }
    return Request(
      verb: .get, path: "/tables/\(table)?\(QueryItemsText.of(items))", version: version,
      headers: ["ZUMO-OPTIONS": "nextLink=path"])
  }

  private mutating func repeated(_ number: Int, _ table: String, _ version: ProtocolVersion, _ id: String) -> Request {
    Request(
      verb: .post, path: "/tables/\(table)", version: version,
      headers: [
        "Repeatability-Request-ID": "q\(Int.random(in: 0..<6, using: &random))",
        "Repeatability-First-Sent": "Tue, 14 Nov 2023 22:13:10 GMT",
      ], body: #"{"id":"x\#(id)","text":"again"}"#)
  }

  private mutating func batch(_ number: Int) -> Request {
    let entries = (0..<Int.random(in: 1..<9, using: &random)).map { index -> String in
      let id = "r\(Int.random(in: 0..<12, using: &random))"
      let group = chance(30) ? #","atomicityGroup":"g""# : ""
      switch Int.random(in: 0..<5, using: &random) {
      case 0: return #"{"id":"\#(index)","method":"POST","url":"TodoItem","body":\#(item(id))\#(group)}"#
      case 1: return #"{"id":"\#(index)","method":"PATCH","url":"TodoItem/\#(id)","body":\#(item(nil))\#(group)}"#
      case 2: return #"{"id":"\#(index)","method":"DELETE","url":"TodoItem/\#(id)"\#(group)}"#
      case 3: return #"{"id":"\#(index)","method":"POST","url":"movies","body":\#(item(id))\#(group)}"#
      default:
        let filter = PercentEncoding.encodeQuery(pick(Self.filters))
        return #"{"id":"\#(index)","method":"GET","url":"TodoItem?$filter=\#(filter)"}"#
      }
    }
    return Request(
      verb: .post, path: "/tables/$batch", version: .v3, body: #"{"requests":[\#(entries.joined(separator: ","))]}"#)
  }
}

extension Answer {
  /// Where the next page is, as both versions say it.
  fileprivate var nextPath: String? {
    if let link = header("Link"), let start = link.firstIndex(of: "/"), let end = link.firstIndex(of: ">") {
      let target = link.firstRange(of: "/tables/").map { link[$0.lowerBound..<end] } ?? link[start..<end]
      return String(target)
    }
    guard let range = text.firstRange(of: "\"nextLink\":\"") else { return nil }
    let value = text[range.upperBound...].prefix { $0 != "\"" }
    return value.firstRange(of: "/tables/").map { String(value[$0.lowerBound...]) }
  }
}
