import OfflineSync
import Support
import Synchronization
import TableProtocol
import Testing

@Suite("Comparing every row with the server's")
struct VerificationTests {
  private func filled(_ server: FakeServer, _ count: Int = 5) async throws -> (TestDevice, [RecordID]) {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 2))
    let ids = try (0..<count).map { try device.add("item \($0)") }
    await device.sync()
    return (device, ids)
  }

  @Test("finds nothing where there is nothing, whatever waits here, and changes nothing", arguments: [1, 2, 100])
  func same(pageCap: Int) async throws {
    let server = FakeServer(pageCap: pageCap)
    let (device, ids) = try await filled(server)
    try device.edit(ids[0], "edited")
    try device.table.delete(ids[1])
    try device.add("never sent")
    let before = (try device.texts(), try device.operations(), server.rows)
    let found = try await device.verify().get()
    #expect(found.same == 5 && found.missingHere == 0 && found.missingThere == 0 && found.different == 0)
    #expect(found.here == found.there)
    #expect(found.waiting == 3)
    #expect(before == (try device.texts(), try device.operations(), server.rows))
    #expect(server.verifications > 0)
  }

  @Test("counts what is missing on either side, and what differs")
  func different() async throws {
    let server = FakeServer()
    let (device, ids) = try await filled(server)
    server.forget(ids[0])
    server.remove(ids[1])
    server.put(ids[2], ["text": .text("theirs")])
    for number in 0..<3 { server.put("new\(number)", ["text": .text("new")]) }
    let found = try await device.verify().get()
    #expect(found.missingThere == 2 && found.different == 1 && found.missingHere == 3 && found.same == 2)
    await device.sync(isFull: true)
    #expect(try await device.verify().get().same == 6)
  }

  @Test("finds a row that holds something else under the same version, and a waiting change is no such thing")
  func content() async throws {
    let server = FakeServer()
    let (device, ids) = try await filled(server)
    server.damage(ids[1], ["text": .text("rotten")])
    server.damage(ids[2], ["complete": .null])
    try device.edit(ids[3], "edited here")
    let found = try await device.verify().get()
    #expect(found.differentContent == 1 && found.same == 4 && found.different == 0)
    #expect(found.missingHere == 0 && found.missingThere == 0 && found.here == found.there)
  }

  @Test("says how many rows the server itself reports as damaged", arguments: [2, 100])
  func damaged(pageCap: Int) async throws {
    let server = FakeServer(pageCap: pageCap)
    let (device, _) = try await filled(server)
    #expect(try await device.verify().get().damaged == 0)
    server.report(damaged: 3)
    let found = try await device.verify().get()
    #expect(found.damaged == 3 && found.same == 5)
  }

  @Test("a full sync mends a row that holds something else under the same version, and what was here stays a version")
  func mendsContent() async throws {
    let server = FakeServer()
    let (device, ids) = try await filled(server)
    server.damage(ids[1], ["text": .text("other")])
    server.damage(ids[3], ["text": .text("theirs")])
    try device.edit(ids[3], "edited here")
    await device.sync()
    #expect(try device.texts()[ids[1]] == "item 1", "an ordinary pull does not hear of it")
    await device.sync(isFull: true)
    #expect(try device.texts()[ids[1]] == "other" && device.texts()[ids[3]] == "edited here")
    #expect(try device.versions(of: ids[1]).last?.before?.values["text"] == .text("item 1"))
    let found = try await device.verify().get()
    #expect(found.differentContent == 0 && found.same == 5 && found.different == 0)
  }

  @Test(
    "a server that cuts pages and does not say so is asked until it has no more", arguments: [1, 2, 3],
    ProtocolVersion.allCases)
  func silentCuts(cap: Int, version: ProtocolVersion) async throws {
    let server = FakeServer(
      pageCap: cap,
      manners: .init {
        $0.version = version
        $0.cutsSilently = true
      })
    let (device, _) = try await filled(server)
    #expect(try await device.verify().get().same == 5)
  }

  /// Changes each page of a list.
  private func changing(
    _ server: FakeServer, _ change: @escaping @Sendable (inout RemotePage) -> Void
  ) -> ListingServer {
    ListingServer(base: server) { base, query, link throws(RemoteFailure) in
      var page = try base.page(query, at: link)
      change(&page)
      page.rowCount = page.records.count
      return page
    }
  }

  @Test("an id that is twice in a page is one row")
  func twice() async throws {
    let server = FakeServer()
    let (device, _) = try await filled(server)
    let doubling = try device.restarted(changing(server) { $0.records += $0.records.suffix(1) })
    let found = try await doubling.verify().get()
    #expect(found.same == 5 && found.missingThere == 0 && found.there.count == 5 && found.here == found.there)
  }

  @Test("rows of a server that gives no versions are compared by what they hold")
  func unversioned() async throws {
    let server = FakeServer()
    for name in ["a", "b", "c", "d"] as [RecordID] { server.put(name, ["text": .text(name.text)]) }
    let bare = changing(server) { page in
      for place in page.records.indices { page.records[place].system.version = nil }
    }
    let device = try TestDevice(bare)
    #expect(await device.sync().failure == nil)
    try device.edit("b", "edited here")
    let waits = try device.add("waits")
    #expect(try await device.verify().get().same == 4)
    server.damage("c", ["text": .text("other")])
    server.forget("d")
    server.put("e", ["text": .text("new")])
    let found = try await device.verify().get()
    #expect(found.same == 2 && found.differentContent == 1 && found.different == 0)
    #expect(found.missingThere == 1 && found.missingHere == 1 && found.waiting == 2)
    #expect(try device.texts()[waits] == "waits")
  }

  @Test("a device that has only not heard of the last changes is told so", arguments: [true, false])
  func behind(announcesState: Bool) async throws {
    let server = FakeServer(manners: .init { $0.announcesState = announcesState })
    let (device, ids) = try await filled(server)
    #expect(try await !device.verify().get().isBehind)
    server.damage(ids[0], ["text": .text("other")])
    #expect(try await !device.verify().get().isBehind, "an ordinary pull would not mend it")
    server.put("new", ["text": .text("new")])
    #expect(try await device.verify().get().isBehind)
    await device.sync()
    #expect(try await !device.verify().get().isBehind)
    server.put(ids[1], ["text": .text("edited")])
    #expect(try await device.verify().get().isBehind)
    await device.sync()
    server.remove(ids[2])
    // What was deleted meanwhile, only a server of ours tells.
    #expect(try await device.verify().get().isBehind == announcesState)
    #expect(try await TestDevice(server).verify().get().isBehind)
  }

  @Test("says how far it is, and ends once")
  func progress() async throws {
    let server = FakeServer(manners: .init { $0.promisesOrder = .always })
    let (device, _) = try await filled(server)
    let steps = Mutex<[Int]>([])
    _ = try await device.verify { event in
      if case .progress(let compared, 5) = event { steps.withLock { $0.append(compared) } }
    }.get()
    #expect(steps.withLock(\.self) == [0, 2, 4])
  }

  @Test("says why it could not be done")
  func failures() async throws {
    let server = FakeServer()
    let (device, _) = try await filled(server)
    server.fail(.unreachable)
    guard case .failure(.remote(let failure)) = await device.verify(), case .unreachable = failure.reason else {
      Issue.record("it was reached")
      return
    }
    let stranger = try device.restarted(FakeServer(server: "http://other.example"))
    guard case .failure(.otherAccount) = await stranger.verify() else {
      Issue.record("it asked another account's server")
      return
    }
    let nowhere = try TestDevice(UnconfiguredRemoteTable())
    guard case .failure(.remote(let failure)) = await nowhere.verify() else {
      Issue.record("it asked nobody")
      return
    }
    #expect(failure.reason == .noServer)
  }

  @Test("is cancelled between two pages")
  func cancelled() async throws {
    let server = FakeServer()
    let (device, _) = try await filled(server)
    let cancellation = Mutex<Cancellation?>(nil)
    server.onRequest { _ in cancellation.withLock { $0?.cancel() } }
    let outcome = await device.verify(began: { begun in cancellation.withLock { $0 = begun } })
    guard case .failure(.cancelled) = outcome else {
      // The request may have been made before the test knew what to cancel.
      #expect(server.requests.count > 5)
      return
    }
  }
}
