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

  @Test("begin with an invitation, which makes the tables of an empty database if it has an address")
  func invited() async throws {
    let url = try await blocking { try PostgreSQLCluster.get().makeDatabase() }
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let invite = [try Binary.ebb(), "serve", "invite", "--user", "anna", "--database", url]
      let unknown = try await runner.run(invite)
      #expect(unknown.status == 1 && unknown.complaints.count == 1, "\(unknown)")
      let invited = try await runner.run(invite + ["--url", "https://list.example"])
      #expect(invited.status == 0 && invited.output.hasPrefix("https://list.example/join#ebbjoin_"), "\(invited)")
      #expect(invited.error.contains("The server did not know anna before."), "\(invited)")
    }
  }

  @Test("behind nginx are one address", .enabled(if: Nginx.program.isThere, "nginx is not installed"))
  func nginx() async throws {
    try await withServers(3) { workspace, servers in
      let nginx = try await Nginx.start(workspace, before: servers)
      let devices = ["a", "b", "c"].map { Device(workspace, name: $0, server: nginx.url) }
      for round in 1...4 {
        for device in devices {
          _ = try await device.add("item \(round)")
          _ = try await waitFor {
            try await device.attempt("sync").status == 0 ? true : nil
          } otherwise: {
            "no sync: \(nginx.child.error)"
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

  private func newDatabase() async throws -> (PostgreSQLCluster, name: String) {
    try await blocking {
      let (cluster, name) = (try PostgreSQLCluster.get(), PostgreSQLCluster.newName())
      try cluster.makeDatabase(name)
      return (cluster, name)
    }
  }

  @Test(
    "behind PgBouncer share its sessions, and come back after it was killed",
    .enabled(if: PgBouncer.program.isThere, "PgBouncer is not installed"))
  func pgbouncer() async throws {
    let (cluster, database) = try await newDatabase()
    try await Workspace.use { workspace in
      var bouncer = try await PgBouncer.start(workspace, before: cluster)
      let url = bouncer.url(of: database)
      let servers = [
        try await ServerProcess.start(workspace, database: url, words: ["--pooled"]),
        try await ServerProcess.start(workspace, database: url, words: ["--pooled"]),
      ]
      var device = Device(workspace, name: "a", server: servers[0].url)
      for number in 1...20 { _ = try await device.add("item \(number)") }
      try await device.ebb("sync")
      bouncer.kill()
      #expect(try await device.attempt("sync").status != 0)
      bouncer = try await bouncer.started(workspace, before: cluster)
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

  @Test(
    "behind a PgBouncer that stands still refuse requests, and lose nothing that was acknowledged",
    .enabled(if: PgBouncer.program.isThere, "PgBouncer is not installed"))
  func pausedPgBouncer() async throws {
    let (cluster, database) = try await newDatabase()
    try await Workspace.use { workspace in
      let bouncer = try await PgBouncer.start(workspace, before: cluster)
      let server = try await ServerProcess.start(
        workspace, database: bouncer.url(of: database) + "?connect_timeout=2", words: ["--pooled"])
      let curl = Curl(server: server)
      let writing = Task {
        var acknowledged: [String] = []
        var number = 0
        while !Task.isCancelled {
          number += 1
          let id = "row-\(number)"
          if (try? await curl.post(#"{"id":"\#(id)","text":"\#(id)"}"#)) != nil { acknowledged.append(id) }
        }
        return acknowledged
      }
      for _ in 1...2 {
        try await Task.sleep(for: .milliseconds(500))
        bouncer.child.signal(SIGSTOP)
        _ = try await waitFor {
          try await curl.readiness() == "503" ? true : nil
        } otherwise: {
          "it says that it is ready: \(server.child.error)"
        }
        bouncer.child.signal(SIGCONT)
        _ = try await waitFor {
          try await curl.readiness() == "200" ? true : nil
        } otherwise: {
          "it never came back: \(server.child.error)"
        }
      }
      writing.cancel()
      let acknowledged = await writing.value
      #expect(!acknowledged.isEmpty)
      for id in acknowledged { #expect(try await curl.has(id), "\(id)") }
    }
  }
}
