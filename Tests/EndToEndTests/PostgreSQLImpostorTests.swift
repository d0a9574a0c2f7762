import Foundation
import Support
import Testing

@Suite(
  "A server whose database is an impostor", .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
struct PostgreSQLImpostorTests {
  enum Impostor: CaseIterable, Sendable {
    case closes, randomBytes, endlessText, hugeLength, controlCharacters
    /// These let the session begin, and answer its statements.
    case fewResults, manyResults, fewColumns, transfer, halfAnswer

    /// The bytes that it sends at the beginning.
    fileprivate var greeting: Data {
      switch self {
      case .closes: Data()
      case .randomBytes: Data((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ $0 / 7) | 1 })
      case .endlessText: Data("E!!!!".utf8)
      case .hugeLength: Data([UInt8(ascii: "R"), 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0])
      case .controlCharacters:
        Message.of("E", "SFATAL\0C28000\0M\u{1b}]0;title\u{7}\u{1b}[31mred\r\nnext\u{8}\u{9b}\u{202e}line\0\0")
      case .fewResults, .manyResults, .fewColumns, .transfer, .halfAnswer:
        Message.of("R", "\0\0\0\0") + Message.of("S", "server_version\015.1\0")
          + Message.of("S", "in_hot_standby\0off\0") + Message.of("S", "default_transaction_read_only\0off\0")
          + Message.of("Z", "I")
      }
    }

    /// The bytes that it answers a statement with.
    fileprivate var result: Data {
      let row =
        Message.of("T", "\0\u{1}?\0" + String(repeating: "\0", count: 9) + "\u{19}\0\0\0\0\0\0\0\0")
        + Message.of("D", "\0\u{1}\0\0\0\u{3}\u{1b}[m") + Message.of("C", "SELECT 1\0")
      let begun = Message.of("1", "") + Message.of("2", "")
      return switch self {
      case .closes, .randomBytes, .endlessText, .hugeLength, .controlCharacters, .fewResults: Data()
      case .manyResults: begun + row + begun + row
      case .fewColumns: begun + row
      case .transfer: begun + Message.of("G", "\0\0\0")
      case .halfAnswer: begun + row.dropLast(20) + Data([0xff, 0xff])
      }
    }
  }

  /// A message of PostgreSQL's protocol (3.0): a letter, the length of the rest, and the rest.
  private enum Message {
    static func of(_ letter: Character, _ text: String) -> Data {
      let body = Array(text.utf8)
      let length = UInt32(body.count + 4)
      return Data(
        Array(String(letter).utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body)
    }
  }

  /// Answers each connection so, until the workspace is closed.
  private func start(_ impostor: Impostor, _ workspace: Workspace) throws -> Int {
    let (listener, port) = try Socket.listen()
    Thread.detachNewThread {
      while let connection = listener.accept() {
        Thread.detachNewThread {
          _ = connection.read()
          _ = connection.write(impostor.greeting)
          switch impostor {
          case .endlessText: while connection.write(Data(repeating: 0x1b, count: 65_536)) {}
          case .hugeLength: while connection.write(Data(repeating: 0, count: 65_536)) {}
          case .closes, .randomBytes, .controlCharacters: break
          case .fewResults, .manyResults, .fewColumns, .transfer, .halfAnswer: converse(impostor, connection)
          }
          connection.shut()
          connection.close()
        }
      }
    }
    workspace.whenClosing { listener.shut() }
    return port
  }

  private func converse(_ impostor: Impostor, _ connection: Socket) {
    var unread: [UInt8] = []
    while let bytes = connection.read() {
      unread += bytes
      while unread.count >= 5 {
        let length = unread[1..<5].reduce(0) { $0 << 8 | Int($1) } + 1
        guard unread.count >= length else { break }
        let answer = unread[0] == UInt8(ascii: "E") ? impostor.result : Data()
        let end = unread[0] == UInt8(ascii: "S") ? Message.of("Z", "I") : Data()
        guard connection.write(answer + end), impostor != .halfAnswer || answer.isEmpty else { return }
        unread.removeFirst(length)
      }
    }
  }

  @Test("says so in one sentence without control characters, and ends", arguments: Impostor.allCases)
  func impostor(_ impostor: Impostor) async throws {
    try await Workspace.use { workspace in
      let port = try start(impostor, workspace)
      let outcome = try await CommandRunner(workspace: workspace).ebb(
        "serve", "--port", "0", "--database",
        "postgresql://anna@127.0.0.1:\(port)/list?sslmode=disable&gssencmode=disable&connect_timeout=2")
      #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(outcome)")
      let isPlain = outcome.error.dropLast().unicodeScalars.allSatisfy {
        ![.control, .format].contains($0.properties.generalCategory)
      }
      #expect(isPlain && outcome.error.utf8.count < 2_000, "\(outcome)")
    }
  }
}
