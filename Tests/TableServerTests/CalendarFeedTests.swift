import FoundationEssentials
import Logging
import StorageSupport
import Support
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("The calendar of what is due")
struct CalendarFeedTests {
  private static let now = TestServer.clock(standingAt: 1_795_000_000_000)

  private func put(_ id: String, _ text: String, done: Bool = false, _ server: TestServer, _ user: [String: String])
    async throws
  {
    let body = ["id": FieldValue.text(id), "text": .text(text), "complete": .bool(done)]
    let answer = try await server.send(
      .post, "/tables/TodoItem", nil, user, body: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
    #expect(answer.status == 201)
  }

  @Test("has an event of a whole day for each open item with a date, as RFC 5545 writes it")
  func events() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try file.token(for: "anna")
      let feed = try file.tokenText(for: "anna", .feed)
      try await TestServer.run(databasePath: file.path, clock: Self.now) { server async throws in
        try await put(
          "a", "(A) Pay the rent; all, of it \\ +home due:2026-12-01\r\nthe note\nin two lines", server, anna)
        try await put("done", "done due:2026-12-02", done: true, server, anna)
        try await put("never", "due:never", server, anna)
        try await put("gone", "gone due:2026-12-03", server, anna)
        _ = try await server.send(.delete, "/tables/TodoItem/gone", nil, anna)
        #expect(try await events(feed, server).isEmpty, "a carriage return is part of the word")
        try await put("b", "(A) Pay the rent; all, of it \\ +home due:2026-12-01\nthe note\nin two lines", server, anna)
        let answer = try await server.send(.get, "/feeds/\(feed).ics")
        #expect(answer.status == 200 && answer.header("Content-Type") == "text/calendar; charset=utf-8")
        #expect(answer.header("Cache-Control") == "private, no-cache")
        let identity = try #require(answer.header(ZumoHeader.database))
        #expect(
          unfolded(answer.text) == [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Ebb//Ebb//EN", "CALSCALE:GREGORIAN", "NAME:Ebb",
            "X-WR-CALNAME:Ebb",
            "REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H", "BEGIN:VEVENT", "UID:b@\(identity)",
            "DTSTAMP:20261118T110640Z", "CREATED:20261118T110640Z", "LAST-MODIFIED:20261118T110640Z",
            "DTSTART;VALUE=DATE:20261201", "SUMMARY:(A) Pay the rent\\; all\\, of it \\\\ +home",
            "DESCRIPTION:the note\\nin two lines", "TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR", "",
          ])
      }
    }
  }

  @Test("reads dates as devices do", arguments: DueTexts.all)
  func dates(text: String, day: String?) {
    #expect(DueEvent(text)?.day == day?.replacing("-", with: ""))
  }

  @Test("long texts are cut, and the whole is bounded")
  func bounds() throws {
    let event = try #require(
      DueEvent(String(repeating: "x", count: 1_000_000) + " due:2026-12-01\n" + String(repeating: "y", count: 9_000)))
    #expect(event.title.count == 501 && event.note.count == 4_001)
  }

  @Test("is made again only if the list is another")
  func conditional() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try file.token(for: "anna")
      let feed = try file.tokenText(for: "anna", .feed)
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await put("a", "one due:2026-12-01", server, anna)
        let first = try await server.send(.get, "/feeds/\(feed).ics")
        let known = ["If-None-Match": try #require(first.eTag)]
        let again = try await server.send(.get, "/feeds/\(feed).ics", nil, known)
        #expect(again.status == 304 && again.body == [] && again.eTag == first.eTag)
        let head = try await server.send(.head, "/feeds/\(feed).ics")
        #expect(head.status == 200 && head.header("Content-Length") == String(first.body.count))
        _ = try await server.send(.patch, "/tables/TodoItem/a", nil, anna, body: #"{"text":"two due:2026-12-01"}"#)
        let changed = try await server.send(.get, "/feeds/\(feed).ics", nil, known)
        #expect(changed.status == 200 && changed.text.contains("SUMMARY:two") && changed.text.contains("UID:a@"))
        _ = try await server.send(.delete, "/tables/TodoItem/a", nil, anna)
        #expect(try await !server.send(.get, "/feeds/\(feed).ics", nil, known).text.contains("VEVENT"))
        let post = try await server.send(.post, "/feeds/\(feed).ics", nil, [:], body: "{}")
        #expect(post.status == 405 && post.header("Allow") == "GET, HEAD, OPTIONS")
      }
    }
  }

  @Test("opens with a token for it alone; all others are refused in one way, and none is in the log")
  func refusals() async throws {
    try await ServerDatabaseFile.use { file in
      let clock = Mutex(TestServer.systemClock())
      let waits = Mutex(0)
      let log = LogLines()
      var logger = log.logger
      logger.logLevel = .trace
      let anna = try file.tokenText(for: "anna")
      let feed = try file.tokenText(for: "anna", .feed)
      let others = try AccessScope.allCases.filter { $0 != .feed }.map { try file.tokenText(for: "anna", $0) }
      let (brief, revoked) = (try file.tokenText(for: "anna", .feed, days: 1), try file.tokenText(for: "anna", .feed))
      try file.revoke(revoked)
      try await TestServer.run(
        databasePath: file.path, clock: { clock.withLock(\.self) }, sleep: { _ in waits.withLock { $0 += 1 } },
        logger: logger
      ) { server async throws in
        let last = ["Connection": "close"]
        #expect(try await server.send(.get, "/feeds/\(brief).ics", nil, last).status == 200)
        clock.withLock { $0 = $0.advanced(byMilliseconds: 2 * 86_400_000) }
        let wrong = others + [brief, revoked, "nothing-of-ours", "\(feed)x"]
        var bodies: Set<[UInt8]> = []
        for (index, token) in wrong.enumerated() {
          // An address has ten attempts a minute.
          clock.withLock { $0 = $0.advanced(byMilliseconds: 61_000) }
          let answer = try await server.send(.get, "/feeds/\(token).ics", nil, last)
          #expect(answer.status == 404, "\(index)")
          #expect(waits.withLock(\.self) == index + 1)
          bodies.insert(answer.body)
        }
        #expect(
          try await server.send(.get, "/feeds/\(feed)", nil, last).status == 404, "no calendar without its ending")
        #expect(bodies.count == 1)
        #expect(try await server.send(.get, "/feeds/\(feed).ics", nil, last).status == 200)
        let shown = ["Authorization": "Bearer \(feed)"].merging(last) { $1 }
        for path in ["/tables/TodoItem", "/tables", "/feeds/\(anna).ics"] {
          #expect(try await [403, 404].contains(server.send(.get, path, nil, shown).status))
        }
        let tokens = wrong + [feed, anna]
        #expect(log.all.count > wrong.count)
        #expect(!log.withDetails.contains { line in tokens.contains { line.contains($0) } })
      }
    }
  }

  @Test("shows the items of its user and of nobody else")
  func users() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try file.token(for: "anna")
      let feed = try file.tokenText(for: "ben", .feed)
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await put("a", "anna's due:2026-12-01", server, anna)
        #expect(try await events(feed, server).isEmpty)
        try await put("b", "ben's due:2026-12-01", server, try file.token(for: "ben"))
        #expect(try await events(feed, server) == ["SUMMARY:ben's"])
      }
    }
  }

  private func events(_ feed: String, _ server: TestServer) async throws -> [String] {
    unfolded(try await server.send(.get, "/feeds/\(feed).ics").text).filter { $0.hasPrefix("SUMMARY:") }
  }

  private func unfolded(_ text: String) -> [String] {
    String(text.unicodeScalars.map { String($0) }.joined()).replacing("\r\n ", with: "").split(
      separator: "\r\n", omittingEmptySubsequences: false
    ).map { String($0) }
  }
}
