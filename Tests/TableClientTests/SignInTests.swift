import Dispatch
import OfflineSync
import Support
import Synchronization
import TableClient
import TableProtocol
import Testing

@Suite("A sign-in that is replaced while the program runs")
struct SignInTests {
  /// The file of the token, as it is now.
  private final class File: Sendable {
    private let content: Mutex<SignIn?>
    init(_ signIn: SignIn?) { content = Mutex(signIn) }
    func read() -> SignIn? { content.withLock(\.self) }
    func write(_ signIn: SignIn?) { content.withLock { $0 = signIn } }
  }

  private let anna = SignIn(token: "first", userName: "anna")

  @Test("within a sync only that of the same user is taken, before one anybody's; no file is no news")
  func taken() async throws {
    let server = try ScriptedServer { request in
      let user = request.headers[ZumoHeader.user] ?? ""
      return .status(200, #"{"items":[]}"#, [ZumoHeader.database: "d", ZumoHeader.user: user])
    }
    defer { server.stop() }
    let file = File(anna)
    let remote = HTTPRemoteTable(
      address: try #require(ServerAddress(server.address)), signIn: anna, newestSignIn: { file.read() })
    func ask() async throws -> [String: String] {
      _ = try await blocking { try remote.page(TableQuery(table: "TodoItem", limit: 1)) }
      return try #require(server.requests.last).headers
    }
    #expect(!remote.renewSignIn(of: .sameUser) && !remote.renewSignIn(of: .anybody))
    #expect(try await ask()["authorization"] == "Bearer first" && remote.knowledge.userName == "anna")

    file.write(SignIn(token: "eve's", userName: "eve"))
    #expect(!remote.renewSignIn(of: .sameUser) && remote.user == "name anna")
    #expect(remote.renewSignIn(of: .anybody))
    #expect(remote.user == "name eve" && remote.knowledge.userName == nil, "the server has not said who that is")
    let headers = try await ask()
    #expect(headers["authorization"] == "Bearer eve's" && headers[ZumoHeader.user] == "eve")

    file.write(SignIn(token: "eve's second", userName: "eve"))
    #expect(remote.renewSignIn(of: .sameUser) && remote.knowledge.userName == "eve")
    file.write(nil)
    #expect(!remote.renewSignIn(of: .anybody) && remote.user == "name eve")
  }

  @Test("that is needed and missing stops a sync before its first request, until one is there")
  func needed() throws {
    let file = File(nil)
    let address = try #require(ServerAddress("http://127.0.0.1:1"))
    let remote = RequiredSignIn(HTTPRemoteTable(address: address, newestSignIn: { file.read() }))
    let missing = RemoteFailure(.noSignIn, mayHaveActed: false)
    #expect(throws: missing) { try remote.renewSignIn(of: .anybody) }
    file.write(anna)
    #expect(try remote.renewSignIn(of: .sameUser) && remote.user == "name anna")
    #expect(try !remote.renewSignIn(of: .sameUser))
  }

  /// What a connection for notices said.
  private final class Heard: Sendable {
    private let kept = Mutex<[NoticeEvent]>([])
    let ended = DispatchSemaphore(value: 0)
    var all: [NoticeEvent] { kept.withLock(\.self) }

    func note(_ event: NoticeEvent) {
      kept.withLock { $0.append(event) }
      if case .ended = event { ended.signal() }
    }
  }

  @Test("that is needed and missing ends a connection for notices before its request, until one is there")
  func neededForNotices() async throws {
    let server = try ScriptedServer { _ in .status(404) }
    defer { server.stop() }
    let (file, address) = (File(nil), try #require(ServerAddress(server.address)))
    let remote = RequiredSignIn(HTTPRemoteTable(address: address, newestSignIn: { file.read() }))
    let heard = Heard()
    let connection = try #require(remote.listen(to: "TodoItem") { heard.note($0) })
    connection.close()
    #expect(heard.all == [.ended(.noSignIn)] && server.requests.isEmpty)

    file.write(anna)
    _ = try remote.renewSignIn(of: .anybody)
    let later = Heard()
    _ = remote.listen(to: "TodoItem") { later.note($0) }
    let hasEnded = await blocking { later.ended.wait(timeout: .now() + 60) == .success }
    #expect(hasEnded && later.all.last == .ended(.notOffered))
    #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer first"])
  }
}
