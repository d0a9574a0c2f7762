import Foundation
import Glibc
import Support
import Testing

@Suite("Live lists", .serialized, .timeLimit(.minutes(10)))
struct LiveTests {
  /// Two open lists of one server, each with a device's own store, and both live.
  private struct Pair {
    let laptop: TerminalSession
    let phone: TerminalSession

    init(
      _ workspace: Workspace, url: String, phone phoneURL: String? = nil, environment: [String: String] = [:]
    ) async throws {
      let folder = workspace.path("config/ebb")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try "sync:\n  when: launch, live\n".write(
        toFile: folder + "/config.yaml", atomically: true, encoding: .utf8)
      laptop = try await TerminalSession.list(
        Device(workspace, name: "laptop", server: url), environment: environment)
      phone = try await TerminalSession.list(Device(workspace, name: "phone", server: phoneURL ?? url))
    }

    func areLive() async throws {
      for list in [laptop, phone] { try await list.wait("the list to be live") { $0.isLive } }
    }
  }

  @Test("what one changes is on the other, and the row under the cursor stays where it is")
  func twoLists() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let pair = try await Pair(workspace, url: server.url)
      try await pair.areLive()
      for text in ["Apples", "Bread", "Cheese"] { try await pair.laptop.add(text) }
      try await pair.phone.wait("what the other list added") { $0.rows.count == 3 }
      try await pair.phone.select("Cheese")
      let line = try await pair.phone.wait("the choice") { $0.chosenLine?.contains("Cheese") == true }.chosenNumber
      try await pair.laptop.select("Apples")
      try await pair.laptop.press("d")
      try await pair.laptop.add("Dates")
      let screen = try await pair.phone.wait("both changes") { $0.shows("Dates") && !$0.shows("Apples") }
      #expect(screen.chosenLine?.contains("Cheese") == true, "\(screen)")
      // There is one row less above it, and nothing to show in its place.
      #expect(screen.chosenNumber.map { number in line.map { $0 - number <= 1 } ?? false } == true, "\(screen)")
      try await pair.phone.press("Space")
      try await pair.laptop.wait("what the other list completed") { !$0.shows("Cheese") && $0.rows.count == 2 }
      #expect(try await Device(workspace, name: "phone", server: server.url).status().pending == 0)
    }
  }

  @Test("an editor gets the terminal, and no connection to the server")
  func editor() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let (script, seen) = (workspace.path("editor"), workspace.path("seen"))
      try "ls -l /proc/self/fd >\(seen).new; mv \(seen).new \(seen)\n".write(
        toFile: script, atomically: true, encoding: .utf8)
      let pair = try await Pair(workspace, url: server.url, environment: ["VISUAL": "sh \(script)"])
      try await pair.areLive()
      try await pair.laptop.add("Apples")
      try await pair.laptop.press("E")
      try await pair.laptop.wait("the end of the editor") { $0.words.contains("The editor changed nothing.") }
      let files = try String(contentsOfFile: seen, encoding: .utf8)
      #expect(files.contains("/dev/pts/") && !files.contains("socket:") && !files.contains("eventpoll"), "\(files)")
    }
  }

  @Test("a server that is killed and started again is found again, and so is one that ended")
  func restarts() async throws {
    try await Workspace.use { workspace in
      var server = try await ServerProcess.start(workspace)
      let pair = try await Pair(workspace, url: server.url)
      try await pair.areLive()
      for signal in [SIGKILL, SIGTERM] {
        try await server.stop(with: signal)
        for list in [pair.laptop, pair.phone] { try await list.wait("that it is lost") { !$0.isLive } }
        server = try await ServerProcess.start(workspace, database: server.database, port: server.port)
        try await pair.areLive()
        try await pair.laptop.add("After \(signal)")
        try await pair.phone.wait("what came after it") { $0.shows("After \(signal)") }
      }
    }
  }

  @Test(
    "a server that lost its database is no live one, and is again when that is back",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func lostDatabase() async throws {
    let cluster = try await blocking { try PostgreSQLCluster(["fsync=off"]) }
    let url = try await blocking { try cluster.makeDatabase() }
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace, database: url)
      let pair = try await Pair(workspace, url: server.url)
      try await pair.areLive()
      try await pair.laptop.add("Before")
      try await pair.phone.wait("what the other list added") { $0.shows("Before") }
      try await blocking { try cluster.stop() }
      for list in [pair.laptop, pair.phone] { try await list.wait("that it is lost") { !$0.isLive } }
      try await pair.phone.wait("why") { $0.words.contains("The server is busy") }
      try await blocking { try cluster.start() }
      try await pair.areLive()
      try await pair.laptop.add("After")
      try await pair.phone.wait("what came after it") { $0.shows("After") }
    }
  }

  @Test("a list that slept while the server was another goes on where it is")
  func sleep() async throws {
    try await Workspace.use { workspace in
      var server = try await ServerProcess.start(workspace)
      let pair = try await Pair(workspace, url: server.url)
      try await pair.areLive()
      try await pair.phone.signal(SIGSTOP)
      try await server.stop(with: SIGKILL)
      server = try await ServerProcess.start(workspace, database: server.database, port: server.port)
      try await pair.laptop.wait("it to be live again") { $0.isLive }
      try await pair.laptop.add("While it slept")
      try await pair.phone.signal(SIGCONT)
      try await pair.phone.wait("what came meanwhile") { $0.shows("While it slept") }
    }
  }

  @Test("a list that was put into the background gives its connection up, and has it again in front")
  func background() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let pair = try await Pair(workspace, url: server.url)
      try await pair.areLive()
      try await streams(server, 2)
      try await pair.phone.signal(SIGTSTP)
      try await streams(server, 1)
      try await pair.phone.signal(SIGCONT)
      try await streams(server, 2)
      try await pair.laptop.press("q")
      _ = try await pair.laptop.exitStatus()
      try await streams(server, 1)
    }
  }

  private func streams(_ server: ServerProcess, _ count: Int) async throws {
    let request = Data("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".utf8)
    _ = try await waitFor {
      let socket = try #require(Socket.connect(to: server.port))
      defer { socket.close() }
      try #require(socket.write(request))
      let text = await blocking { read(socket, until: "ebb_streams \(count)\n") }
      return text.contains("ebb_streams \(count)\n") ? true : nil
    } otherwise: {
      "there are not \(count) streams"
    }
  }

  @Test(
    "nginx before the server, as it is by default, is in nobody's way", .enabled(if: Nginx.program.isThere, "no nginx"))
  func nginx() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let nginx = try await Nginx.start(workspace, before: [server])
      let pair = try await Pair(workspace, url: server.url, phone: nginx.url)
      try await pair.areLive()
      try await pair.laptop.add("Through nginx")
      try await pair.phone.wait("what came through it") { $0.shows("Through nginx") }
      try await pair.phone.add("And back")
      try await pair.laptop.wait("what went through it") { $0.shows("And back") }
    }
  }

  @Test(
    "a proxy that holds back what the server says is noticed, and the clock asks instead",
    .enabled(if: Nginx.program.isThere, "no nginx"))
  func heldBack() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let nginx = try await Nginx.start(
        workspace, before: [server], "proxy_ignore_headers X-Accel-Buffering; proxy_buffering on;")
      let pair = try await Pair(workspace, url: server.url, phone: nginx.url)
      try await pair.laptop.wait("the list to be live") { $0.isLive }
      try await pair.phone.wait("that it asks") { $0.lines.first?.contains("asks each minute") == true }
      try await pair.phone.wait("why") { $0.words.contains("holds back the server’s notices") }
    }
  }

  @Test("a thousand streams cost the same however much is written, and all hear of it")
  func thousand() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      let request = Data(
        "GET /tables/TodoItem HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAccept: text/event-stream\r\n\r\n".utf8)
      allowFiles(1_500)
      var sockets: [Socket] = []
      defer { for socket in sockets { socket.close() } }
      for _ in 0..<1_000 {
        let socket = try #require(Socket.connect(to: server.port))
        sockets.append(socket)
        try #require(socket.write(request))
      }
      for socket in sockets { _ = await blocking { read(socket, until: "\n\n") } }
      let before = try server.child.memory()
      for number in 0..<20 {
        _ = try await device.add("Item \(number)")
        try await device.ebb("sync")
      }
      #expect(try await device.items().count == 20)
      for socket in sockets { _ = await blocking { read(socket, until: "event: now") } }
      let after = try server.child.memory()
      // Not a byte a stream and a write: those who read late have one level to read.
      #expect(after - before < 24_000_000, "\(before) \(after)")
    }
  }

  private func allowFiles(_ count: rlim_t) {
    var files = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    files.rlim_cur = min(files.rlim_max, max(files.rlim_cur, count))
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
  }
}

private func read(_ socket: Socket, until words: String) -> String {
  var text = ""
  while !text.contains(words), let bytes = socket.read() { text += String(decoding: bytes, as: UTF8.self) }
  return text
}

extension Screen {
  var isLive: Bool {
    lines.first.map { $0.contains(" live") && !$0.contains("not live") } ?? false
  }

  fileprivate var chosenNumber: Int? { lines.firstIndex { $0.hasPrefix("▌") } }
  fileprivate var chosenLine: String? { chosenNumber.map { lines[$0] } }
}

extension ChildProcess {
  /// Bytes of memory that it has in use.
  fileprivate func memory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (line?.split(separator: " ").dropFirst().first).flatMap { Int($0) }.map { $0 * 1_024 } ?? 0
  }
}
