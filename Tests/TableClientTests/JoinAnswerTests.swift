import OfflineSync
import Support
import TableClient
import TableProtocol
import Testing

@Suite("The answer to an invitation", .timeLimit(.minutes(5)))
struct JoinAnswerTests {
  private static let json = ["Content-Type": "application/json"]

  /// Returns how the invitation ends if the server says that the token is this user's.
  private func accept(user: String) async throws -> Result<JoinAnswer, JoinFailure> {
    let body = JoinAnswer(token: "t", user: user).json
    let server = try ScriptedServer { _ in .bytes(201, body, Self.json) }
    defer { server.stop() }
    let address = try #require(ServerAddress(server.address))
    return await blocking {
      Result { () throws(JoinFailure) in
        try RemoteInvitation(address, secret: "secret").accept(device: "d", attempt: "attempt-of-a-test")
      }
    }
  }

  @Test("has a user of 1 to 255 visible ASCII characters", arguments: [1, 255])
  func possibleUser(length: Int) async throws {
    let name = String(repeating: "~", count: length)
    #expect(try await accept(user: name).get().user == name)
  }

  @Test("that something on the way compressed is named so, and none is asked for")
  func compressed() async throws {
    let server = try ScriptedServer { _ in .bytes(201, [0x1F, 0x8B, 0x08, 0x00], Self.json) }
    defer { server.stop() }
    let address = try #require(ServerAddress(server.address))
    let result = await blocking {
      Result { () throws(JoinFailure) in
        try RemoteInvitation(address, secret: "secret").accept(device: "d", attempt: "attempt-of-a-test")
      }
    }
    guard case .failure(.remote(let failure)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(failure.reason == .alteredAnswer(.compressed))
    #expect(server.requests.first?.headers["accept-encoding"] == "identity")
  }

  @Test(
    "is not that of a server of ours if the user can have no such name",
    arguments: [
      ("", 1), ("two words", 1), ("anna\n", 1), ("\u{1B}]0;x\u{7}", 1), ("ánna", 1), ("a", 256), ("a", 5_000_000),
    ])
  func impossibleUser(part: String, count: Int) async throws {
    let name = String(repeating: part, count: count)
    guard case .failure(.notOurs) = try await accept(user: name) else {
      Issue.record("a device joined as \(name.prefix(60))")
      return
    }
  }
}
