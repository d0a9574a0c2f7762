import Crypto
import FoundationEssentials
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("The page for browsers")
struct DataBrowserTests {
  private static let html = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8"]

  @Test("is what a browser gets at the server's address, and nobody else")
  func negotiation() async throws {
    try await TestServer.run { server async throws in
      let page = try await server.send(.get, "/", nil, Self.html)
      #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
      #expect(page.text.hasPrefix("<!doctype html>") && page.text.hasSuffix("</html>\n"))
      let head = try await server.send(.head, "/", nil, Self.html)
      #expect(head.status == 200 && head.body == [] && head.header("Content-Length") == String(page.body.count))
      let other = try await server.send(.get, "/", nil, ["Accept": "*/*"])
      let before = try await server.send(.get, "/nothing", nil, Self.html)
      #expect(other.status == 404 && other.body == before.body)
      #expect(try await server.send(.post, "/", nil, Self.html, body: "{}").status == 404)
      #expect(try await server.send(.get, "/?x=1", nil, Self.html).status == 200)
    }
  }

  @Test("is sent again only if it is another, and runs nothing but its own script")
  func headers() async throws {
    try await TestServer.run { server async throws in
      let page = try await server.send(.get, "/", nil, Self.html)
      let tag = try #require(page.eTag)
      for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
        let again = try await server.send(.get, "/", nil, Self.html.merging(["If-None-Match": known]) { $1 })
        #expect(again.status == 304 && again.body == [] && again.eTag == tag, "\(known)")
      }
      let stale = try await server.send(.get, "/", nil, Self.html.merging(["If-None-Match": "\"other\""]) { $1 })
      #expect(stale.status == 200)
      #expect(page.header("Cache-Control") == "no-cache" && page.header("Vary") == "Accept")
      #expect(page.header("X-Content-Type-Options") == "nosniff" && page.header("Referrer-Policy") == "no-referrer")
      let policy = try #require(page.header("Content-Security-Policy"))
      let parts = policy.split(separator: "; ")
      for rule in [
        "default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'", "trusted-types 'none'",
      ] { #expect(parts.contains(Substring(rule))) }
      for tag in ["script", "style"] {
        let from = try #require(page.text.firstRange(of: "<\(tag)>")?.upperBound)
        let to = try #require(page.text.firstRange(of: "</\(tag)>")?.lowerBound)
        let hash = Data(SHA256.hash(data: Array(page.text[from..<to].utf8))).base64EncodedString()
        #expect(parts.contains("\(tag)-src 'sha256-\(hash)'"))
      }
    }
  }

  @Test("a page of another site gets nothing by it, and a link there may lead here")
  func origins() async throws {
    try await TestServer.run { server async throws in
      func status(_ site: String, _ mode: String, _ path: String) async throws -> Int {
        let headers = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": "document"].merging(Self.html)
        { $1 }
        return try await server.send(.get, path, nil, headers).status
      }
      #expect(try await status("cross-site", "navigate", "/") == 200)
      #expect(try await status("cross-site", "no-cors", "/") == 403)
      #expect(try await status("cross-site", "cors", "/tables") == 403)
      #expect(try await status("same-origin", "cors", "/tables") == 200)
      #expect(
        try await server.send(.get, "/", nil, Self.html.merging(["Host": "attacker.example"]) { $1 }).status == 421)
    }
  }

  @Test("its list of tables has those of the user alone, with their columns")
  func tables() async throws {
    try await ServerDatabaseFile.use { file in
      let anna = try file.token(for: "anna")
      let ben = try file.token(for: "ben")
      try await TestServer.run(databasePath: file.path, tables: TablePolicy(.open)) { server async throws in
        let empty =
          #"{"user":"ben","tables":[{"name":"TodoItem","count":0,"columns":[{"name":"text","type":"text"},"#
          + #"{"name":"complete","type":"boolean"}]}]}"#
        #expect(try await server.send(.get, "/tables", nil, ben).text == empty)
        _ = try await server.send(.post, "/tables/secret", nil, anna, body: #"{"id":"a","amount":3}"#)
        _ = try await server.send(.post, "/tables/TodoItem", nil, anna, body: #"{"id":"a","due":"x"}"#)
        #expect(try await server.send(.get, "/tables", nil, ben).text == empty)
        let hers = try await server.send(.get, "/tables/", nil, anna).text
        #expect(
          hers == #"{"user":"anna","tables":[{"name":"TodoItem","count":1,"columns":[{"name":"text","type":"text"},"#
            + #"{"name":"complete","type":"boolean"},{"name":"due","type":"text"}]},"#
            + #"{"name":"secret","count":1,"columns":[{"name":"amount","type":"number"}]}]}"#)
        #expect(try await server.send(.get, "/tables").status == 401)
        let post = try await server.send(.post, "/tables", nil, anna, body: "{}")
        #expect(post.status == 405 && post.header("Allow") == "GET, HEAD, OPTIONS")
        #expect(try await server.send(.options, "/tables").header("Allow") == "GET, HEAD, OPTIONS")
      }
      try await TestServer.run(databasePath: file.path) { server async throws in
        #expect(try await !server.send(.get, "/tables", nil, anna).text.contains("secret"), "nobody can reach it")
      }
    }
  }
}

/// The page itself, in a browser.
@Suite("The page in Chromium", .serialized)
struct DataBrowserPageTests {
  private static let rows = "document.querySelectorAll('tbody tr').length"
  private static let isDone = "!document.getElementById('browser').hidden && !document.querySelector('[aria-busy]')"

  private func text(_ id: String) -> String { "document.getElementById('\(id)').textContent" }
  private func click(_ id: String) -> String { "document.getElementById('\(id)').click()" }

  @Test("shows rows a page at a time, the last change first, deleted ones if wanted, times here and in UTC")
  func pages() async throws {
    try await TestServer.run(clock: TestServer.clock(standingAt: 1_795_000_000_000)) { server async throws in
      try await server.insertMany(250)
      _ = try await server.send(.delete, "/tables/TodoItem/r7")
      try await Chromium.use(timeZone: "Asia/Tokyo") { browser in
        try await browser.resize(width: 1_600)
        try await browser.open("http://127.0.0.1:\(server.port)/")
        try await browser.wait("\(Self.rows) === 100 && \(text("caption")) === 'Rows 1–100 of 249'")
        #expect(try await browser.value("document.querySelector('td button').textContent") == "item 249")
        let time = try await browser.value("document.querySelector('time').textContent")
        #expect(time.contains("Nov 18, 2026") && time.contains("PM"), "\(time)")
        #expect(try await browser.value("document.querySelector('time').title").hasPrefix("2026-11-18 11:06:40."))
        try await browser.picture("rows")
        try await browser.value(click("next"))
        try await browser.wait("\(text("caption")) === 'Rows 101–200 of 249'")
        try await browser.value(click("next"))
        try await browser.wait(
          "\(text("caption")) === 'Rows 201–249 of 249' && document.getElementById('next').disabled")
        #expect(try await browser.value("[...document.querySelectorAll('td button')].at(-1).textContent") == "item 0")
        try await browser.value(click("previous"))
        try await browser.wait("\(text("caption")) === 'Rows 101–200 of 249'")
        try await browser.value(click("deleted"))
        try await browser.wait("document.querySelector('td button')?.textContent === 'deleteditem 7'")
        try await browser.submit("filter", "text eq 'item 9' or deleted eq true")
        try await browser.wait("\(Self.rows) === 2 && \(text("caption")) === 'All 2 rows'")
        #expect(try await browser.value("location.hash").contains("deleted=true"))
        try await browser.value("history.back()")
        try await browser.wait("\(Self.rows) === 100")
        #expect(browser.problems == [])
      }
    }
  }

  @Test("texts of rows are texts, whatever is in them; signs that nobody sees are shown by their number")
  func hostileTexts() async throws {
    let texts = [
      "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">",
      "a\u{202E}b\u{202C}c\u{2066}",
      "\u{1}\u{1B}[31m\u{7F}\u{85}", "</script><style>*{display:none}</style>{style}{script}", "line\nanother\u{2028}",
      String(repeating: "x", count: 1_000_000), String(repeating: "\u{202E}", count: 5_000), "🌱 買牛奶 שלום", "",
    ]
    try await TestServer.run { server async throws in
      for (index, text) in texts.enumerated() {
        let body = String(decoding: try JSONEncoder().encode(["id": "h\(index)", "text": text]), as: UTF8.self)
        #expect(try await server.send(.post, "/tables/TodoItem", nil, [:], body: body).status == 201)
      }
      try await Chromium.use { browser in
        for (width, theme) in [(375, Chromium.Theme.dark), (1_600, .light)] {
          try await browser.resize(width: width, theme)
          try await browser.open("http://127.0.0.1:\(server.port)/#order=id")
          try await browser.wait("\(Self.rows) === \(texts.count) && \(Self.isDone)")
          #expect(try await browser.value("document.documentElement.scrollWidth <= innerWidth") == "true")
          #expect(try await browser.value("document.querySelectorAll('script').length") == "1")
          #expect(try await browser.value("document.querySelectorAll('img, tbody style').length") == "0")
          try await browser.picture("hostile-\(width)")
        }
        #expect(try await browser.value("document.title") == "Ebb: data browser")
        let shown = try await browser.value(
          "[...document.querySelectorAll('td button')].map(b => b.textContent).join('|')")
        let parts = shown.split(separator: "|")
        #expect(
          parts[0] == texts[0] && parts[1] == "aU+202EbU+202CcU+2066" && parts[2] == "U+0001U+001B[31mU+007FU+0085")
        #expect(parts[4] == "line ↵ anotherU+2028" && parts[5].count == 201 && parts[7] == "🌱 買牛奶 שלום")
        #expect(parts[8] == "no text")
        try await browser.value("document.querySelectorAll('td button')[5].click()")
        try await browser.wait("document.getElementById('detail').open")
        try await browser.value("document.querySelector('dd button').click()")
        #expect(try await browser.value("document.querySelector('dd .long').textContent.length") == "1000000")
        #expect(browser.problems == [])
      }
    }
  }

  @Test("lets in who shows a token, keeps it in the tab, and forgets it when they sign out")
  func signIn() async throws {
    try await ServerDatabaseFile.use { file in
      let token = try file.tokenText(for: "anna", .read)
      let feed = try file.tokenText(for: "anna", .feed)
      try await TestServer.run(databasePath: file.path) { server async throws in
        try await Chromium.use { browser in
          try await browser.resize(width: 375)
          try await browser.open("http://127.0.0.1:\(server.port)/")
          try await browser.wait("!document.getElementById('sign-in').hidden && document.activeElement.id === 'token'")
          try await browser.picture("sign-in")
          try await browser.submit("token", "ebb_wrong")
          try await browser.wait("\(text("sign-reason")).startsWith('This server does not know the token')")
          #expect(try await browser.value("sessionStorage.length") == "0")
          try await browser.submit("token", feed)
          try await browser.wait("\(text("problem")).startsWith('This token is for feed only. Sign out, and')")
          try await browser.value(click("sign"))
          try await browser.wait("!document.getElementById('sign-in').hidden")
          try await browser.submit("token", " \(token) ")
          try await browser.wait(
            "\(Self.isDone) && \(text("who")) === 'anna' && \(text("rows")).includes('no rows yet')")
          #expect(try await browser.value("[sessionStorage.length, localStorage.length, document.cookie]") == "1,0,")
          #expect(try await !browser.value("location.href + document.documentElement.outerHTML").contains(token))
          try await browser.value(click("sign"))
          try await browser.wait(
            "!document.getElementById('sign-in').hidden && document.getElementById('browser').hidden")
          #expect(try await browser.value("sessionStorage.length") == "0")
          #expect(browser.problems == [])
        }
      }
    }
  }

  @Test("says after too many wrong tokens that the token is wrong and when to try again; a right one is let in at once")
  func wrongTokens() async throws {
    try await ServerDatabaseFile.use { file in
      let token = try file.tokenText(for: "anna", .read)
      let clock = TestServer.clock(standingAt: 1_795_000_000_000)
      try await TestServer.run(databasePath: file.path, clock: clock) { server async throws in
        for _ in 0..<WrongAttempts.mostInAMinute {
          #expect(try await server.send(.get, "/tables", nil, ["Authorization": "Bearer ebb_wrong"]).status == 401)
        }
        try await Chromium.use { browser in
          try await browser.open("http://127.0.0.1:\(server.port)/")
          try await browser.submit("token", "ebb_wrong")
          try await browser.wait("\(text("sign-reason")).startsWith('The server does not accept this token')")
          #expect(try await browser.value(text("sign-reason")).hasSuffix("try again in 60 seconds."))
          #expect(try await browser.value("sessionStorage.length") == "0")
          try await browser.submit("token", token)
          try await browser.wait("\(Self.isDone) && \(text("who")) === 'anna'")
          #expect(browser.problems == [])
        }
      }
    }
  }

  @Test("says in a sentence what went wrong and what to do; a mistake in a filter stands out at its place")
  func errors() async throws {
    try await ServerDatabaseFile.use { file in
      let token = try file.tokenText(for: "anna", .read)
      var limits = ServerLimits.patient
      (limits.requestsAtOnce, limits.requestsASecond) = (16, 1)
      try await Chromium.use { browser in
        let clock = TestServer.clock(standingAt: 1_795_000_000_000)
        try await TestServer.run(databasePath: file.path, clock: clock, limits: limits) { server async throws in
          try await browser.resize(width: 1_200, .dark)
          try await browser.open("http://127.0.0.1:\(server.port)/")
          try await browser.submit("token", token)
          try await browser.wait("\(Self.isDone) && \(text("rows")).includes('no rows yet')")
          for (filter, mark) in [
            ("text eq 'ü' and (complete qq 1)", "qq"), ("titel eq 1", "titel"), ("nothing(text)", "nothing"),
            ("text eq 'open", "'"),
          ] {
            try await browser.submit("filter", filter)
            try await browser.wait("document.querySelector('#filter-error mark')?.textContent === \"\(mark)\"", filter)
            #expect(try await browser.value(text("filter-error")).contains("Correct the filter, or empty it"))
          }
          try await browser.picture("filter-mistake")
          for _ in 0..<4 {
            try await browser.submit("filter", "")
            try await browser.wait("\(Self.isDone)")
          }
          try await browser.wait("\(text("problem")).startsWith('Too many requests came from here: wait 1 second,')")
        }
        try await browser.submit("filter", "")
        try await browser.wait("\(text("problem")).startsWith('The server does not answer: check that it runs')")
        try await browser.picture("unreachable")
        #expect(browser.problems == [])
      }
    }
  }

  @Test("can be used by the keyboard alone, and has names for those who hear it")
  func keyboard() async throws {
    try await TestServer.run { server async throws in
      try await server.insertMany(3)
      try await Chromium.use { browser in
        try await browser.open("http://127.0.0.1:\(server.port)/")
        try await browser.wait("\(Self.rows) === 3 && \(Self.isDone)")
        try await browser.value("document.querySelector('td button').focus()")
        try await browser.press("ArrowDown")
        #expect(try await browser.value("document.activeElement.textContent") == "item 1")
        try await browser.press("Enter")
        try await browser.wait("document.getElementById('detail').open")
        #expect(try await browser.value("document.querySelector('dialog dd').textContent") == "item 1")
        try await browser.press("Escape")
        try await browser.wait(
          "!document.getElementById('detail').open && document.activeElement.textContent === 'item 1'")
        let nameless = """
          [...document.querySelectorAll('button, input, select, dialog, nav')].filter(e => !e.hidden && !e.textContent.trim()
            && !e.labels?.length && !e.ariaLabel && !e.getAttribute('aria-labelledby')).map(e => e.id)
          """
        #expect(try await browser.value(nameless) == "")
      }
    }
  }
}

extension TestServer {
  /// Inserts `item 0`, `item 1` and so on.
  func insertMany(_ count: Int) async throws {
    for start in stride(from: 0, to: count, by: 500) {
      let entries = (start..<min(start + 500, count)).map { number in
        #"{"id":"\#(number)","method":"post","url":"/tables/TodoItem","headers":{"content-type":"application/json"},"#
          + #""body":{"id":"r\#(number)","text":"item \#(number)"}}"#
      }
      let body = #"{"requests":[\#(entries.joined(separator: ","))]}"#
      #expect(try await send(.post, "/tables/$batch", nil, [:], body: body).status == 200)
    }
  }
}

extension ServerDatabaseFile {
  /// The text of a new token.
  func tokenText(for user: String, _ scope: AccessScope = .sync, days: Int? = nil) throws -> String {
    let tokens = try ServerTokens(database: path, makesDatabase: true, clock: TestServer.systemClock)
    defer { tokens.close() }
    return try tokens.add(try #require(UserName(user)), label: "", scope: scope, days: days).token.text
  }

  func revoke(_ token: String) throws {
    let tokens = try ServerTokens(database: path, makesDatabase: false, clock: TestServer.systemClock)
    defer { tokens.close() }
    _ = try tokens.revoke(.id(TokenDigest(of: token).id))
  }

  /// The header that shows a new token.
  func token(for user: String, _ scope: AccessScope = .sync) throws -> [String: String] {
    ["Authorization": "Bearer \(try tokenText(for: user, scope))"]
  }
}
