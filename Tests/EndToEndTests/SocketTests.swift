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

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("of a file answers there, lets in its user alone unless told otherwise, and removes the file when it ends")
  func file() async throws {
    try await Workspace.use { workspace in
      let path = workspace.path("ebb.sock")
      for (words, mode) in [([], 0o600), (["--socket-mode", "660"], 0o660)] {
        let server = try serve(workspace, ["--socket", path] + words)
        try await started(server)
        #expect(try self.mode(path) == mode)
        let answer = try await curl(workspace, "--unix-socket", path, "http://localhost/tables/TodoItem")
        #expect(answer.output.contains("items"), "\(answer)")
        #expect(server.output.contains("unix:\(path)"))
        #expect(try await stop(server) == 0)
        #expect(server.error.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
      }
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

  @Test("that others can reach needs a token too")
  func inheritedReachable() async throws {
    try await Workspace.use { workspace in
      let server = try serve(workspace, [], through: manager("0.0.0.0", workspace.path("port")))
      let status = try await waitFor {
        server.exitStatus()
      } otherwise: {
        "it runs"
      }
      #expect(status == 64 && server.error.contains("token"))
    }
  }
}
