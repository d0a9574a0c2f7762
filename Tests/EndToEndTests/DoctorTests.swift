import Foundation
import Glibc
import Testing

@Suite("ebb doctor", .serialized, .timeLimit(.minutes(5)))
struct DoctorTests {
  @Test("finds all well with a list that was just synced, says so in a line for each check, and changes nothing")
  func allWell() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      try await device.ebb("sync")
      _ = try await device.add("bread")
      let before = (try Data(contentsOf: URL(fileURLWithPath: device.store)), try await device.items())
      let report = try await DoctorReport(device)
      #expect(report.outcome.status == 0 && report.troubles == [], "\(report)")
      #expect(report["changes"] == "ok: 1" && report["tableServer"] == "ok: Ebb's own, protocol 3.0.0", "\(report)")
      #expect(report["agreement"]?.hasPrefix("ok: 1 here, 1 there, the same; checksum") == true, "\(report)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: device.store)) == before.0)
      #expect(try await device.items() == before.1)
      #expect(try await Curl(server: server).items().map(\.text) == ["milk"])
      let told = try await CommandRunner(workspace: workspace).run(
        try device.words(["doctor"]), environment: ["TERM": "xterm"])
      let lines = told.output.split(separator: "\n")
      #expect(lines.count == report.findings.count + 1)
      #expect(lines.last == "All \(report.findings.count) checks are well.")
      #expect(lines.dropLast().allSatisfy { $0.contains(/^(ok    |warn  |fail  )[a-z][a-z -]*: ./) }, "\(lines)")
    }
  }

  @Test("looks at the checks in order, in any language with the same names and states in JSON")
  func names() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      try await device.ebb("sync")
      let english = try await DoctorReport(device)
      #expect(
        english.findings.map(\.check) == [
          "store", "contents", "version", "space", "privacy", "changes", "conflicts", "configuration", "token",
          "environment", "terminal", "charset", "colors", "language", "server", "name", "connection", "encryption",
          "answer", "tableServer", "signIn", "account", "clock", "lastSync", "agreement",
        ], "\(english)")
      let spanish = try await DoctorReport(device, environment: ["LANG": "", "LC_MESSAGES": "es_ES.UTF-8"])
      #expect(spanish.findings.map(\.check) == english.findings.map(\.check))
      #expect(spanish["language"] == "ok: español (LC_MESSAGES=es_ES.UTF-8)", "\(spanish)")
    }
  }

  @Test("with nothing set up there are only warnings, and no list is made")
  func nothingYet() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let report = try await DoctorReport(device)
      #expect(report.outcome.status == 0 && report.troubles == ["warn server"], "\(report)")
      #expect(report["server"]?.contains("--server URL") == true && report["store"]?.contains("not there yet") == true)
      #expect(!FileManager.default.fileExists(atPath: device.store))
    }
  }

  @Test("a name nobody knows, and a port where nothing listens, end with 69 and name what to check")
  func unreachable() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      var device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      try await device.ebb("sync")
      try await server.stop()
      let silent = try await DoctorReport(device)
      #expect(silent.outcome.status == 69 && silent.troubles == ["fail connection"], "\(silent)")
      #expect(silent["name"] == "ok: 127.0.0.1" && silent["connection"]?.contains("--server") == true, "\(silent)")
      #expect(silent["connection"]?.contains("8080") == true, "the port that a mistyped one may be: \(silent)")
      #expect(silent["lastSync"]?.hasPrefix("ok") == true && silent["agreement"]?.hasPrefix("ok") == true)
      device.server = "http://ebb.invalid"
      let unknown = try await DoctorReport(device)
      #expect(unknown.outcome.status == 69, "\(unknown)")
      #expect(unknown["name"]?.hasPrefix("fail: Nobody knows the name ebb.invalid") == true, "\(unknown)")
      #expect(unknown["connection"] == nil && unknown["account"]?.hasPrefix("warn") == true, "\(unknown)")
    }
  }

  @Test("what is no table server is told apart from one that is busy, fails, or speaks no https")
  func otherServers() async throws {
    try await Workspace.use { workspace in
      let cases = [(200, "tableServer", Int32(1)), (404, "tableServer", 1), (500, "answer", 1), (503, "answer", 69)]
      for (status, check, exit) in cases {
        let stub = try StubServer(workspace, status: status, "<html>Hello</html>")
        let report = try await DoctorReport(Device(workspace, server: stub.url))
        #expect(report.outcome.status == exit && report.troubles == ["fail \(check)"], "\(report)")
      }
      let stub = try StubServer(workspace, status: 200)
      let secure = try await DoctorReport(Device(workspace, server: "https://127.0.0.1:\(stub.port)"))
      #expect(secure.outcome.status == 69 && secure.troubles == ["fail encryption"], "\(secure)")
      #expect(secure["encryption"]?.contains("showed no certificate") == true, "\(secure)")
    }
  }

  @Test("a sign-in that is refused ends with 77, and says whose token it was")
  func signIn() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: try StubServer(workspace, status: 401).url)
      let none = try await DoctorReport(device)
      #expect(none.outcome.status == 77 && none.troubles == ["fail signIn"], "\(none)")
      #expect(none["signIn"]?.contains("--token-file") == true, "\(none)")
      let refused = try await DoctorReport(device, environment: ["EBB_TOKEN": "secret-word"])
      #expect(refused.outcome.status == 77 && refused["signIn"]?.contains("EBB_TOKEN") == true, "\(refused)")
      #expect(!refused.outcome.output.contains("secret-word"))
      let forbidden = Device(workspace, server: try StubServer(workspace, status: 403).url)
      #expect(try await DoctorReport(forbidden).outcome.status == 77)
    }
  }

  @Test("a wrong token, or none, makes the list nobody else's, and one that can't be read is blamed once")
  func wrongToken() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let runner = CommandRunner(workspace: workspace)
      let added = try await runner.ebb("token", "add", "--user", "anna", "--database", server.database)
      let token = ["EBB_TOKEN": added.output.trimmingCharacters(in: .newlines)]
      let device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      #expect(try await runner.run(try device.words(["sync"]), environment: token).status == 0)
      #expect(try await DoctorReport(device, environment: token).troubles == [])
      for environment in [["EBB_TOKEN": "ebb_thisisnotreal"], [:]] {
        let report = try await DoctorReport(device, environment: environment)
        #expect(report.outcome.status == 77 && report.troubles == ["fail signIn"], "\(report)")
        #expect(report["account"] == nil, "\(report)")
      }
      let unreadable = try await DoctorReport(device, "--token-file", workspace.path("none"))
      #expect(unreadable.outcome.status == 77 && unreadable.troubles == ["fail token"], "\(unreadable)")
    }
  }

  @Test(
    "a refusal without the name of the database, where a server of ours was, is one of something on the way",
    arguments: [
      (403, "refused the request (403)", 69), (401, "token was refused (401)", 77),
    ] as [(Int, String, Int32)])
  func refusedOnTheWay(status: Int, words: String, exit: Int32) async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      var device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      try await device.ebb("sync")
      device.server = try StubServer(workspace, status: status, "{}").url
      try StoreFile(device.store).execute(
        "UPDATE Ebb_Facts SET name = replace(name, '\(server.url)', '\(device.server ?? "")')")
      let report = try await DoctorReport(device)
      #expect(report.outcome.status == exit && report.troubles.first == "fail answer", "\(report)")
      #expect(report["answer"]?.contains(words) == true && report["signIn"] == nil, "\(report)")
    }
  }

  @Test("a page in place of a server that this list was synced with may be that of a sign-in")
  func replacedServer() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      var device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      try await device.ebb("sync")
      device.server = try StubServer(workspace, status: 200, "<html>Hello</html>").url
      try StoreFile(device.store).execute(
        "UPDATE Ebb_Facts SET name = replace(name, '\(server.url)', '\(device.server ?? "")')")
      let report = try await DoctorReport(device)
      #expect(report.outcome.status == 69 && report.troubles.first == "fail tableServer", "\(report)")
      #expect(report["tableServer"]?.contains("a sign-in page of this network") == true, "\(report)")
      #expect(report["tableServer"]?.contains("check the address in --server") == true, "\(report)")
    }
  }

  @Test("a clock that is an hour off is a warning")
  func clock() async throws {
    try await Workspace.use { workspace in
      let stub = try StubServer(
        workspace, status: 200, "{\"items\":[]}", headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT"])
      let report = try await DoctorReport(Device(workspace, server: stub.url))
      #expect(report.outcome.status == 0 && report.troubles == ["warn clock"], "\(report)")
      #expect(report["clock"]?.contains("behind") == true && report["tableServer"] == "ok: protocol 3.0.0", "\(report)")
    }
  }

  @Test("a torn list fails, is left as it is, and the server is looked at all the same")
  func tornStore() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      for number in 1...20 { _ = try await device.add("Item \(number) " + String(repeating: "x", count: 1_000)) }
      // The log would still have whole copies of the pages.
      for end in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: device.store + end) }
      var bytes = try Data(contentsOf: URL(fileURLWithPath: device.store))
      bytes.replaceSubrange(4_096..<bytes.count, with: Data(repeating: 0xA5, count: bytes.count - 4_096))
      try bytes.write(to: URL(fileURLWithPath: device.store))
      let torn = try await DoctorReport(device)
      #expect(torn.outcome.status == 1 && torn.troubles.contains("fail contents"), "\(torn)")
      #expect(torn["tableServer"]?.hasPrefix("ok") == true && torn["account"] == nil, "\(torn)")
      #expect(try Data(contentsOf: URL(fileURLWithPath: device.store)) == bytes)
      for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: device.store + end) }
      try Data("Dear diary".utf8).write(to: URL(fileURLWithPath: device.store))
      let diary = try await DoctorReport(device)
      #expect(diary.outcome.status == 1 && diary.troubles.contains("fail store"), "\(diary)")
    }
  }

  @Test("a configuration that can't be used fails, one with a key nobody knows is a warning, and both name the file")
  func configuration() async throws {
    try await Workspace.use { workspace in
      let file = workspace.path("ebb.yaml")
      let device = Device(workspace)
      let environment = ["EBB_CONFIG": file]
      let missing = try await DoctorReport(device, environment: environment)
      #expect(missing.troubles == ["fail configuration", "warn server"], "\(missing)")
      try Data("server: [unclosed\n  - : {".utf8).write(to: URL(fileURLWithPath: file))
      let bad = try await DoctorReport(device, environment: environment)
      #expect(bad.outcome.status == 1 && bad["configuration"]?.contains(file) == true, "\(bad)")
      try Data("servr: http://127.0.0.1:9\nkeys:\n  add: a\n  ad: b\n".utf8).write(to: URL(fileURLWithPath: file))
      let odd = try await DoctorReport(device, environment: environment)
      #expect(odd.outcome.status == 0 && odd.troubles == ["warn settings", "warn server"], "\(odd)")
      #expect(odd["settings"]?.contains("keys.ad, servr") == true, "\(odd)")
      try Data("theme: no-such\n".utf8).write(to: URL(fileURLWithPath: file))
      let wrong = try await DoctorReport(device, environment: environment)
      #expect(wrong.outcome.status == 0 && wrong.troubles == ["warn settings", "warn server"], "\(wrong)")
      try Data("tokenFile: \(workspace.path("no-token"))\n".utf8).write(to: URL(fileURLWithPath: file))
      let token = try await DoctorReport(device, environment: environment)
      #expect(token.outcome.status == 77 && token.troubles.contains("fail token"), "\(token)")
      let typed = try await DoctorReport(device, environment: ["EBB_SEVER": "http://127.0.0.1:9", "TERM": "no-such"])
      #expect(typed.outcome.status == 0, "\(typed)")
      #expect(typed.troubles == ["warn environment", "warn terminal", "warn server"], "\(typed)")
    }
  }

  @Test("a list that others can read is a warning")
  func privacy() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      chmod(device.store, 0o644)
      let report = try await DoctorReport(device)
      #expect(report.troubles == ["warn privacy", "warn server"], "\(report)")
      #expect(report["privacy"]?.contains("chmod 600") == true && report["privacy"]?.contains(device.store) == true)
    }
  }

  @Test("a server with another database than the list's fails with the ways out, and one that moved does not")
  func otherDatabase() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      var device = Device(workspace, server: server.url)
      _ = try await device.add("milk")
      try await device.ebb("sync")
      device.server = try CountingProxy(to: server).url
      let moved = try await DoctorReport(device)
      #expect(moved.outcome.status == 0 && moved["account"]?.contains(server.url) == true, "\(moved)")
      let other = try await ServerProcess.start(workspace, database: workspace.path("other.sqlite"))
      device.server = other.url
      let wrong = try await DoctorReport(device)
      #expect(wrong.outcome.status == 1 && wrong.troubles == ["fail account"], "\(wrong)")
      #expect(wrong["account"]?.contains("--account same") == true, "\(wrong)")
      #expect(try await Curl(server: other).items().isEmpty)
    }
  }

  @Test("quiet, it prints nothing, and the exit code is the same")
  func quiet() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      for server in ["http://127.0.0.1:1", "http://127.0.0.1:1/x"] {
        let told = try await device.attempt("doctor", "--server", server)
        let quiet = try await device.attempt("doctor", "--quiet", "--server", server)
        #expect(quiet.output.isEmpty && quiet.status == told.status && quiet.status == 69, "\(quiet)")
      }
    }
  }

  @Test("a server with other names for the columns is a warning, which says what to write where")
  func otherColumns() async throws {
    try await Workspace.use { workspace in
      let item = #"{"id":"a","title":"Milk","isComplete":false,"updatedAt":"2026-01-01T00:00:00Z","version":"MQ=="}"#
      let stub = try StubServer(workspace, status: 200, #"{"items":[\#(item)]}"#)
      let device = Device(workspace, server: stub.url)
      let report = try await DoctorReport(device)
      #expect(report.troubles == ["warn columns"], "\(report)")
      #expect(report["columns"]?.contains("columns: {text: title, complete: isComplete}") == true, "\(report)")
      let folder = workspace.path("config/ebb")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try "columns: {text: title, complete: isComplete}\n"
        .write(toFile: folder + "/config.yaml", atomically: true, encoding: .utf8)
      let mended = try await DoctorReport(device)
      #expect(mended.troubles == [] && mended["columns"] == "ok: title, isComplete", "\(mended)")
    }
  }
}
