import Foundation
import GRDB
import Testing

@Suite("A server's database is backed up, put back and checked", .serialized, .timeLimit(.minutes(5)))
struct BackupCommandTests {
  /// A server whose list has one item, which the device has sent.
  private static func serverWithItem(_ workspace: Workspace) async throws -> (ServerProcess, Device) {
    let server = try await ServerProcess.start(workspace)
    let device = Device(workspace, server: server.url)
    _ = try await device.add("Secret words")
    try await device.ebb("sync")
    return (server, device)
  }

  /// Runs a command that may let no file grow beyond 40 KiB, which is less than an empty database needs.
  private static func withoutRoom(_ runner: CommandRunner, _ words: [String]) async throws -> Outcome {
    try await runner.run(
      ["bash", "-c", #"trap '' XFSZ; ulimit -f 40; exec "$@""#, "bash", try Binary.ebb()] + words)
  }

  @Test("a backup is made while the server runs, and put back only when it does not")
  func backupAndRestore() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let (server, device) = try await Self.serverWithItem(workspace)
      let copy = workspace.path("copy")
      let made = try await runner.ebb("serve", "backup", copy, "--database", server.database)
      #expect(made.status == 0 && made.output == "Backed up to \(copy): 1 list, 1 item.\n", "\(made)")
      let again = try await runner.ebb("serve", "backup", copy, "--database", server.database)
      #expect(again.status == 1 && again.complaints.count == 1, "\(again)")
      let early = try await runner.ebb("serve", "restore", copy, "--database", server.database)
      #expect(early.status == 1 && early.complaints.count == 1 && early.error.contains("Stop the server"), "\(early)")
      let folder = workspace.folder.path
      let wrong = try await runner.ebb("serve", "restore", folder, "--database", server.database)
      #expect(wrong.status == 1 && wrong.error.contains("\(folder) is not there, or is not a backup"), "\(wrong)")
      _ = try await device.add("Later words")
      try await device.ebb("sync")
      try await server.stop()
      let restored = try await runner.ebb("serve", "restore", copy, "--database", server.database)
      #expect(restored.status == 0 && restored.output.split(separator: "\n").count == 3, "\(restored)")
      let old = try #require(
        try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
          .first { $0.hasPrefix("server.sqlite.2") })
      #expect(restored.output.contains(old))
      let next = try await ServerProcess.start(workspace, database: server.database, port: server.port)
      #expect(try await Curl(server: next).items().map(\.text) == ["Secret words"])
      try await device.ebb("sync", "--restored", "send")
      #expect(Set(try await Curl(server: next).items().map(\.text)) == ["Secret words", "Later words"])
    }
  }

  @Test("a server that makes backups itself still holds its database: no command takes itself for the only one")
  func holdsDatabase() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let folder = workspace.path("backups")
      let words = ["--backup-every", "24h", "--backup-folder", folder]
      let server = try await ServerProcess.start(workspace, words: words)
      _ = try await waitFor {
        try? FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".sqlite") }
      } otherwise: {
        "no backup was made:\n\(server.child.error)"
      }
      let device = Device(workspace, server: server.url)
      _ = try await device.add("First words")
      try await device.ebb("sync")
      let copy = workspace.path("copy")
      let looks = [["serve", "check"], ["token", "list"], ["serve", "backup", copy]]
      let changes = [["serve", "compact"], ["serve", "restore", copy]]
      for words in looks + changes {
        let ended = try await runner.run([try Binary.ebb()] + words + ["--database", server.database])
        #expect(ended.status == (changes.contains(words) ? 1 : 0), "\(words): \(ended)")
        _ = try await device.add(words.joined(separator: " "))
        try await device.ebb("sync")
      }
      #expect(try await Curl(server: server).items().count == 1 + looks.count + changes.count)
    }
  }

  @Test("a disk without room, a folder that is not there, and no database are each one sentence, and nothing is left")
  func nothingLeft() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let none = try await runner.ebb("serve", "backup", workspace.path("a"), "--database", workspace.path("none"))
      #expect(none.status == 1 && none.complaints.count == 1, "\(none)")
      let server = try await ServerProcess.start(workspace)
      let folder = try await runner.ebb("serve", "backup", workspace.path("none/a"), "--database", server.database)
      #expect(folder.status == 1 && folder.complaints.count == 1, "\(folder)")
      let before = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path).sorted()
      let full = try await Self.withoutRoom(
        runner, ["serve", "backup", workspace.path("a"), "--database", server.database])
      #expect(full.status == 1 && full.complaints.count == 1 && full.error.contains("could not be written"), "\(full)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path).sorted() == before)
    }
  }

  @Test("the check ends well, or says each thing that is not well in a line and ends with 1")
  func check() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let (server, _) = try await Self.serverWithItem(workspace)
      let well = try await runner.ebb("serve", "check", "--database", server.database)
      #expect(well.status == 0 && well.output.contains("1 item"), "\(well)")
      let queue = try DatabaseQueue(path: server.database)
      try await queue.writeWithoutTransaction { database in
        try database.execute(sql: "UPDATE TodoItem SET updatedAt = 'Secret'; CREATE TABLE notes (a)")
      }
      try queue.close()
      let bad = try await runner.ebb("serve", "check", "--database", server.database)
      let lines = bad.output.split(separator: "\n")
      #expect(bad.status == 1 && bad.error.isEmpty && lines.count == 3, "\(bad)")
      #expect(lines.contains { $0.hasPrefix("notes:") } && !bad.output.contains("Secret"), "\(bad)")
    }
  }

  @Test("a database of an earlier version is copied first; where there is no room for that it stays as it is")
  func update() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let server = try await ServerProcess.start(workspace)
      try await server.stop()
      let queue = try DatabaseQueue(path: server.database)
      try await queue.writeWithoutTransaction { database in
        try database.execute(
          sql: """
            DROP TABLE KeptAnswer; ALTER TABLE StoredList DROP COLUMN answersKeptAfter;
            ALTER TABLE StoredList DROP COLUMN tombstonesAfter; ALTER TABLE ServerIdentity DROP COLUMN aliases; PRAGMA user_version = 8; PRAGMA wal_checkpoint(TRUNCATE)
            """)
      }
      try queue.close()
      func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path) }
      let full = try await Self.withoutRoom(
        runner, ["token", "add", "--user", "anna", "--database", server.database])
      #expect(full.status == 1 && full.complaints.count == 1 && full.error.contains("nothing was changed"), "\(full)")
      #expect(try names().filter { $0.contains("before") } == [])
      let added = try await runner.ebb("token", "add", "--user", "anna", "--database", server.database)
      let copies = try names().filter { $0.hasPrefix("server.sqlite.before-version-") }
      #expect(added.status == 0 && copies.count == 1 && added.error.contains(copies[0]), "\(added)")
      #expect(added.output.hasPrefix("ebb_") && added.output.split(separator: "\n").count == 1, "\(added)")
    }
  }

  @Test("backups are made while the server runs; one that was just started makes none if the last is young enough")
  func scheduled() async throws {
    try await Workspace.use { workspace in
      let folder = workspace.path("kept")
      var arguments = ["--backup-every", "24h", "--keep", "2", "--backup-folder", folder]
      func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
      let server = try await ServerProcess.start(workspace, words: arguments)
      _ = try await waitFor {
        names().count == 1 && !names()[0].hasPrefix(".") ? true : nil
      } otherwise: {
        "no backup: \(names())"
      }
      try await server.stop()
      let again = try await ServerProcess.start(workspace, database: server.database, words: arguments)
      try await again.stop()
      #expect(names().count == 1)
      let runner = CommandRunner(workspace: workspace)
      let well = try await runner.ebb("serve", "check", "--database", "\(folder)/\(names()[0])")
      #expect(well.status == 0, "\(well)")
      arguments[1] = "10s"
      let wrong = try await runner.run([Binary.ebb(), "serve"] + arguments)
      #expect(wrong.status == 64 && wrong.error.contains("--backup-every"), "\(wrong)")
    }
  }

  @Test("the file is made small while no server runs, and says by how much")
  func compact() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let (server, _) = try await Self.serverWithItem(workspace)
      let early = try await runner.ebb("serve", "compact", "--database", server.database)
      #expect(early.status == 1 && early.error.contains("Stop the server"), "\(early)")
      try await server.stop()
      func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path))
      }
      let before = try names()
      let done = try await runner.ebb("serve", "compact", "--database", server.database)
      #expect(done.status == 0 && done.output.contains("kB before"), "\(done)")
      #expect(try names().isSubset(of: before) && names().contains("server.sqlite"))
      let well = try await runner.ebb("serve", "check", "--database", server.database)
      #expect(well.status == 0 && well.output.contains("1 item"), "\(well)")
    }
  }

  @Test("a restore names the tokens that it loses, and refuses a backup of another server")
  func restore() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let (one, other, copy) = (workspace.path("one"), workspace.path("other"), workspace.path("copy"))
      for database in [one, other] {
        _ = try await runner.ebb("token", "add", "--user", "anna", "--label", "old", "--database", database)
      }
      #expect(try await runner.ebb("serve", "backup", copy, "--database", one).status == 0)
      for label in ["vm", "phone"] {
        _ = try await runner.ebb("token", "add", "--user", "anna", "--label", label, "--database", one)
      }
      let refused = try await runner.ebb("serve", "restore", copy, "--database", other)
      #expect(refused.status == 1 && refused.complaints.count == 1, "\(refused)")
      #expect(refused.error.contains("--other-server"), "\(refused)")
      let restored = try await runner.ebb("serve", "restore", copy, "--database", one)
      #expect(restored.status == 0 && restored.output.contains("vm (anna), phone (anna)"), "\(restored)")
      let forced = try await runner.ebb("serve", "restore", copy, "--other-server", "--database", other)
      #expect(forced.status == 0 && forced.output.contains("another server"), "\(forced)")
      #expect(forced.output.contains("old (anna)") && !forced.output.contains("Each device compares"), "\(forced)")
    }
  }
}
