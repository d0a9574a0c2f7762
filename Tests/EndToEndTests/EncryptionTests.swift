import Foundation
import Glibc
import Testing

@Suite("A server with a certificate", .serialized, .timeLimit(.minutes(5)))
struct EncryptionTests {
  private func curl(_ server: ServerProcess, _ words: String...) async throws -> Outcome {
    try await CommandRunner(workspace: server.workspace).run(
      ["curl", "-sS", "--noproxy", "*", "--max-time", "30"] + words)
  }

  /// What a new connection is shown.
  private func subject(_ server: ServerProcess) async throws -> String {
    let outcome = try await CommandRunner(workspace: server.workspace).run(
      ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)"])
    return outcome.output.split(separator: "\n").first { $0.hasPrefix("subject=") }.map(String.init) ?? "\(outcome)"
  }

  @Test("speaks TLS from 1.2 on and nothing else, and devices that trust its authority join and sync")
  func encrypts() async throws {
    try await Workspace.use { workspace in
      let certificates = try await TestCertificates(workspace)
      try await certificates.make("server", subject: "server")
      let server = try await ServerProcess.start(workspace, words: certificates.words("server"))
      let table = "\(server.url)/tables/TodoItem"
      let trusted = ["--cacert", certificates.authority]
      #expect(server.url.hasPrefix("https:"))
      #expect(try await curl(server, table, trusted[0], trusted[1], "--tlsv1.2").output.contains("items"))
      #expect(try await curl(server, table, trusted[0], trusted[1], "--tls-max", "1.1").status != 0)
      #expect(try await curl(server, table).status != 0, "the authority is nobody's but ours")
      #expect(try await curl(server, table.replacing("https:", with: "http:")).status != 0)
      let made = try await curl(
        server, table, trusted[0], trusted[1], "-i", "-H", "Content-Type: application/json", "-H", "Connection: close",
        "--data", "{}")
      #expect(made.status == 0 && made.output.contains("ocation: \(table)/"), "\(made)")

      let runner = CommandRunner(workspace: workspace)
      let invited = try await runner.ebb("serve", "invite", "--user", "anna", "--database", server.database)
      let link = invited.output.trimmingCharacters(in: .newlines)
      #expect(link.hasPrefix("\(server.url)/join#"))
      let untrusted = try await runner.ebb("join", link)
      #expect(untrusted.status == 69 && untrusted.complaints.count == 1, "\(untrusted)")
      #expect(untrusted.error.contains("certificate is valid for 127.0.0.1"), "\(untrusted)")
      #expect(untrusted.error.contains("--ca-file FILE") && !untrusted.error.contains("doctor"), "\(untrusted)")
      let noAuthority = try await runner.ebb("join", link, "--ca-file", workspace.path("ca.key"))
      #expect(noAuthority.status == 77 && noAuthority.complaints.count == 1, "\(noAuthority)")
      let joined = try await runner.ebb("join", link, "--ca-file", certificates.authority)
      #expect(joined.status == 0, "\(joined)")
      _ = try await runner.ebb("add", "Milk")
      let synced = try await runner.ebb("sync")
      #expect(synced.status == 0 && synced.output.contains("sent 1"), "\(synced)")
      let doctor = try await runner.ebb("doctor")
      #expect(doctor.output.contains("encryption") && doctor.status == 0, "\(doctor)")
      #expect(try await server.stop() == 0)
      #expect(server.child.error.isEmpty)
    }
  }

  @Test("that a device does not trust is one that expired, that has another name or that nobody known has signed")
  func distrusted() async throws {
    try await Workspace.use { workspace in
      let certificates = try await TestCertificates(workspace)
      try await certificates.make("old", subject: "old", days: -1)
      try await certificates.make("other", subject: "other", for: "DNS:other.example")
      try await certificates.make("good", subject: "good")
      try await certificates.make("both", subject: "both", for: "DNS:other.example")
      try await certificates.make("stray", subject: "stray")
      for name in ["both", "stray"] { try certificates.append("old", to: name) }
      let trusted = ["--ca-file", certificates.authority]
      for (name, flags, says) in [
        ("old", trusted, "the clock of this device says 20"), ("other", trusted, "is not valid for 127.0.0.1"),
        ("both", trusted, "is not valid for 127.0.0.1"),
        ("good", [String](), "not signed by an authority that this device trusts"),
        ("stray", [], "not signed by an authority that this device trusts"),
      ] {
        let server = try await ServerProcess.start(workspace, words: certificates.words(name))
        let device = Device(workspace, server: server.url)
        let synced = try await CommandRunner(workspace: workspace).run(try device.words(["sync"] + flags))
        #expect(synced.status == 69 && synced.error.contains("ebb doctor"), "\(synced)")
        let doctor = try await CommandRunner(workspace: workspace).run(try device.words(["doctor"] + flags))
        #expect(doctor.status == 69 && doctor.output.contains("fail  encryption: "), "\(doctor)")
        #expect(doctor.output.contains(says) && !doctor.output.contains("Check that it offers"), "\(doctor)")
        try await server.stop()
      }
    }
  }

  @Test("is not blamed by the doctor if the file of authorities to trust is missing, or has no certificate in it")
  func noAuthorities() async throws {
    try await Workspace.use { workspace in
      let certificates = try await TestCertificates(workspace)
      try await certificates.make("server", subject: "server")
      let server = try await ServerProcess.start(workspace, words: certificates.words("server"))
      for path in [certificates.key("server"), workspace.path("nope.pem")] {
        let report = try await DoctorReport(Device(workspace, server: server.url), "--ca-file", path)
        #expect(report.outcome.status == 77 && report.troubles == ["fail encryption"], "\(report)")
        #expect(report["encryption"]?.hasPrefix("fail: \(path) holds no certificate") == true, "\(report)")
      }
    }
  }

  @Test("reads it again when it is asked to, drops no connection for it, and keeps the old one if the new is no good")
  func renews() async throws {
    try await Workspace.use { workspace in
      let certificates = try await TestCertificates(workspace)
      try await certificates.make("server", subject: "first")
      let server = try await ServerProcess.start(workspace, words: certificates.words("server"))
      let (asked, go) = (workspace.path("asked"), workspace.path("go"))
      let head = "GET /tables/TodoItem HTTP/1.1\\r\\nHost: localhost\\r\\n"
      let open = try ChildProcess(
        [
          "sh", "-c",
          """
          (printf '\(head)\\r\\n'; sleep 1; touch \(asked); while [ ! -e \(go) ]; do sleep 0.05; done
          printf '\(head)Connection: close\\r\\n\\r\\n'; sleep 2) | openssl s_client -quiet -connect 127.0.0.1:\(server.port)
          """,
        ], in: workspace)
      workspace.whenClosing { open.destroy() }
      _ = try await waitFor {
        FileManager.default.fileExists(atPath: asked) ? true : nil
      } otherwise: {
        open.error
      }
      #expect(try await subject(server).contains("first"))
      try await certificates.make("server", subject: "second")
      server.child.signal(SIGHUP)
      _ = try await waitFor {
        try await subject(server).contains("second") ? true : nil
      } otherwise: {
        server.child.error
      }
      try Data().write(to: URL(fileURLWithPath: go))
      let status = try await waitFor {
        open.exitStatus()
      } otherwise: {
        open.error
      }
      #expect(open.output.components(separatedBy: "HTTP/1.1 200").count == 3, "\(status): \(open.output)")

      try Data("nothing".utf8).write(to: URL(fileURLWithPath: certificates.certificate("server")))
      server.child.signal(SIGHUP)
      _ = try await waitFor {
        server.child.error.contains("the old one stays") ? true : nil
      } otherwise: {
        "no word of it"
      }
      #expect(try await subject(server).contains("second"))
      #expect(try await server.stop() == 0)
    }
  }

  @Test("does not start with files that are missing, are something else or do not belong together, and says so")
  func wrongFiles() async throws {
    try await Workspace.use { workspace in
      let certificates = try await TestCertificates(workspace)
      try await certificates.make("one", subject: "one")
      try await certificates.make("two", subject: "two")
      let (one, two) = (certificates.certificate("one"), certificates.key("two"))
      let runner = CommandRunner(workspace: workspace)
      let database = workspace.path("server.sqlite")
      for (certificate, key, words) in [
        (workspace.path("none"), two, "can't be read"), (one, workspace.path("none"), "can't be read"),
        (two, two, "holds no certificate"), (one, one, "holds no key"), (one, two, "does not belong"),
      ] {
        let outcome = try await runner.ebb(
          "serve", "--port", "0", "--database", database, "--certificate", certificate, "--key", key)
        #expect(outcome.status == 1 && outcome.complaints.count == 1 && outcome.error.contains(words), "\(outcome)")
      }
      #expect(try await runner.ebb("serve", "--database", database, "--key", two).status == 64)
      #expect(!FileManager.default.fileExists(atPath: database))
    }
  }
}
