import Foundation
import Glibc
import Testing

@Suite("A server on a socket", .serialized, .timeLimit(.minutes(5)))
struct SocketTests {
  private func serve(_ workspace: Workspace, _ words: [String], through shell: [String] = []) throws -> ChildProcess {
    let child = try ChildProcess(
      shell + [try Binary.ebb(), "serve", "--database", workspace.path("server.sqlite")] + words, in: workspace)
    workspace.whenClosing { child.destroy() }
    return child
  }

  private func started(_ child: ChildProcess) async throws {
    _ = try await waitFor {
      child.output.contains("server.sqlite") ? true : nil
    } otherwise: {
      "the server did not start: \(child.error)"
    }
  }

  private func stop(_ child: ChildProcess) async throws -> Int32 {
    child.signal(SIGTERM)
    return try await waitFor {
      child.exitStatus()
    } otherwise: {
      "the server did not stop: \(child.error)"
    }
  }

  private func curl(_ workspace: Workspace, _ words: String...) async throws -> Outcome {
    try await CommandRunner(workspace: workspace).run(["curl", "-sS", "--noproxy", "*", "--max-time", "30"] + words)
  }

  @Test("of a file answers there, lets in its user alone unless told otherwise, and removes the file when it ends")
  func file() async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("ebb.sock")
      for (words, mode) in [([], 0o600), (["--socket-mode", "660"], 0o660)] {
        let server = try serve(workspace, ["--socket", path] + words)
        try await started(server)
        #expect(try permissions(of: path) == mode)
        let answer = try await curl(workspace, "--unix-socket", path, "http://localhost/tables/TodoItem")
        #expect(answer.output.contains("items"), "\(answer)")
        #expect(server.output.contains("unix:\(path)"))
        #expect(try await stop(server) == 0)
        #expect(server.error.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }
  }

  @Test("of a file with a control character in its name is printed without it")
  func printedName() async throws {
    try await Workspace.use { workspace in
      let server = try serve(workspace, ["--socket", workspace.path("a\nb.sock")])
      try await started(server)
      #expect(server.output.contains("/a b.sock") && !server.output.contains("a\nb"), "\(server.output)")
      #expect(try await stop(server) == 0)
    }
  }

  @Test("takes the place of a file that a killed server left, and of nothing else")
  func leftovers() async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("ebb.sock")
      let killed = try serve(workspace, ["--socket", path])
      try await started(killed)
      killed.destroy()
      #expect(FileManager.default.fileExists(atPath: path))
      let server = try serve(workspace, ["--socket", path])
      try await started(server)

      let text = workspace.path("text")
      try Data("a text".utf8).write(to: URL(fileURLWithPath: text))
      let long = workspace.path(String(repeating: "x", count: 100))
      for (wrong, words) in [
        (path, "Another server"), (text, "not a socket"), (long, "too long"),
        (workspace.path("no/ebb.sock"), "no such"),
      ] {
        let refused = try await CommandRunner(workspace: workspace).ebb(
          "serve", "--database", workspace.path("other.sqlite"), "--socket", wrong)
        #expect(refused.status == 1 && refused.complaints.count == 1 && refused.error.contains(words), "\(refused)")
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: text)) == Data("a text".utf8))
      let answer = try await curl(workspace, "--unix-socket", path, "http://localhost/tables/TodoItem")
      #expect(answer.output.contains("items"), "\(answer)")
      try FileManager.default.removeItem(atPath: path)
      try Data("another's".utf8).write(to: URL(fileURLWithPath: path))
      #expect(try await stop(server) == 0)
      #expect(FileManager.default.fileExists(atPath: path), "it is another's by now")
    }
  }

  /// Binds a socket and starts the program with it, as a service manager does.
  private func manager(_ address: String, _ portFile: String) -> [String] {
    [
      "perl", "-MSocket", "-MPOSIX", "-e",
      """
      $^F = 9; socket(my $s, PF_INET, SOCK_STREAM, 0) or die; bind($s, sockaddr_in(0, inet_aton("\(address)"))) or die;
      listen($s, 16) or die; my ($port) = sockaddr_in(getsockname($s));
      open(my $f, ">", "\(portFile)"); print $f $port; close($f);
      POSIX::dup2(fileno($s), 3); $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1; exec(@ARGV);
      """,
    ]
  }

  @Test("that a service manager has bound answers there, and ends well")
  func inherited() async throws {
    try await Workspace.use { workspace in
      let portFile = workspace.path("port")
      let server = try serve(workspace, [], through: manager("127.0.0.1", portFile))
      try await started(server)
      let port = String(decoding: try Data(contentsOf: URL(fileURLWithPath: portFile)), as: UTF8.self)
      let url = "http://127.0.0.1:\(port)/tables/TodoItem"
      let answer = try await curl(workspace, url, url)
      #expect(answer.output.components(separatedBy: "items").count == 3, "\(answer)")
      #expect(try await stop(server) == 0)
      #expect(server.error.isEmpty)
    }
  }

  @Test("that a service manager has bound: a connection that came just before the end gets its answer")
  func inheritedLast() async throws {
    try await Workspace.use { workspace in
      let (path, portFile) = (workspace.path("notify.sock"), workspace.path("port"))
      let notices = try datagrams(at: path)
      defer { close(notices) }
      let server = try ChildProcess(
        manager("127.0.0.1", portFile) + [
          try Binary.ebb(), "serve", "--database", workspace.path("server.sqlite"),
        ], in: workspace, environment: ["NOTIFY_SOCKET": path])
      workspace.whenClosing { server.destroy() }
      #expect(try await word(notices) == "READY=1")
      let port = String(decoding: try Data(contentsOf: URL(fileURLWithPath: portFile)), as: UTF8.self)
      let last = try #require(Int(port).flatMap(Socket.connect))
      defer { last.close() }
      // Accepted after it.
      #expect(try await curl(workspace, "http://127.0.0.1:\(port)/health/ready").output == "ready\n")
      server.signal(SIGTERM)
      // Waits without a pause: the moment for the request is short.
      var notice = [UInt8](repeating: 0, count: 100)
      let count = recv(notices, &notice, notice.count, 0)
      #expect(last.write(Data("GET /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)))
      #expect(String(decoding: notice.prefix(max(count, 0)), as: UTF8.self) == "STOPPING=1")
      let answer = last.read().map { String(decoding: $0, as: UTF8.self) } ?? ""
      #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
      try await until("the server to end") { server.exitStatus() == 0 }
    }
  }

  @Test("that others can reach needs a token too")
  func inheritedReachable() async throws {
    try await Workspace.use { workspace in
      let server = try serve(workspace, [], through: manager("0.0.0.0", workspace.path("port")))
      let status = try await waitFor {
        server.exitStatus()
      } otherwise: {
        "it runs"
      }
      #expect(status == 64 && server.error.contains("token") && server.error.contains("0.0.0.0"), "\(server.error)")
    }
  }

  @Test("a service manager hears that the server is ready, lives, and ends")
  func notices() async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("notify.sock")
      let descriptor = try datagrams(at: path)
      defer { close(descriptor) }
      let server = try ChildProcess(
        [try Binary.ebb(), "serve", "--port", "0", "--database", workspace.path("server.sqlite")], in: workspace,
        environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "100000"])
      workspace.whenClosing { server.destroy() }
      var heard = ""
      repeat { heard = try await word(descriptor) } while heard == "WATCHDOG=1"
      #expect(heard == "READY=1")
      heard = try await word(descriptor)
      #expect(heard == "WATCHDOG=1")
      server.signal(SIGTERM)
      repeat { heard = try await word(descriptor) } while heard == "WATCHDOG=1"
      #expect(heard == "STOPPING=1")
      let status = try await waitFor {
        server.exitStatus()
      } otherwise: {
        "the server did not stop: \(server.error)"
      }
      #expect(status == 0)
    }
  }

  @Test("a request that is under way when the server is asked to end is answered, and nobody else is let in")
  func graceful() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let go = workspace.path("go")
      let client = try ChildProcess(
        [
          "bash", "-c",
          #"""
          exec 3<>"/dev/tcp/127.0.0.1/$0"
          printf 'POST /tables/TodoItem HTTP/1.1\r\nHost: localhost\r\n' >&3
          printf 'Content-Type: application/json\r\nContent-Length: 22\r\n\r\n{"id":"a",' >&3
          while [ ! -e "$1" ]; do sleep 0.05; done
          printf '"text":"mi"}' >&3
          cat <&3
          """#, "\(server.port)", go,
        ], in: workspace)
      workspace.whenClosing { client.destroy() }
      try await until("the request to be under way") {
        try await self.curl(workspace, "\(server.url)/metrics").output.contains("ebb_http_requests_active 2")
      }
      server.child.signal(SIGTERM)
      try await until("nobody to be let in") {
        try await self.curl(workspace, "\(server.url)/health/ready").status != 0
      }
      try Data().write(to: URL(filePath: go))
      try await until("the server to end") { server.child.exitStatus() == 0 }
      try await until("the client to end") { client.exitStatus() == 0 }
      #expect(client.output.hasPrefix("HTTP/1.1 201") && client.output.lowercased().contains("connection: close"))
      let next = try await ServerProcess.start(workspace, database: server.database)
      #expect(try await Curl(server: next).items().map(\.text) == ["mi"])
    }
  }

  private func until(_ what: String, _ isSo: () async throws -> Bool) async throws {
    _ = try await waitFor {
      try await isSo() ? true : nil
    } otherwise: {
      "waited in vain for \(what)"
    }
  }

  private func datagrams(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    guard descriptor >= 0, isBound else { throw Failure("no socket at \(path)") }
    return descriptor
  }

  private func word(_ descriptor: Int32) async throws -> String {
    try await waitFor {
      var bytes = [UInt8](repeating: 0, count: 100)
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    } otherwise: {
      "nothing was said"
    }
  }
}
