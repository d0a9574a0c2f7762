import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import TableStorage
import Testing

@testable import TableServer

/// What the pages say, and in which language.
@Suite("The languages of the pages", .serialized)
struct PageLanguageTests {
  private static let scripts: [EmbeddedFile] = [.language, .texts, .requests, .filter, .rows, .invitation]

  @Test("every text of the pages is there in every language, with the same values in it")
  func tables() async throws {
    let documents = EmbeddedFile.rowsPage.text + EmbeddedFile.invitationPage.text
    let marked = Set(documents.matches(of: /data-(?:word|label|hint)="(\w+)"/).map { String($0.1) })
    try await Chromium.use { browser in
      func value(_ expression: String) async throws -> String {
        try await browser.value("(() => { \(EmbeddedFile.words.text); return \(expression); })()")
      }
      func keys(_ language: String) async throws -> Set<String> {
        Set(try await value("Object.keys(words['\(language)'])").split(separator: ",").map(String.init))
      }
      let english = try await keys("en")
      #expect(english.isDisjoint(with: marked), "one place for each")
      #expect(try await value("Object.keys(words)") == "en,es,ja,zh-Hant")
      for language in ["es", "ja", "zh-Hant"] {
        #expect(try await keys(language) == english.union(marked), "\(language)")
        let unlike = """
          Object.keys(words.en).filter((key) => [words.en[key]].flat().some((text) =>
            [words['\(language)'][key]].flat().some((other) => !other.trim() || [/\\{\\w+\\}/g, /`[^`]+`/g].some((sign) =>
              String((text.match(sign) ?? []).sort()) !== String((other.match(sign) ?? []).sort())))))
          """
        #expect(try await value(unlike) == "", "\(language)")
      }
      let code = Self.scripts.map(\.text).joined()
      let unused = english.filter { !code.contains("'\($0)'") }
      #expect(unused == [], "no word that nobody says")
      let said = code.matches(of: /word\('(\w+)'/).map { String($0.1) }
      #expect(Set(said).isSubset(of: english.union(marked)) && said.count > 20)
    }
  }

  @Test("is the first that the reader wants and the page has, with its numbers and days; else English")
  func choice() async throws {
    try await TestServer.run { server async throws in
      try await Chromium.use { browser in
        for (wanted, language, title) in [
          ("es-MX,en", "es", "Ebb: explorador de datos"), ("ja", "ja", "Ebb：データブラウザー"),
          ("zh-TW,en", "zh-Hant", "Ebb：資料瀏覽器"), ("zh-HK", "zh-Hant", "Ebb：資料瀏覽器"),
          ("zh-CN,zh,es", "es", "Ebb: explorador de datos"), ("zh-Hans-TW", "en", "Ebb: data browser"),
          ("de,fr", "en", "Ebb: data browser"), ("fr,ja,en", "ja", "Ebb：データブラウザー"),
          ("en-GB,es", "en", "Ebb: data browser"),
        ] {
          try await browser.speak(wanted)
          try await browser.open("http://127.0.0.1:\(server.port)/")
          #expect(try await browser.value("document.documentElement.lang") == language, "\(wanted)")
          #expect(try await browser.value("document.title") == title, "\(wanted)")
        }
        #expect(browser.problems == [])
      }
    }
  }

  @Test(
    "the data browser speaks it everywhere",
    arguments: [
      ("es-ES", "Filas 1–100 de 1250", "Probar otra vez", "El filtro tiene un error."),
      ("ja", "1,250 行中 1–100 行目", "もう一度試す", "フィルターに間違いがあります。"),
      ("zh-TW", "第 1–100 列，共 1,250 列", "再試一次", "篩選有錯誤。"),
    ])
  func rows(_ language: String, _ caption: String, _ again: String, _ mistake: String) async throws {
    try await Chromium.use { browser in
      try await browser.speak(language)
      try await TestServer.run(clock: TestServer.clock(standingAt: 1_795_000_000_000)) { server async throws in
        try await server.insertMany(1_250)
        try await browser.resize(width: 1_200)
        try await browser.open("http://127.0.0.1:\(server.port)/")
        try await browser.wait("document.getElementById('caption').textContent === '\(caption)'")
        try await browser.value("document.getElementById('help').open = true")
        try await browser.picture("rows-\(language)")
        try await browser.submit("filter", "text eq 'open")
        try await browser.wait("document.getElementById('filter-error').textContent.startsWith('\(mistake)')")
        #expect(try await browser.value("document.querySelector('#filter-error [lang=en]').textContent") != "")
        #expect(try await browser.value("document.querySelector('#filter-error mark').textContent") == "'")
        try await browser.picture("filter-mistake-\(language)")
        #expect(try await Self.english(in: browser) == "")
      }
      try await browser.submit("filter", "")
      try await browser.wait("document.querySelector('#problem button')?.textContent === '\(again)'")
      try await browser.resize(width: 375, .dark)
      try await browser.picture("unreachable-\(language)")
      #expect(try await Self.english(in: browser) == "")
      #expect(try await browser.value("document.documentElement.scrollWidth <= innerWidth") == "true", "it fits")
      #expect(browser.problems == [])
    }
  }

  @Test(
    "signing in and an invitation speak it too",
    arguments: [
      ("es", "El servidor no acepta este token", "Te invitan a una lista", "Abre una terminal"),
      ("ja", "サーバーはこのトークンを受け付けません", "リストに招待されています", "同期したいデバイス"),
      ("zh-TW", "伺服器不接受這個權杖", "邀請你加入", "在要同步的裝置上"),
    ])
  func signIn(_ language: String, _ refusal: String, _ invited: String, _ run: String) async throws {
    try await ServerDatabaseFile.use { file in
      _ = try file.tokenText(for: "anna", .read)
      let clock = TestServer.clock(standingAt: 1_795_000_000_000)
      try await TestServer.run(databasePath: file.path, clock: clock) { server async throws in
        try await Chromium.use { browser in
          try await browser.speak(language)
          try await browser.resize(width: 700)
          try await browser.open("http://127.0.0.1:\(server.port)/")
          try await browser.wait("!document.getElementById('sign-in').hidden")
          #expect(try await browser.value("document.getElementById('sign-reason').textContent") == "")
          #expect(
            try await browser.value("document.querySelector('#token-help code').textContent").contains("--scope read"))
          try await browser.submit("token", "ebb_wrong")
          try await browser.wait("document.getElementById('sign-reason').textContent.startsWith('\(refusal)')")
          try await browser.picture("sign-in-\(language)")
          #expect(try await Self.english(in: browser) == "")
          for _ in 0..<WrongAttempts.mostInAMinute {
            _ = try await server.send(.get, "/tables", nil, ["Authorization": "Bearer ebb_wrong"])
          }
          try await browser.submit("token", "ebb_wrong")
          try await browser.wait("/\\d/.test(document.getElementById('sign-reason').textContent)")
          let many = try await browser.value("document.getElementById('sign-reason').textContent")
          #expect(many.hasPrefix(refusal), "\(many)")
          #expect(try await Self.english(in: browser) == "")
          let secret = "ebbjoin_" + String(repeating: "a", count: 43)
          try await browser.open("http://127.0.0.1:\(server.port)/join#\(secret)")
          #expect(try await browser.value("document.querySelector('h2').textContent").hasPrefix(invited))
          #expect(try await browser.value("document.getElementById('what').textContent").hasPrefix(run))
          #expect(try await browser.value("document.getElementById('command').textContent").hasSuffix("#\(secret)'"))
          try await browser.picture("invitation-\(language)")
          #expect(browser.problems == [])
        }
      }
    }
  }

  /// The English phrases of the page that are seen in it. What the server says is not among them, nor are single words,
  /// which may be names of columns.
  private static func english(in browser: Chromium) async throws -> String {
    let document = EmbeddedFile.rowsPage.text
    let inDocument = document.matches(of: /data-word="\w+"[^>]*>([^<]+)</).map { String($0.1) }
    let list = String(decoding: try JSONEncoder().encode(inDocument), as: UTF8.self)
    return try await browser.value(
      """
      (() => { \(EmbeddedFile.words.text)
        const titles = [...document.querySelectorAll('[title]')].map((found) => found.title).join(' ');
        const hints = [...document.querySelectorAll('[placeholder]')].map((found) => found.placeholder).join(' ');
        const seen = [document.title, titles, hints, document.body.innerText].join(' ');
        const parts = Object.values(words.en).flat().flatMap((text) => text.split(/\\{\\w+\\}|`[^`]+`/));
        const own = Object.values(words[document.documentElement.lang]).flat().join(' ');
        return [...\(list), ...parts].map((text) => text.trim()).filter((text) => text.includes(' ')
          && seen.includes(text) && !own.includes(text)); })()
      """)
  }
}
