import OfflineSync
import Support
import TableProtocol
import Testing

@Suite("A change over which the server fails")
struct FailingChangeTests {
  private let server = FakeServer()
  private static let failure = FakeServer.Fault.failure(
    RemoteFailure(.serverError(status: 500, message: "oops"), mayHaveActed: true))

  @Test("holds up neither the other changes nor the pull, and waits with the server's reason")
  func holdsUpNothing() async throws {
    let device = try TestDevice(server)
    let bad = try device.add("poison")
    let good = try device.add("milk")
    server.put("there", ["text": .text("bread")])
    server.fail(Self.failure, .pass, .pass, Self.failure)
    let report = await device.sync()
    #expect(report.push.accepted == 1)
    #expect(server.rows[good] != nil)
    #expect(try device.texts()["there"] == "bread")
    #expect(try device.errors().map(\.itemID) == [bad])
    #expect(try device.errors().map(\.message) == ["oops"])
  }

  @Test("is no push that ended well, although the pull after it does")
  func isNoPush() async throws {
    let device = try TestDevice(server)
    let store: any LocalStore = device.store
    let moments = { try store.read { (try $0.fact(SyncFact.lastPush), try $0.fact(SyncFact.lastPull)) } }
    try device.add("milk")
    await device.sync()
    let (push, pull) = try moments()
    let notAllowed = FakeServer.Fault.failure(RemoteFailure(.notAllowed, mayHaveActed: false))
    for faults in [[Self.failure, Self.failure], [notAllowed]] {
      device.world.advance(milliseconds: 60_000)
      try device.add("poison")
      for fault in faults { server.fail(fault) }
      #expect(await device.sync().failure != nil)
      #expect(try moments().0 == push && moments().1 != pull)
    }
  }

  @Test("names the status of the answer that proved nothing, and has no words if the server sent none")
  func status() async throws {
    let device = try TestDevice(server)
    try device.add("milk")
    server.fail(.failure(RemoteFailure(.badAnswer("the stored item is missing", status: 201), mayHaveActed: true)))
    await device.sync()
    #expect(try device.errors().map(\.status) == [201])
    #expect(try device.errors().map(\.message) == [""])
  }

  @Test(
    "that is answered for ever as if there were another copy fails the sync, and waits",
    arguments: [RemoteAnswer.conflict(status: 412, nil), .gone(status: 404)])
  func contradictory(answer: RemoteAnswer) async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    await device.sync()
    try device.edit(id, "oat milk")
    for _ in 0..<20 { server.fail(.answer(answer), .pass) }
    let report = await device.sync()
    #expect(
      report.failure == .remote(RemoteFailure(.alteredAnswer(.contradictory), mayHaveActed: false, concernsAll: false)))
    #expect(report.push.accepted == 0)
    #expect(try device.operations().map(\.itemID) == [id])
  }

  @Test("may be edited, and then goes out as it is now")
  func edited() async throws {
    let device = try TestDevice(server)
    let id = try device.add("poison")
    server.fail(Self.failure)
    await device.sync()
    try device.edit(id, "fixed")
    #expect(await device.sync().failure == nil)
    #expect(server.rows[id]?.values["text"] == .text("fixed"))
  }

  @Test("is done when the server's copy shows that it was")
  func actedAfterAll() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.lostAnswer)
    await device.sync()
    server.fail(Self.failure)
    #expect(await device.sync().failure == nil)
    #expect(try device.operations().isEmpty)
    #expect(server.rows[id] != nil)
  }

  @Test("does not stand in front of the others at the next push")
  func goesLast() async throws {
    let device = try TestDevice(server)
    let bad = try device.add("poison")
    server.fail(Self.failure)
    await device.sync()
    let good = try device.add("milk")
    server.fail(.pass, Self.failure)
    let before = server.requests.count
    await device.sync(pulls: false)
    #expect(Array(server.requests[before...].prefix(2)) == ["POST \(good)", "POST \(bad)"])
  }

  @Test("and whose copy can't be read is not overtaken by a later change of its row")
  func notOvertaken() async throws {
    let device = try TestDevice(server)
    let id = try device.add("milk")
    server.fail(.failure(RemoteFailure(.unreachable("cut"), mayHaveActed: true)))
    await device.sync(pulls: false)
    try device.edit(id, "oat milk")
    #expect(try device.operations().map(\.kind) == [.insert, .update])
    // The second change lies in a later part of the journal than the first: a part has one change of a row.
    let before = server.requests.count
    server.fail(Self.failure, Self.failure)
    await device.sync(pulls: false)
    #expect(Array(server.requests[before...]) == ["POST \(id)", "GET \(id)"])
    #expect(try device.operations().map(\.kind) == [.insert, .update])
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("whose id is taken by a row that may not be seen is sent twice, and then waits as refused")
  func takenByTheUnseen() async throws {
    let device = try TestDevice(server)
    let id = try device.add("ghost")
    let taken = FakeServer.Fault.answer(.conflict(status: 409, nil))
    server.fail(taken, .pass, taken, .pass)
    let report = await device.sync(pulls: false)
    #expect(report.push.refused == 1)
    #expect(server.requests.count { $0 == "POST \(id)" } == 2)
    #expect(try device.errors().map(\.status) == [409])
  }

  @Test("that a person dropped while it was under way leaves the next edit of the row alone")
  func droppedUnderWay() async throws {
    let server = server
    let device = try TestDevice(server)
    let id = try device.add("milk")
    await device.sync()
    server.fail(.answer(.refused(status: 400, message: "no")))
    try device.edit(id, "refused milk")
    await device.sync(pulls: false)
    server.fail(.failure(RemoteFailure(.signInNeeded, mayHaveActed: false)))
    server.onRequest { [server] _ in
      server.onRequest(nil)
      _ = try? device.table.resolve(id, .theirs)
      try? device.edit(id, "my own milk")
    }
    await device.sync(pulls: false)
    #expect(try device.texts()[id] == "my own milk")
    for _ in 0..<2 { await device.sync() }
    #expect(server.rows[id]?.values["text"] == .text("my own milk"))
    #expect(try device.operations().isEmpty)
  }

  @Test("D11: changes that may not be written hold up no other, sync after sync")
  func forbiddenRows() async throws {
    let device = try TestDevice(server)
    let refused = RemoteAnswer.refused(status: 403, message: "not yours")
    for number in 0..<6 { try device.add("forbidden \(number)") }
    for number in 0..<4 { try device.add("mine \(number)") }
    server.fail(
      .answer(refused), .answer(refused), .answer(refused), .answer(refused), .answer(refused), .answer(refused))
    let report = await device.sync(pulls: false)
    #expect(report.failure == nil)
    #expect(server.rows.values.count { $0.values["text"]?.text?.hasPrefix("mine") == true } == 4)
  }

  @Test("a refused change whose second attempt in a push is cut is still counted as refused (D17)")
  func refusedOnce() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    try device.add("poison")
    try device.add("milk")
    server.fail(.answer(.refused(status: 400, message: "no")), .pass, .unreachable)
    let report = await device.sync(pulls: false)
    #expect((report.push.accepted, report.push.refused) == (1, 1))
    #expect(try device.errors().count == 1)
  }

  @Test(
    "whose first request arrives after its repeat was refused is met as somebody else's, and a later edit stays beside it",
    arguments: [true, false])
  func arrivesAfterRefusal(isAdded: Bool) async throws {
    let device = try TestDevice(server)
    let id = try device.add("oat milk")
    if !isAdded {
      await device.sync()
      try device.edit(id, "soy milk")
    }
    let sent = try #require(try device.texts()[id])
    server.fail(.failure(RemoteFailure(.unreachable("cut"), mayHaveActed: true)))
    await device.sync(pulls: false)
    server.fail(.answer(.refused(status: 400, message: "no")))
    await device.sync(pulls: false)
    #expect(try device.errors().map(\.kind) == [.refused])
    server.put(id, ["text": .text(sent)])
    try device.edit(id, "rice milk")
    await device.sync(pulls: false)
    let error = try #require(try device.errors().first)
    #expect(error.kind == .conflict)
    #expect(error.item?.values["text"] == .text("rice milk"))
    #expect(error.serverItem?.values["text"] == .text(sent))
  }
}
