import OfflineSync
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("A server that is busy")
struct BusyServerTests {
  let server = FakeServer()

  /// The remote table with patience, and the waits it made, in milliseconds.
  private func patient(chance: Double = 0) -> (RetryingRemoteTable, () -> [Int64]) {
    let waits = Waits()
    let environment = Environment(
      now: { .epoch }, newID: { "" }, chance: { chance }, pause: { wait, _ in waits.list.withLock { $0.append(wait) } })
    return (RetryingRemoteTable(server, environment: environment), { waits.list.withLock(\.self) })
  }

  private final class Waits: Sendable {
    let list = Mutex<[Int64]>([])
  }

  private static func busy(_ seconds: Int?, acted: Bool = false) -> FakeServer.Fault {
    .failure(RemoteFailure(.busy(status: 503, retryAfter: seconds), mayHaveActed: acted))
  }

  private static let insert = RemoteChange.insert(table: "TodoItem", Record(id: "a", values: ["text": .text("milk")]))

  @Test("is asked again, each time later, and the change arrives once")
  func backOff() throws {
    let (remote, waits) = patient()
    server.fail(Self.busy(nil), Self.busy(nil), Self.busy(nil))
    _ = try remote.send(Self.insert)
    #expect(waits() == [500, 1_000, 2_000])
    #expect(server.rows.count == 1)
  }

  @Test("is given the time it asks for, and a little more by chance")
  func retryAfter() throws {
    let (remote, waits) = patient(chance: 0.5)
    server.fail(Self.busy(4))
    _ = try remote.page(TableQuery(table: "TodoItem"))
    #expect(waits() == [5_000])
  }

  @Test("is left alone when it asks for long, and the user is told")
  func longWait() {
    let (remote, waits) = patient()
    server.fail(Self.busy(120))
    #expect(throws: RemoteFailure(.busy(status: 503, retryAfter: 120), mayHaveActed: false)) {
      try remote.send(Self.insert)
    }
    #expect(waits().isEmpty)
  }

  @Test("is not sent what it may have acted on")
  func mayHaveActed() {
    let (remote, waits) = patient()
    server.fail(Self.busy(1, acted: true))
    #expect(throws: RemoteFailure.self) { try remote.send(Self.insert) }
    #expect(waits().isEmpty)
    #expect(server.requests.count == 1)
  }

  @Test("is given up after four attempts")
  func giveUp() {
    let (remote, waits) = patient()
    server.fail(Self.busy(1), Self.busy(1), Self.busy(1), Self.busy(1), Self.busy(1))
    #expect(throws: RemoteFailure.self) { try remote.page(TableQuery(table: "TodoItem")) }
    #expect(waits().count == 3)
  }

  @Test("a sign-in that has run out is renewed once, when a newer one is to be had")
  func newerSignIn() throws {
    let expired = FakeServer.Fault.failure(RemoteFailure(.signInNeeded, mayHaveActed: false))
    server.fail(expired)
    #expect(throws: RemoteFailure(.signInNeeded, mayHaveActed: false)) { try patient().0.send(Self.insert) }
    server.hasNewerSignIn = true
    server.fail(expired)
    _ = try patient().0.send(Self.insert)
    #expect(server.rows.count == 1)
    server.fail(expired, expired)
    #expect(throws: RemoteFailure.self) { try patient().0.page(TableQuery(table: "TodoItem")) }
  }

  @Test("so is one that something on the way asks for with 401, and not after its 403", arguments: [401, 403])
  func refusedOnTheWay(status: Int) {
    server.hasNewerSignIn = true
    server.fail(.failure(RemoteFailure(.refusedOnTheWay(status: status, message: "no"), mayHaveActed: false)))
    let page = try? patient().0.page(TableQuery(table: "TodoItem"))
    #expect((page != nil) == (status == 401))
  }
}
