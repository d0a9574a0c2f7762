import Dispatch
import Glibc
import NIOHTTP1
import NIOSSL
import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TableClient

@Suite("A server that can't be reached")
struct UnreachableServerTests {
  private func failure(_ address: String) async throws -> RemoteFailure? {
    let address = try #require(ServerAddress(address))
    return try await blocking {
      do {
        let knowledge = ServerKnowledge(protocolVersion: .v3)
        _ = try HTTPRemoteTable(address: address, knowledge: knowledge)
          .send(.insert(table: "TodoItem", Record(id: "a")))
        return nil
      } catch let failure as RemoteFailure {
        return failure
      }
    }
  }

  @Test("a name nobody knows: the request surely never left")
  func unknownName() async throws {
    let failure = try await failure("http://ebb.invalid")
    #expect(failure == RemoteFailure(.unreachable("name not found", kind: .noName), mayHaveActed: false))
  }

  @Test("a port nobody listens on: the request surely never left")
  func closedPort() async throws {
    let failure = try await failure("http://127.0.0.1:1")
    #expect(failure == RemoteFailure(.unreachable("connection refused", kind: .refused), mayHaveActed: false))
  }

  @Test("a request surely never left after a failed TLS handshake, but may have over a connection that ended later")
  func tls() {
    let handshakes: [any Error] = [
      NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), NIOSSLError.unableToValidateCertificate,
      NIOSSLError.noSuchFilesystemObject, NIOSSLExtraError.failedToValidateHostname, BoringSSLError.unknownError([]),
    ]
    for error in handshakes {
      let failure = RemoteFailure(error, method: .POST)
      let expected = RemoteFailure(.unreachable("secure connection failed", kind: .tls), mayHaveActed: false)
      #expect(failure == expected, "\(error)")
    }
    let established: [any Error] = [
      NIOSSLError.uncleanShutdown, NIOSSLError.readInInvalidTLSState, NIOSSLError.shutdownFailed(.zeroReturn),
      BoringSSLError.sslError([]), BoringSSLError.syscallError,
    ]
    for error in established {
      let reason = RemoteFailure.Reason.unreachable("connection cut", kind: .cut)
      #expect(RemoteFailure(error, method: .POST) == RemoteFailure(reason, mayHaveActed: true), "\(error)")
      #expect(RemoteFailure(error, method: .GET) == RemoteFailure(reason, mayHaveActed: false), "\(error)")
    }
  }

  @Test(
    "an address that is none is refused before anything is sent",
    arguments: [
      "", "ebb", "ftp://a", "http://", "http://user:secret@a", "http://a?b=c", "http://a#b", "://", "http:/a",
    ])
  func badAddress(text: String) {
    #expect(ServerAddress(text) == nil)
  }

  @Test("only an answer in another protocol is said to be no TLS: not silence, and not a refusal in TLS")
  func otherProtocols() async throws {
    let refusal = ScriptedServer.Reply(bytes: [0x15, 3, 3, 0, 2, 2, 40], closes: true)
    let cases: [(ScriptedServer.Reply, CertificateFlaw?)] = [
      (.raw("HTTP/1.1 400 Bad Request\r\n\r\n"), .absent), (.cut, .cut), (refusal, nil),
    ]
    for (reply, flaw) in cases {
      let server = try ScriptedServer(readsRequests: false) { _ in reply }
      defer { server.stop() }
      let address = try #require(ServerAddress("https://127.0.0.1:\(server.port)"))
      let found = await blocking { CertificateCheck(address, caFile: nil).flaw(at: .epoch) }
      #expect(found == flaw)
    }
  }

  @Test("a server that says nothing is not one that ends the connection")
  func silence() async throws {
    let isOver = DispatchSemaphore(value: 0)
    let server = try ScriptedServer(readsRequests: false) { _ in
      isOver.wait()
      return .cut
    }
    defer {
      isOver.signal()
      server.stop()
    }
    let address = try #require(ServerAddress("https://127.0.0.1:\(server.port)"))
    let found = await blocking { CertificateCheck(address, caFile: nil).flaw(at: .epoch) }
    #expect(found == .silent)
  }

  @Test("slashes at the end of an address play no part")
  func slashes() {
    #expect(ServerAddress("http://127.0.0.1:8080/base//")?.text == "http://127.0.0.1:8080/base")
  }
}
