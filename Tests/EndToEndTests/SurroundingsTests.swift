import Foundation
import Glibc
import Testing

@Suite("Bad surroundings get one clear sentence", .serialized, .timeLimit(.minutes(5)))
struct SurroundingsTests {
  static let commands = [["list"], ["add", "Item"], ["sync"], ["status"], ["done", "a"]]

  @Test("a store that is not a database is left as it is", arguments: commands)
  func notADatabase(words: [String]) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: "http://ebb.invalid")
      let bytes = Data("Dear diary, this is not a database, though it is long enough to be one.\n".utf8)
      try bytes.write(to: URL(fileURLWithPath: device.store))
      expect(try await run(device, words), status: 1)
      #expect(try Data(contentsOf: URL(fileURLWithPath: device.store)) == bytes)
      #expect(!FileManager.default.fileExists(atPath: device.store + "-wal"))
    }
  }

  @Test("a store of a newer Ebb is left as it is", arguments: commands)
  func newerStore(words: [String]) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: "http://ebb.invalid")
      _ = try await device.add("From the future")
      try StoreFile(device.store).setUserVersion(9999)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: device.store))
      expect(try await run(device, words), status: 1)
      #expect(try Data(contentsOf: URL(fileURLWithPath: device.store)) == bytes)
    }
  }

  @Test("the list opened on a bad store says the same and leaves the terminal alone")
  func listOnABadStore() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      try Data("not a database at all".utf8).write(to: URL(fileURLWithPath: device.store))
      let list = try await TerminalSession.open(workspace, try device.words([]))
      #expect(try await list.exitStatus() == 1)
      #expect(try await list.screen().lines.contains { $0.hasPrefix("ebb: ") || $0.hasPrefix("Error: ") })
      let settings = try await list.settings()
      #expect(settings.before == settings.after)
    }
  }

  @Test("a folder that cannot be made is named")
  func noSuchFolder() async throws {
    try await Workspace.use { workspace in
      let file = workspace.path("file")
      try Data("a file".utf8).write(to: URL(fileURLWithPath: file))
      let device = Device(workspace, name: "file/below")
      let outcome = try await device.attempt("add", "Item")
      expect(outcome, status: 1)
      #expect(outcome.error.contains(file))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "a file")
    }
  }

  @Test("where no folder can be made, the list, the configuration and a token are not said to lack one")
  func noFolderAllowed() async throws {
    try await Workspace.use { workspace in
      // The system lets nobody make folders there.
      let folder = "/sys/ebb-test"
      let runner = CommandRunner(workspace: workspace)
      let added = try await runner.ebb("add", "Item", "--store", folder + "/list.sqlite")
      expect(added, status: 77)
      #expect(added.error.contains("\(folder)/list.sqlite can't be made"), "\(added)")
      let server = try await ServerProcess.start(workspace)
      let invited = try await runner.ebb("serve", "invite", "--user", "anna", "--database", server.database)
      let link = invited.output.trimmingCharacters(in: .newlines)
      for (words, status) in [(["config", "init"], Int32(77)), (["join", link], 1)] {
        let outcome = try await runner.run([try Binary.ebb()] + words, environment: ["XDG_CONFIG_HOME": folder])
        expect(outcome, status: status)
        #expect(outcome.error.contains("\(folder)/ebb/config.yaml can't be written"), "\(outcome)")
        #expect(!outcome.error.contains("no such file"), "\(outcome)")
      }
    }
  }

  @Test("a folder that may not be written is named", .enabled(if: getuid() != 0, "root may write everywhere"))
  func mayNotWrite() async throws {
    try await Workspace.use { workspace in
      let folder = workspace.path("locked")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      chmod(folder, 0o555)
      let outcome = try await Device(workspace, name: "locked/store").attempt("add", "Item")
      expect(outcome, status: 77)
      #expect(outcome.error.contains(folder))
    }
  }

  @Test("a token file that may not be read is named", .enabled(if: getuid() != 0, "root may read everything"))
  func mayNotReadToken() async throws {
    try await Workspace.use { workspace in
      let token = workspace.path("token")
      try "secret\n".write(toFile: token, atomically: true, encoding: .utf8)
      chmod(token, 0o000)
      let device = Device(workspace, server: "http://ebb.invalid")
      let outcome = try await device.attempt("sync", "--token-file", token)
      expect(outcome, status: 77)
      #expect(outcome.error.contains("You may not read the token file \(token)."), "\(outcome)")
    }
  }

  @Test("the list without a terminal says which commands there are instead")
  func noTerminal() async throws {
    try await Workspace.use { workspace in
      let outcome = try await CommandRunner(workspace: workspace).run(
        try Device(workspace).words([]), environment: ["TERM": "xterm"])
      expect(outcome, status: 64)
    }
  }

  @Test("a terminal that cannot show the list is refused in words", arguments: ["dumb", "no-such-terminal"])
  func poorTerminal(kind: String) async throws {
    try await Workspace.use { workspace in
      let list = try await TerminalSession.open(
        workspace, try Device(workspace).words([]), environment: ["TERM": kind])
      #expect(try await list.exitStatus() == 64)
      #expect(try await list.screen().lines.contains { $0.contains(kind) })
      let settings = try await list.settings()
      #expect(settings.before == settings.after)
    }
  }

  @Test(
    "an address that is none is refused before anything is done",
    arguments: ["not an address", "ftp://host/", "http://"])
  func badAddress(server: String) async throws {
    try await Workspace.use { workspace in
      expect(try await Device(workspace, server: server).attempt("sync"), status: 64)
    }
  }

  @Test("a server that cannot be reached, and one that refuses, leave everything in the journal")
  func notReachable() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      try await server.stop()
      for address in ["http://ebb.invalid", server.url] {
        let device = Device(workspace, server: address)
        _ = try await device.add("Item")
        let before = try await device.items()
        expect(try await device.attempt("sync"), status: 69)
        #expect(try await device.items() == before)
      }
    }
  }

  @Test("the sign-in page of a network takes nothing for the server, and is named")
  func portal() async throws {
    try await Workspace.use { workspace in
      let portal = try StubServer(workspace, status: 200, "<html>Welcome to the hotel</html>")
      let device = Device(workspace, server: portal.url)
      _ = try await device.add("Item")
      let before = try await device.items()
      let outcome = try await device.attempt("sync")
      expect(outcome, status: 69)
      #expect(outcome.error.contains("sign-in page"), "\(outcome.error)")
      #expect(try await device.items() == before)
    }
  }

  @Test("a sync without a server says how to name one")
  func noServer() async throws {
    try await Workspace.use { workspace in
      let outcome = try await Device(workspace).attempt("sync")
      expect(outcome, status: 64)
      #expect(outcome.error.contains("--server"))
    }
  }

  private func run(_ device: Device, _ words: [String]) async throws -> Outcome {
    try await CommandRunner(workspace: device.workspace).run(try device.words(words))
  }

  private func expect(_ outcome: Outcome, status: Int32, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(outcome.status == status, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.complaints.count == 1, "\(outcome)", sourceLocation: sourceLocation)
    #expect(outcome.output.isEmpty, "\(outcome)", sourceLocation: sourceLocation)
  }
}
