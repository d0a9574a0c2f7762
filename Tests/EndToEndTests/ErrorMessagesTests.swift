import Foundation
import TableProtocol
import TableServer
import TableStorage
import Testing
import TodoCore

@testable import ebb

@Suite("The sentence of an error", .serialized, .timeLimit(.minutes(5)))
struct ErrorMessagesTests {
  /// Would clear the screen, and name the window.
  private static let steering = "a\u{1B}[2Jb\u{1B}]0;c\u{7}\u{202E}\n"

  private static let errors: [ServerError] = [
    .hostNotUsable(steering), .cannotListen(reason: steering), .notASocket(steering),
    .noTokenGiven(host: steering, database: steering), .noTokenGivenBehindProxy(database: steering),
    .certificate(.cannotRead(path: steering, reason: steering)), .signIn(.noKey(path: steering)),
    .aliasDiffers(kept: steering, path: steering), .addressOfNoneUnknown(path: steering),
    .database(.noDatabase(path: steering)), .database(.cannotOpen(path: steering, reason: steering)),
    .database(.backup(.exists(path: steering))), .database(.backup(.noRoom(path: steering, needed: 1, free: 0))),
    .database(.tokensTakenBack(.noDatabase(path: steering))),
    .database(.tokensTakenBack(.databaseServer(.outcomeUnknown, database: steering))),
    .database(.move(.failed(database: steering, reason: steering))),
    .database(.hasOwnTools(.backup, database: steering)), .database(.unexpected(name: steering, database: steering)),
    .database(.databaseServer(.other(reason: steering), database: steering)),
    .database(.databaseServer(.commitsUnsafely, database: steering)),
    .database(.databaseServer(.othersMayCreate(role: nil, schema: steering), database: steering)),
    .database(.databaseServer(.severalSchemas([steering, steering]), database: steering)),
  ]

  @Test("has nothing in it that steers the terminal, whatever it names", arguments: errors)
  func steersNothing(error: ServerError) throws {
    let sentence = try #require(ErrorMessages.sentence(for: CommandFailure.server(error, host: Self.steering)))
    #expect(sentence.contains("a [2Jb ]0;c") && !sentence.unicodeScalars.contains(where: \.steersTerminal))
  }

  @Test("says how to find out whether the lists of users are removed, if only their tokens are known to be taken back")
  func listsUnknown() {
    let problem = ServerDatabaseError.databaseServer(.outcomeUnknown, database: "postgresql://h/d")
    let sentence = ErrorMessages.sentence(ofDatabase: .tokensTakenBack(problem))
    #expect(sentence.contains("postgresql://h/d") && sentence.contains("ebb serve users"), "\(sentence)")
    #expect(!sentence.contains(ErrorMessages.sentence(ofDatabase: problem)), "which is not sure of the tokens either")
  }

  @Test("has sizes as disks have them")
  func sizes() {
    let sizes = [(0, "0.0 kB"), (999_949, "999.9 kB"), (1_000_000, "1.0 MB"), (4_200_000, "4.2 MB")]
    for (bytes, words) in sizes { #expect(ErrorMessages.size(bytes) == words) }
    #expect(ErrorMessages.size(.max).hasSuffix(" TB"))
    let problem = BackupProblem.noRoom(path: "/a/b", needed: 4_200_000_000, free: 12_000)
    let sentence = ErrorMessages.sentence(ofDatabase: .backup(problem))
    #expect(sentence.contains("/a/b") && sentence.contains("4.2 GB") && sentence.contains("12.0 kB"), "\(sentence)")
  }

  @Test("shows as many letters of each item that a handle could be as part it from the others")
  func candidates() throws {
    let items = [TodoItem(id: "aaaa1111-1", text: "one"), TodoItem(id: "aaaa1111-2", text: "two")]
    let sentence = try #require(ErrorMessages.sentence(for: CommandFailure.ambiguousHandle("aaaa", items)))
    #expect(sentence.contains("aaaa1111-1 (one)") && sentence.contains("aaaa1111-2 (two)"), "\(sentence)")
  }

  @Test("has a path in a command as a word that a shell reads unchanged, in quotes only if it needs them")
  func shellWords() async throws {
    for plain in ["/srv/todo-2.sqlite", "postgresql://ebb@db:5432/ebb", "/家/liste_é.sqlite"] {
      #expect(plain.shellWord == plain)
    }
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      for text in [
        "/srv/to do.sqlite", "/it's/a 'b'", "", "'", "'\u{301}x", "~/a", "$HOME/`id`", #"a"b\c"#, "a;b&c|d", "[a]*?{b}",
        "postgresql://db/ebb?sslmode=require&x=y", "a\u{A0}b", "#a!b(c)<d>",
      ] {
        let printed = try await runner.run(["/bin/sh", "-c", "printf %s \(text.shellWord)"])
        #expect(printed.status == 0 && printed.output == text, "\(printed)")
      }
    }
  }

  @Test("names a database with a space in quotes where it is part of a command, and without them elsewhere")
  func pathsInCommands() {
    let path = "/srv/to do.sqlite"
    let option = "--database '\(path)'"
    let missing = ErrorMessages.sentence(ofDatabase: .noDatabase(path: path))
    #expect(missing.hasPrefix("\(path) is not there") && missing.contains(option), "\(missing)")
    for has in [Timestamp.epoch, Timestamp(milliseconds: 1)] {
      let lacks = ErrorMessages.lacksWrites(path: path, reached: Timestamp(milliseconds: 2), has: has)
      #expect(lacks.hasPrefix("\(path) ") && lacks.contains(option), "\(lacks)")
    }
    for error in [
      ServerError.noTokenGiven(host: "::", database: path), .noTokenGivenBehindProxy(database: path),
      .aliasDiffers(kept: "text=title", path: path),
    ] {
      let sentence = ErrorMessages.sentence(ofServer: error, "")
      #expect(sentence.contains(option), "\(sentence)")
    }
    let refusal = ErrorMessages.sentence(ofServer: .noTokenGiven(host: "::", database: path), "")
    #expect(refusal.components(separatedBy: option).count == 3, "an invitation or a token: \(refusal)")
  }

  @Test("of a variable that can't be a token names it, and asks for no link")
  func tokenVariable() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: "http://127.0.0.1:1")
      let odd = ["'ebb_x'", "\"ebb_x\"", "ebb x y", "export\tEBB\tx"]
      for token in ["contraseña", String(repeating: "x", count: 20_000)] + odd {
        let outcome = try await CommandRunner(workspace: workspace).run(
          try device.words(["sync"]), environment: ["EBB_TOKEN": token])
        #expect(outcome.status == 77 && outcome.complaints.count == 1, "\(outcome)")
        #expect(outcome.error.contains("EBB_TOKEN") && !outcome.error.contains("ebb join"), "\(outcome)")
      }
    }
  }

  @Test("of a path that steers the terminal is one line")
  func path() async throws {
    try await Workspace.use { workspace in
      let path = workspace.path(Self.steering)
      let runner = CommandRunner(workspace: workspace)
      for words in [["check"], ["compact"], ["epoch"], ["move", "--to", "/nowhere/a", "--from"]] {
        let isMove = words.count > 1
        let outcome = try await runner.run(
          [try Binary.ebb(), "serve"] + words + (isMove ? [] : ["--database"]) + [path])
        #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(outcome)")
        #expect(outcome.error.contains("a [2Jb ]0;c"), "\(outcome)")
        #expect(!outcome.error.dropLast().unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
    }
  }
}
