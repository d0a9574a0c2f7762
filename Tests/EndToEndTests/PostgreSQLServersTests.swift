import Foundation
import Support
import Testing

@Suite(
  "Servers as programs on one PostgreSQL", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLServersTests {
  private func withServers(_ count: Int, _ body: (Workspace, [ServerProcess]) async throws -> Void) async throws {
    let url = try await blocking { try PostgreSQLCluster.get().makeDatabase() }
    try await Workspace.use { workspace in
      var servers: [ServerProcess] = []
      for _ in 0..<count { servers.append(try await ServerProcess.start(workspace, database: url)) }
      try await body(workspace, servers)
    }
  }

  @Test("are one server to devices, and one that is killed takes nothing with it")
  func several() async throws {
    try await withServers(3) { workspace, servers in
      let devices = zip(["a", "b"], servers).map { Device(workspace, name: $0, server: $1.url) }
      for device in devices {
        _ = try await device.add("Made at \(device.server ?? "")")
        try await device.ebb("sync")
      }
      servers[0].child.signal(SIGKILL)
      for var device in devices {
        for server in servers.dropFirst() {
          device.server = server.url
          try await device.ebb("sync")
        }
        #expect(try await Set(device.items().map(\.text)) == Set(servers[..<2].map { "Made at \($0.url)" }))
        #expect(try await device.ebb("sync", "--verify").status == 0)
      }
      for server in servers.dropFirst() { #expect(try await server.stop() == 0) }
      #expect(servers.dropFirst().allSatisfy { $0.child.error.isEmpty })
    }
  }

  @Test("behind nginx are one address", .enabled(if: Tool.nginx.isInstalled, "nginx is not installed"))
  func nginx() async throws {
    try await withServers(3) { workspace, servers in
      let port = try Tool.freePort()
      let upstream = servers.map { "server 127.0.0.1:\($0.port) max_fails=1 fail_timeout=1s;" }.joined(separator: " ")
      let child = try Tool.nginx.start(
        """
        daemon off; pid \(workspace.path("nginx.pid")); error_log \(workspace.path("nginx.log"));
        events { }
        http {
          access_log off;
          client_body_temp_path \(workspace.path("body")); proxy_temp_path \(workspace.path("proxy"));
          fastcgi_temp_path \(workspace.path("f")); uwsgi_temp_path \(workspace.path("u")); scgi_temp_path \(workspace.path("s"));
          upstream ebb { \(upstream) }
          server {
            listen 127.0.0.1:\(port);
            location / { proxy_pass http://ebb; proxy_set_header Host $http_host; proxy_http_version 1.1; }
          }
        }
        """, as: "nginx.conf", before: ["-p", workspace.path(""), "-c"], in: workspace)
      let url = "http://127.0.0.1:\(port)"
      let devices = ["a", "b", "c"].map { Device(workspace, name: $0, server: url) }
      for round in 1...4 {
        for device in devices {
          _ = try await device.add("item \(round)")
          _ = try await waitFor {
            try await device.attempt("sync").status == 0 ? true : nil
          } otherwise: {
            "no sync: \(child.error)"
          }
        }
        if round == 2 { servers[1].child.signal(SIGKILL) }
      }
      for device in devices {
        try await device.ebb("sync")
        #expect(try await device.items().count == 12)
        #expect(try await device.ebb("sync", "--verify").status == 0)
      }
    }
  }

  @Test(
    "behind PgBouncer share its sessions, and come back after it was killed",
    .enabled(if: Tool.pgbouncer.isInstalled, "PgBouncer is not installed"))
  func pgbouncer() async throws {
    let (folder, database) = try await blocking {
      let cluster = try PostgreSQLCluster.get()
      let url = try cluster.makeDatabase()
      return (cluster.folder, url.dropFirst("postgresql://postgres@/".count).prefix { $0 != "?" })
    }
    try await Workspace.use { workspace in
      let port = try Tool.freePort()
      let configuration = """
        [databases]
        * = host=\(folder) user=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = \(port)
        unix_socket_dir =
        auth_type = any
        pool_mode = transaction
        default_pool_size = 3
        """
      let words = getuid() == 0 ? ["-u", "postgres"] : []
      var bouncer = try Tool.pgbouncer.start(configuration, as: "/tmp/\(database).ini", before: words, in: workspace)
      defer { try? FileManager.default.removeItem(atPath: "/tmp/\(database).ini") }
      let url = "postgresql://postgres@127.0.0.1:\(port)/\(database)"
      _ = try await waitFor {
        bouncer.error.contains("process up") ? true : nil
      } otherwise: {
        "PgBouncer did not start: \(bouncer.error)"
      }
      let servers = [
        try await ServerProcess.start(workspace, database: url, words: ["--pooled"]),
        try await ServerProcess.start(workspace, database: url, words: ["--pooled"]),
      ]
      var device = Device(workspace, name: "a", server: servers[0].url)
      for number in 1...20 { _ = try await device.add("item \(number)") }
      try await device.ebb("sync")
      bouncer.destroy()
      #expect(try await device.attempt("sync").status != 0)
      bouncer = try Tool.pgbouncer.start(configuration, as: "/tmp/\(database).ini", before: words, in: workspace)
      _ = try await device.add("one more")
      device.server = servers[1].url
      let other = device
      _ = try await waitFor {
        try await other.attempt("sync").status == 0 ? true : nil
      } otherwise: {
        "it never came back"
      }
      // The other server notices it with its next request, or the one after.
      let items = try await waitFor {
        try? await Curl(server: servers[0]).items()
      } otherwise: {
        "the other server never came back"
      }
      #expect(items.count == 21)
    }
  }
}

/// A program that stands before or behind a server.
private struct Tool {
  static let nginx = Tool(name: "nginx")
  static let pgbouncer = Tool(name: "pgbouncer")

  let name: String

  private var path: String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (folders + ["/usr/sbin"]).map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  var isInstalled: Bool { path != nil }

  /// Starts it with a file that says what it does.
  func start(
    _ configuration: String, as file: String, before words: [String], in workspace: Workspace
  ) throws -> ChildProcess {
    let file = file.hasPrefix("/") ? file : workspace.path(file)
    try Data(configuration.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let libraries = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ["LD_LIBRARY_PATH": $0] } ?? [:]
    let child = try ChildProcess([path ?? name] + words + [file], in: workspace, environment: libraries)
    workspace.whenClosing { child.destroy() }
    return child
  }

  static func freePort() throws -> Int {
    let (socket, port) = try Socket.listen()
    socket.close()
    return port
  }
}
