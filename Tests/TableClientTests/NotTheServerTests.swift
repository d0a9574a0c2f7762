import OfflineSync
import Support
import Synchronization
import TableClient
import TableProtocol
import Testing

/// Portals, proxies and other programs that answer in place of the server (sync-rules row-3, "not the server").
@Suite("Something else that answers in place of the server")
struct NotTheServerTests {
  typealias Reply = ScriptedServer.Reply

  private static let query = TableQuery(table: "TodoItem", limit: 50)
  private static let insert = RemoteChange.insert(table: "TodoItem", Record(id: "a", values: ["text": .text("milk")]))
  private static let update = RemoteChange.update(
    table: "TodoItem", whole: Record(id: "a", values: ["text": .text("milk")]), changed: ["text": .text("milk")],
    base: RecordVersion("v1"))
  private static let delete = RemoteChange.delete(table: "TodoItem", id: "a", base: RecordVersion("v1"))
  private static let undelete = RemoteChange.undelete(
    table: "TodoItem", whole: Record(id: "a", values: ["text": .text("milk")]), changed: [:], base: RecordVersion("v1"))
  private static let page = "<!DOCTYPE html><title>Welcome to the hotel</title>"
  private static let html = ["Content-Type": "text/html; charset=utf-8"]
  private static let item = #"{"id":"a","text":"milk","version":"v2","updatedAt":"2026-11-21T02:00:00.000Z"}"#

  /// What is known of one of our servers.
  private static func ours(_ version: ProtocolVersion = .v3, batching: BatchSupport? = .own) -> ServerKnowledge {
    ServerKnowledge(
      protocolVersion: version, batching: batching, database: "db-1", epoch: DatabaseEpoch(number: 2),
      columns: ["TodoItem": ServerColumns(known: ["text"], wasListed: true)])
  }

  @Test("421 is another database of the server only if the server names its databases")
  func misdirected() async throws {
    for (headers, reason) in [
      ([:], RemoteFailure.Reason.notTheServer("it is not meant for this address (421)")),
      ([ZumoHeader.database: "db-2"], .otherDatabase),
    ] {
      try await withScript { _ in
        .status(421, "{}", headers)
      } _: { remote, _ in
        #expect(throws: RemoteFailure(reason, mayHaveActed: false)) { try remote.page(Self.query) }
      }
    }
  }

  @Test("421 of a proxy before one of our servers says that nothing was done", arguments: [insert, update, delete])
  func misdirectedByProxy(change: RemoteChange) async throws {
    try await withScript(knowing: Self.ours(batching: .none)) { _ in
      .status(421, "<html>Misdirected Request</html>", ["Content-Type": "text/html"])
    } _: { remote, _ in
      let failure = RemoteFailure(.notTheServer("it is not meant for this address (421)"), mayHaveActed: false)
      #expect(remote.send([change]).first == .failure(failure))
      #expect(throws: failure) { try remote.page(Self.query) }
    }
  }

  @Test("an answer of another database than the request was meant for is none, and nothing is learned from it")
  func otherDatabase() async throws {
    let other = [ZumoHeader.database: "db-2", "Content-Type": "application/json"]
    for change in [Self.insert, Self.update, Self.delete] {
      try await withScript(knowing: Self.ours(batching: .none)) { request in
        request.method == "GET" ? .status(200, #"{"items":[]}"#, other) : .status(200, Self.item, other)
      } _: { remote, _ in
        #expect(throws: RemoteFailure(.otherDatabase, mayHaveActed: false)) { try remote.page(Self.query) }
        guard case .failure(let failure)? = remote.send([change]).first else {
          Issue.record("the answer to \(change) was believed")
          return
        }
        #expect(failure.reason == .otherDatabase)
        #expect(remote.knowledge.database == "db-1")
        let named = try remote.identify("TodoItem")
        #expect(named == "db-2")
      }
    }
  }

  @Test(
    "a database's name that no request could carry back is none, and the next request goes out",
    arguments: [String(repeating: "d", count: 70_000), "two words", ""])
  func endlessName(name: String) async throws {
    try await withScript { _ in
      .status(200, #"{"items":[]}"#, [ZumoHeader.database: name])
    } _: { remote, _ in
      for _ in 0..<2 { _ = try remote.page(Self.query) }
      #expect(remote.knowledge.database == nil)
    }
  }

  @Test(
    "a server of ours says how it understood the question; if that is not as it was sent, nothing is taken",
    arguments: [
      ([ZumoHeader.columns: "other"], RemoteFailure.Alteration.headersRemoved),
      ([ZumoHeader.token: "none"], .tokenRemoved),
    ])
  func misunderstood(said: [String: String], alteration: RemoteFailure.Alteration) async throws {
    try await withScript(token: "secret") { _ in
      .status(200, #"{"items":[{"id":"a","title":"milk"}]}"#, said.merging([ZumoHeader.database: "d"]) { $1 })
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.alteredAnswer(alteration), mayHaveActed: false)) {
        try remote.page(Self.query)
      }
    }
  }

  @Test("the answer to another request is not taken; each request has a name of its own, also in another run")
  func otherRequest() async throws {
    let isKept = Mutex(false)
    let names = Mutex<[String]>([])
    for _ in 0..<2 {
      try await withScript(knowing: Self.ours()) { request in
        let name = request.headers[ZumoHeader.request] ?? ""
        names.withLock { $0.append(name) }
        let said = isKept.withLock { $0 } ? names.withLock { $0[0] } : name
        let reply = request.isBatch ? request.storedBatch() : .status(200, #"{"items":[]}"#)
        return reply.with("x-ebb-database: db-1").with("\(ZumoHeader.request): \(said)")
      } _: { remote, _ in
        isKept.withLock { $0 = false }
        _ = try remote.page(Self.query)
        isKept.withLock { $0 = true }
        #expect(throws: RemoteFailure(.alteredAnswer(.otherRequest), mayHaveActed: false)) {
          try remote.page(Self.query)
        }
        let failure = RemoteFailure(.alteredAnswer(.otherRequest), mayHaveActed: true)
        #expect(remote.send(Self.inserts(2)) == [.failure(failure), .failure(failure)])
      }
    }
    let seen = names.withLock { $0 }
    #expect(Set(seen).count == seen.count, "\(seen)")
    #expect(seen.allSatisfy { $0.isHeaderWord(atMost: ZumoHeader.longestRequestName) })
  }

  @Test(
    "the row that a delete is answered with is handed on, if it lives",
    arguments: [(#""version":"v9""#, "v9"), (#""version":"v9","deleted":true"#, nil), (#""text":"no version""#, nil)])
  func answeredDelete(members: String, version: String?) async throws {
    try await withScript(knowing: Self.ours()) { _ in
      .status(200, #"{"id":"a",\#(members)}"#, ["x-ebb-database": "db-1"])
    } _: { remote, _ in
      let outcome = remote.send([.delete(table: "TodoItem", id: "a", base: nil)]).first
      guard case .success(.accepted(let row)) = outcome else {
        Issue.record("\(String(describing: outcome))")
        return
      }
      #expect(row?.system.version?.text == version)
    }
  }

  @Test(
    "a user's name that no request could carry back is none",
    arguments: [("anna", "anna"), ("two words", nil), ("", nil), (String(repeating: "a", count: 256), nil)])
  func userName(said: String, heard: String?) async throws {
    try await withScript(token: "secret") { _ in
      .status(200, #"{"items":[]}"#, [ZumoHeader.database: "d", ZumoHeader.user: said])
    } _: { remote, _ in
      _ = try remote.identify("TodoItem")
      #expect(remote.knowledge.userName == heard)
    }
  }

  @Test("a server that may not be called by this name says by which it may")
  func wrongName() async throws {
    try await withScript { _ in
      .status(421, #"{"error":"use its address"}"#, ["Content-Type": "application/json"])
    } _: { remote, _ in
      #expect(throws: RemoteFailure(.serverError(status: 421, message: "use its address"), mayHaveActed: false)) {
        try remote.page(Self.query)
      }
    }
  }

  @Test("an answer about another user than the request was meant for is not taken")
  func otherUser() async throws {
    let server = try ScriptedServer { _ in
      .status(200, #"{"items":[]}"#, [ZumoHeader.database: "d", ZumoHeader.user: "eve"])
    }
    defer { server.stop() }
    let remote = HTTPRemoteTable(
      address: try #require(ServerAddress(server.address)), signIn: SignIn(token: "secret", userName: "anna"))
    await blocking {
      _ = #expect(throws: RemoteFailure(.alteredAnswer(.headersRemoved), mayHaveActed: false)) {
        try remote.page(Self.query)
      }
    }
  }

  // MARK: A deletion

  @Test(
    "a delete that is answered 2xx by anything is not done",
    arguments: [
      .status(200, page, html), .status(200, page), .status(200), .status(200, "{}"), .status(200, "[]"),
      .status(200, "true"), .status(200, "OK"), .status(201, #"{"id":"b"}"#), .status(202),
      .status(200, #"{"error":"sign in"}"#),
    ] as [Reply], ProtocolVersion.allCases)
  func deletion(reply: Reply, version: ProtocolVersion) async throws {
    try await withScript(version: version) { _ in
      reply
    } _: { remote, _ in
      guard case .failure(let failure)? = remote.send([Self.delete]).first else {
        Issue.record("done")
        return
      }
      #expect(failure.mayHaveActed)
    }
  }

  @Test(
    "a delete is done with 204, and with 200 and the item in whatever state",
    arguments: [
      (.status(204), nil), (.status(200, #"{"id":"a","deleted":true}"#), nil), (.status(200, item), "v2"),
      (.status(200, #"{"id":"a","place":{"type":"Point"},"deleted":true}"#), nil),
    ] as [(Reply, String?)])
  func deleted(reply: Reply, version: String?) async throws {
    try await withScript {
      $0.method == "GET" ? .status(200, #"{"items":[]}"#) : reply
    } _: { remote, _ in
      guard case .accepted(let row) = try remote.send(Self.delete) else {
        Issue.record("not done")
        return
      }
      #expect(row?.id == version.map { _ in "a" } && row?.system.version?.text == version)
    }
  }

  @Test(
    "a 204 from something that answers every request with 204 leaves a delete open", arguments: ProtocolVersion.allCases
  )
  func bareDeletion(version: ProtocolVersion) async throws {
    try await withScript(version: version) { _ in
      .status(204)
    } _: { remote, _ in
      guard case .failure(let failure)? = remote.send([Self.delete]).first else {
        Issue.record("done")
        return
      }
      #expect(failure.mayHaveActed)
    }
  }

  @Test("a 204 counts without a further request if the server has answered another change with its item")
  func provenDeletion() async throws {
    try await withScript {
      $0.method == "DELETE" ? .status(204) : .status(200, #"{"id":"b","text":"x","version":"v2"}"#)
    } _: { remote, server in
      let update = RemoteChange.update(
        table: "TodoItem", whole: Record(id: "b", values: ["text": .text("x")]), changed: ["text": .text("x")],
        base: RecordVersion("v1"))
      let outcomes = remote.send([Self.delete, update])
      #expect(outcomes.first == .success(.accepted(nil)))
      #expect(!server.requests.contains { $0.method == "GET" })
    }
  }

  // MARK: One of our servers

  @Test(
    "an answer of one of our servers without its header settles no change",
    arguments: [insert, update, delete, undelete],
    [
      .status(200, item), .status(201, item), .status(204), .status(404), .status(409, item), .status(410),
      .status(412, item), .status(400, #"{"error":"no"}"#), .status(403), .status(401), .status(200, page, html),
      .status(500), .status(405),
    ] as [Reply])
  func withoutHeader(change: RemoteChange, reply: Reply) async throws {
    try await withScript(knowing: Self.ours()) { _ in
      reply
    } _: { remote, _ in
      guard case .failure(let failure)? = remote.send([change]).first, case .notTheServer = failure.reason else {
        Issue.record("settled")
        return
      }
      #expect(failure.mayHaveActed && failure.concernsAll)
      #expect(remote.knowledge == Self.ours())
    }
  }

  @Test("the same answers with the header are the server's")
  func withHeader() async throws {
    let header = ["x-ebb-database": "db-1"]
    try await withScript(knowing: Self.ours()) { request in
      request.method == "DELETE" ? .status(204, "", header) : .status(200, Self.item, header)
    } _: { remote, _ in
      for change in [Self.insert, Self.update, Self.undelete] {
        let answer = try remote.send(change)
        #expect(answer.record?.id == "a")
      }
      let deletion = try remote.send(Self.delete)
      #expect(deletion == .accepted(nil))
    }
  }

  @Test(
    "a list of one of our servers without its header is none, and nothing is learned from it",
    arguments: [
      .status(200, #"{"items":[]}"#, ["x-zumo-batch": "json; max=7"]), .status(200, "[]"), .status(200, page, html),
      .status(400), .status(403), .status(401, "Unauthorized"), .status(404), .status(200),
      .status(200, #"{"error":"no items"}"#, ["x-ebb-epoch": "9", "x-ebb-ordered": "true"]),
    ] as [Reply])
  func lists(reply: Reply) async throws {
    try await withScript(knowing: Self.ours(batching: nil)) { _ in
      reply
    } _: { remote, server in
      for ask in [{ _ = try remote.page(Self.query) }, { _ = try remote.read("a", in: "TodoItem") }] {
        let failure = #expect(throws: RemoteFailure.self) { try ask() }
        guard case .notTheServer? = failure?.reason else {
          Issue.record("\(String(describing: failure))")
          continue
        }
        #expect(failure?.mayHaveActed == false && failure?.concernsAll == true)
      }
      #expect(remote.knowledge == Self.ours(batching: nil))
      #expect(remote.clock == nil)
      #expect(server.requests.count == 2)
    }
  }

  @Test("a list whose headers something removed, or that it compressed, is not used, and the cause is named")
  func altered() async throws {
    let list = #"{"items":[{"id":"a","other":1}]}"#
    for (reply, alteration) in [
      (.status(200, list, ["x-ebb-epoch": "9", "x-ebb-ordered": "true"]), .headersRemoved),
      (.status(200, "(gzip)", ["Content-Encoding": "gzip"]), .compressed),
      (.bytes(200, [0x1F, 0x8B, 0x08, 0x00]), .compressed),
    ] as [(Reply, RemoteFailure.Alteration)] {
      try await withScript(knowing: Self.ours(batching: nil)) { _ in
        reply
      } _: { remote, _ in
        #expect(throws: RemoteFailure(.alteredAnswer(alteration), mayHaveActed: false)) {
          try remote.page(Self.query)
        }
        #expect(remote.knowledge == Self.ours(batching: nil))
      }
    }
  }

  @Test(
    "an answer that something on the way compressed is named so, also with the server's headers, and not used",
    arguments: [["Content-Encoding": "gzip"], ["Content-Encoding": "identity, BR"], [:]] as [[String: String]],
    [[ZumoHeader.database: "db-1"], [:]] as [[String: String]])
  func compressed(coding: [String: String], name: [String: String]) async throws {
    let headers = coding.merging(name) { $1 }
    let body: [UInt8] = coding.isEmpty ? [0x1F, 0x8B, 0x08, 0x00] : Array("(gzip)".utf8)
    try await withScript(knowing: Self.ours()) { _ in
      .bytes(200, body, headers)
    } _: { remote, _ in
      let read = RemoteFailure(.alteredAnswer(.compressed), mayHaveActed: false)
      for isVerifying in [false, true] {
        #expect(throws: read) { try remote.page(Self.query, at: nil, verifying: isVerifying) }
      }
      #expect(throws: read) { try remote.read("a", in: "TodoItem") }
      let sent = RemoteFailure(.alteredAnswer(.compressed), mayHaveActed: true)
      for change in [Self.insert, Self.update, Self.delete, Self.undelete] {
        #expect(remote.send([change]) == [.failure(sent)])
      }
      #expect(remote.send(Self.inserts(8)).allSatisfy { $0 == .failure(sent) })
      #expect(remote.knowledge == Self.ours())
    }
  }

  @Test("a page is that of a network also if it is compressed")
  func compressedPage() async throws {
    let headers = ["Content-Encoding": "gzip", "Content-Type": "text/html; charset=utf-8"]
    for knowledge in [Self.ours(), ServerKnowledge()] {
      try await withScript(knowing: knowledge) { _ in
        .bytes(200, [0x1F, 0x8B, 0x08, 0x00], headers)
      } _: { remote, _ in
        #expect(throws: RemoteFailure(.notTheServer("text/html, status 200"), mayHaveActed: false)) {
          try remote.page(Self.query)
        }
        #expect(remote.knowledge == knowledge)
      }
    }
  }

  @Test(
    "a server that names a character set as the coding of its answers is understood",
    arguments: ["identity", "UTF-8", ""])
  func otherCoding(coding: String) async throws {
    try await withScript { _ in
      .status(200, #"{"items":[]}"#, ["Content-Encoding": coding])
    } _: { remote, _ in
      let page = try remote.page(Self.query)
      #expect(page.records.isEmpty)
    }
  }

  @Test("a proxy before one of our servers that refuses in JSON is no sign-in page, and settles nothing")
  func refusingProxy() async throws {
    for (status, reason) in [
      (401, .refusedOnTheWay(status: 401, message: "no")), (403, .refusedOnTheWay(status: 403, message: "no")),
      (500, .serverError(status: 500, message: "no")), (404, .serverError(status: 404, message: "no")),
      (405, .serverError(status: 405, message: "no")),
    ] as [(Int, RemoteFailure.Reason)] {
      try await withScript(knowing: Self.ours()) { _ in
        .status(status, #"{"error":"no"}"#, ["Content-Type": "application/json"])
      } _: { remote, _ in
        #expect(throws: RemoteFailure(reason, mayHaveActed: false, concernsAll: true)) {
          try remote.page(Self.query)
        }
        #expect(remote.send([Self.update]) == [.failure(RemoteFailure(reason, mayHaveActed: true, concernsAll: true))])
      }
    }
  }

  @Test(
    "the same refusals with the name of the database are the server's own, also compressed",
    arguments: [[:], ["Content-Encoding": "gzip"]] as [[String: String]])
  func refusingServer(coding: [String: String]) async throws {
    let headers = coding.merging(["Content-Type": "application/json", ZumoHeader.database: "db-1"]) { $1 }
    for (status, reason) in [(401, RemoteFailure.Reason.signInNeeded), (403, .notAllowed)] {
      try await withScript(knowing: Self.ours()) { _ in
        .status(status, #"{"error":"no"}"#, headers)
      } _: { remote, _ in
        #expect(throws: RemoteFailure(reason, mayHaveActed: false)) { try remote.page(Self.query) }
      }
    }
  }

  @Test("a proxy that says how the way to the server is, is heard")
  func proxies() async throws {
    for (reply, failure) in [
      (.status(502, Self.page, Self.html), RemoteFailure(.busy(status: 502, retryAfter: nil), mayHaveActed: true)),
      (
        .status(502, "(gzip)", ["Content-Encoding": "gzip"]),
        RemoteFailure(.busy(status: 502, retryAfter: nil), mayHaveActed: true)
      ),
      (.status(503, Self.page, Self.html), RemoteFailure(.busy(status: 503, retryAfter: nil), mayHaveActed: false)),
      (.status(429, "", ["Retry-After": "9"]), RemoteFailure(.busy(status: 429, retryAfter: 9), mayHaveActed: false)),
    ] as [(Reply, RemoteFailure)] {
      try await withScript(knowing: Self.ours()) { _ in
        reply
      } _: { remote, _ in
        #expect(remote.send([Self.insert]) == [.failure(failure)])
      }
    }
  }

  @Test("429 of our server for too many wrong tokens is a refused sign-in; of anybody else it asks to wait")
  func tooManyWrongTokens() async throws {
    let refusal = Reply.status(
      429, "", ["Retry-After": "9", "WWW-Authenticate": "Bearer realm=\"ebb\", error=\"invalid_token\""])
    let (ours, busy) = (refusal.named("db-1"), RemoteFailure.Reason.busy(status: 429, retryAfter: 9))
    for (reply, reason) in [(ours, .signInNeeded), (refusal, busy)] as [(Reply, RemoteFailure.Reason)] {
      try await withScript(knowing: Self.ours()) { _ in
        reply
      } _: { remote, _ in
        #expect(remote.send([Self.insert]) == [.failure(RemoteFailure(reason, mayHaveActed: false))])
      }
    }
  }

  @Test("a proxy to which a batch is too large gets smaller ones, and the server waits for none that it never saw")
  func tooLargeForProxy() async throws {
    let passed = Mutex<[String]>([])
    try await withScript(knowing: Self.ours()) { request in
      let count = (try? BatchBody.requests(in: request.body, atMost: 100).count) ?? 0
      guard count <= 2 else { return .status(413, Self.page, Self.html) }
      passed.withLock { $0.append(request.headers[ZumoHeader.sequence] ?? "") }
      return request.isBatch ? request.storedBatch().with("x-ebb-database: db-1") : .status(500)
    } _: { remote, _ in
      let outcomes = remote.send(Self.inserts(8))
      let seen = Set(passed.withLock { $0 })
      #expect(!seen.isEmpty)
      for sequence in seen {
        let parts = sequence.split(separator: ";")
        let number = try #require(parts.last.flatMap { Int($0) })
        #expect(number == 0 || seen.contains("\(parts[0]);\(number - 1)"), "\(seen)")
      }
      #expect(outcomes.compactMap { $0.answer?.record?.id } == (0..<8).map { "i\($0)" })
      #expect(remote.knowledge == Self.ours())
    }
  }

  @Test(
    "a proxy that answers batches alone gets each change by itself; behind a page for all nothing is taken for done",
    arguments: [200, 302, 400, 403, 404, 405, 415, 500, 501])
  func refusingBatches(status: Int) async throws {
    for isForAll in [false, true] {
      try await withScript(knowing: Self.ours()) { request in
        if request.isBatch || isForAll { return .status(status, Self.page, Self.html) }
        return request.stored.with("x-ebb-database: db-1")
      } _: { remote, _ in
        let outcomes = remote.send(Self.inserts(8))
        #expect(outcomes.compactMap { $0.answer?.record?.id } == (isForAll ? [] : (0..<8).map { "i\($0)" }))
        #expect((remote.knowledge.batching == .unsupported) == !isForAll)
      }
    }
  }

  @Test("a server whose disk is full takes no change, and the one that it was asked about is not to blame")
  func fullDisk() async throws {
    try await withScript { _ in
      .status(507)
    } _: { remote, _ in
      guard case .failure(let failure)? = remote.send([Self.insert]).first, case .serverError(507, _) = failure.reason
      else {
        Issue.record("it was no failure of the server")
        return
      }
      #expect(failure.concernsAll)
    }
  }

  // MARK: Other servers

  @Test(
    "a page, a text and a redirect in place of an item are named, whatever was sent",
    arguments: [insert, update, delete, undelete])
  func pages(change: RemoteChange) async throws {
    for (reply, words) in [
      (.status(200, Self.page, Self.html), "text/html, status 200"), (.status(200, " \n<html>"), "a page, status 200"),
      (.status(201, "OK", ["Content-Type": "text/plain"]), "text/plain, status 201"),
      (.status(403, Self.page), "a page, status 403"), (.status(401, Self.page, Self.html), "text/html, status 401"),
      (.status(302, "", ["Location": "http://portal.example"]), "it sends us elsewhere (302)"),
      (.status(511, Self.page, Self.html), "the network wants a sign-in (511)"),
    ] as [(Reply, String)] {
      for version in ProtocolVersion.allCases {
        try await withScript(version: version) { _ in
          reply
        } _: { remote, server in
          guard case .failure(let failure)? = remote.send([change]).first else {
            Issue.record("\(words)")
            return
          }
          #expect(failure.reason == .notTheServer(words))
          #expect(failure.concernsAll)
          #expect(server.requests.count == 1)
        }
      }
    }
  }

  @Test(
    "a page in place of a list is named, and a first look learns nothing",
    arguments: [
      .status(200, page, html), .status(200), .status(200, "hello"), .status(302), .status(403, page, html),
      .status(401, page),
    ] as [Reply])
  func firstLook(reply: Reply) async throws {
    try await withScript(version: nil) { _ in
      reply
    } _: { remote, _ in
      let failure = #expect(throws: RemoteFailure.self) { try remote.page(Self.query) }
      guard case .notTheServer? = failure?.reason else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(throws: RemoteFailure.self) { try remote.identify("TodoItem") }
      #expect(remote.knowledge == ServerKnowledge())
    }
  }

  @Test("a refusal in JSON, in plain words or without a body is the server's own")
  func denials() async throws {
    for body in [#"{"error":"no"}"#, "", "Unauthorized"] {
      for (status, reason) in [(401, RemoteFailure.Reason.signInNeeded), (403, .notAllowed)] {
        try await withScript { _ in
          .status(status, body)
        } _: { remote, _ in
          #expect(throws: RemoteFailure(reason, mayHaveActed: false)) { try remote.page(Self.query) }
        }
      }
    }
  }

  // MARK: Batches

  @Test(
    "a batch that something else answers does not make the server one without batches",
    arguments: [
      .status(404, page, html), .status(405, page, html), .status(404), .status(200, "{}"), .status(200, "[]"),
      .status(200, page, html), .status(403), .status(501), .status(400, page, html), .status(200, "hello"),
    ] as [Reply], [true, false])
  func batches(reply: Reply, isOurs: Bool) async throws {
    let knowledge = isOurs ? Self.ours() : ServerKnowledge(protocolVersion: .v3, batching: .own)
    try await withScript(knowing: knowledge) { _ in
      reply
    } _: { remote, _ in
      for _ in 0..<3 { #expect(remote.send(Self.inserts(40)).allSatisfy { $0.answer?.record == nil }) }
      #expect(remote.knowledge == knowledge)
    }
  }

  @Test(
    "a page or a text in place of a batch's answer, and of the next one's, ends the push: what was in the batch may have arrived"
  )
  func pageForBatch() async throws {
    for reply in [.status(200, Self.page, Self.html), .status(200, "hello")] as [Reply] {
      try await withScript(batching: .json(entries: 10, bytes: 100_000)) { _ in
        reply
      } _: { remote, server in
        let outcomes = remote.send(Self.inserts(100))
        #expect(server.requests.map(\.isBatch) == [true, false])
        for (index, outcome) in outcomes.enumerated() {
          guard case .failure(let failure) = outcome, case .notTheServer = failure.reason else {
            Issue.record("\(outcome)")
            return
          }
          #expect(failure.mayHaveActed == (index < 10))
        }
      }
    }
  }

  @Test(
    "a server that fails over a whole batch fails for all, and no change is to blame",
    arguments: [500, 502, 504, 507])
  func failingBatch(status: Int) async throws {
    try await withScript(batching: .json(entries: 1_000, bytes: 1_000_000)) { _ in
      .status(status)
    } _: { remote, server in
      let outcomes = remote.send(Self.inserts(1_000))
      #expect(server.requests.count == 1)
      for outcome in outcomes {
        guard case .failure(let failure) = outcome else {
          Issue.record("\(outcome)")
          return
        }
        #expect(failure.concernsAll && failure.mayHaveActed)
      }
    }
  }

  private static func inserts(_ count: Int) -> [RemoteChange] {
    (0..<count).map { .insert(table: "TodoItem", Record(id: "i\($0)", values: ["text": .text("x")])) }
  }
}

extension ScriptedServer.Reply {
  /// The same with one more line in its head.
  func with(_ line: String) -> ScriptedServer.Reply {
    var bytes = bytes
    if let end = bytes.firstRange(of: Array("\r\n".utf8)) {
      bytes.insert(contentsOf: Array("\(line)\r\n".utf8), at: end.upperBound)
    }
    return ScriptedServer.Reply(bytes: bytes, closes: closes)
  }
}
