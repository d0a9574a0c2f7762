import Support
import Synchronization
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("Pulling from servers that behave otherwise")
struct OtherServersTests {
  @Test("rows that can't be stored are named by the sync that meets them, each once", arguments: [true, false])
  func leftOut(isFull: Bool) async throws {
    let base = FakeServer()
    base.put("a", ["text": .text("milk")])
    let odd = UnreadableRow(id: "..", reason: "its id is not allowed", updatedAt: nil)
    let listing = ListingServer(base: base) { base, query, link throws(RemoteFailure) in
      var page = try base.page(query, at: link)
      page.unreadable = [odd]
      page.rowCount += 1
      return page
    }
    let device = try TestDevice(listing)
    let report = await device.sync(isFull: isFull)
    #expect(report.leftOut == [odd])
    #expect(try device.texts().count == 1)
  }

  @Test("a list without an end ends the sync with a sentence, and what came stays", arguments: [true, false])
  func endless(isFull: Bool) async throws {
    let made = Mutex(0)
    let endless = ListingServer(base: FakeServer()) { _, query, _ throws(RemoteFailure) in
      let first = made.withLock { number in
        defer { number += 60 }
        return number
      }
      let records = (first..<first + 60).map { number in
        Record(
          id: RecordID("item\(100_000 + number)"), values: ["text": .text("x")],
          system: SystemProperties(updatedAt: Timestamp(milliseconds: Int64(number)), version: RecordVersion("v")))
      }
      return RemotePage(records: records, hasMore: true)
    }
    var settings = PullSettings(pageSize: 60)
    settings.mostRows = 600
    let device = try TestDevice(endless, settings: settings)
    let report = await device.sync(isFull: isFull)
    #expect(report.failure == .remote(RemoteFailure(.badAnswer("its list has no end"), mayHaveActed: false)))
    #expect(try device.texts().count == 600)
  }

  @Test("a page of one row counts as one of 50, so that the requests have an end too")
  func smallPages() throws {
    var limit = WalkLimit(100)
    let page = RemotePage(records: [Record(id: "a")], hasMore: true)
    try limit.count(page)
    try limit.count(page)
    #expect(throws: RemoteFailure.self) { try limit.count(page) }
  }

  private static let day: Int64 = 86_400_000

  private func server(pageCap: Int = .max, _ change: @escaping (inout FakeServer.Manners) -> Void) -> FakeServer {
    FakeServer(pageCap: pageCap, manners: .init(change))
  }

  private func fill(_ server: FakeServer, _ names: [RecordID], at time: Timestamp? = nil) {
    for name in names { server.put(name, ["text": .text(name.text), "complete": .bool(false)], at: time) }
  }

  private func names(_ count: Int) -> [RecordID] { (0..<count).map { "item\(1_000 + $0)" } }

  // MARK: Ids in another order

  @Test("a server that ignores the case of ids loses no row here, in a full pull or an ordinary one")
  func collation() async throws {
    let server = server { $0.ignoresCase = true }
    let device = try TestDevice(server, settings: PullSettings(pageSize: 5))
    fill(server, (0..<14).map { "ITEM\(100 + $0)" } + ["item050"], at: Timestamp(milliseconds: 1_795_000_000_500))
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().count == 15)
    #expect(await device.sync(isFull: true).failure == nil)
    #expect(try device.texts().count == 15)
    #expect(try await device.verify().get().same == 15)
  }

  @Test("a server that orders ids in one way and compares them in another is an error, and nothing is removed")
  func confusion() async throws {
    let server = server { $0.confusesCase = true }
    let device = try TestDevice(server)
    fill(server, ["A1", "b1", "C1", "d1", "E1", "f1"])
    await device.sync()
    let small = try device.restarted(server)
    let paged = try TestDevice(server, settings: PullSettings(pageSize: 2))
    await paged.sync()
    #expect(try small.texts().count == 6 && paged.texts().count == 6)
    let report = await paged.sync(isFull: true)
    #expect(report.isBadAnswer)
    #expect(try paged.texts().count == 6)
  }

  @Test("a page that does not move on is an error in a full pull, before anything is removed")
  func standsStill() async throws {
    let server = FakeServer()
    let device = try TestDevice(server, settings: PullSettings(pageSize: 2))
    fill(server, names(6))
    await device.sync()
    let deaf = try device.restarted(ListingServer.deaf(server, limit: 2))
    let report = await deaf.sync(isFull: true)
    #expect(report.isBadAnswer)
    #expect(try deaf.texts().count == 6)
  }

  // MARK: Pages that are cut

  @Test(
    "pages that are cut silently at any size are followed, whether the server counts or not",
    arguments: [1, 2, 3, 7, 20, 49],
    [false, true].flatMap { one in
      [false, true].flatMap { counts in ProtocolVersion.allCases.map { (one, counts, $0) } }
    })
  func silentCuts(cap: Int, manners: (isOneMoment: Bool, counts: Bool, version: ProtocolVersion)) async throws {
    let isOneMoment = manners.isOneMoment
    let server = server(pageCap: cap) {
      $0.version = manners.version
      $0.cutsSilently = true
      $0.countsNothing = !manners.counts
    }
    let device = try TestDevice(server)
    fill(server, names(60), at: isOneMoment ? Timestamp(milliseconds: 1_795_000_000_000) : nil)
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().count == 60)
    #expect(await device.sync(isFull: true).failure == nil)
    #expect(try device.texts().count == 60)
    fill(server, ["later"])
    await device.sync()
    #expect(try device.texts().count == 61)
  }

  @Test("in an order of the caller's they are followed too", arguments: ProtocolVersion.allCases)
  func silentCutsInOrder(version: ProtocolVersion) async throws {
    let server = server(pageCap: 20) {
      $0.version = version
      $0.cutsSilently = true
    }
    let device = try TestDevice(server)
    fill(server, names(45))
    await device.pull(PullQuery(TableQuery(table: "TodoItem", order: [SortKey("text")]), queryID: nil))
    #expect(try device.texts().count == 45)
  }

  @Test("a server that says when it cuts is not asked once more", arguments: [ProtocolVersion.v2, .v3])
  func oneRequest(version: ProtocolVersion) async throws {
    let server = server {
      $0.version = version
      $0.promisesOrder = version == .v2 ? .always : .never
    }
    let device = try TestDevice(server)
    fill(server, names(7))
    await device.sync()
    #expect(server.requests == ["LIST"])
  }

  // MARK: Requests with nothing new

  @Test(
    "once the newest row is older than the overlap, a refresh with nothing new is one request",
    arguments: [ProtocolVersion.v2, .v3], [1, 3, 120, 500])
  func quiet(version: ProtocolVersion, count: Int) async throws {
    let server = server(pageCap: version == .v2 ? 50 : 100) {
      $0.version = version
      $0.saysTime = true
    }
    let device = try TestDevice(server)
    fill(server, names(count), at: count == 500 ? server.clock : nil)
    await device.sync()
    server.advance(milliseconds: 60_000)
    await device.sync()
    let before = server.requests.count
    for _ in 0..<3 { #expect(await device.sync().pulled == 0) }
    #expect(server.requests.count == before + 3)
    fill(server, ["later"])
    #expect(await device.sync().pulled == 1)
  }

  @Test("a row that is committed late, within the overlap, is found although nothing else is new")
  func lateCommit() async throws {
    let server = server { $0.saysTime = true }
    let device = try TestDevice(server)
    fill(server, names(5))
    await device.sync()
    let newest = server.clock
    server.advance(milliseconds: 20_000)
    await device.sync()
    fill(server, ["late"], at: newest.advanced(byMilliseconds: -5_000))
    server.advance(milliseconds: 60_000)
    #expect(await device.sync().pulled == 1)
  }

  @Test("a server that can't be asked for this or that is asked for less")
  func withoutOr() async throws {
    let server = server {
      $0.saysTime = true
      $0.knowsNoOr = true
    }
    let device = try TestDevice(server)
    fill(server, names(5))
    await device.sync()
    fill(server, ["later"])
    let report = await device.sync()
    #expect(report.failure == nil && report.pulled == 1)
  }

  // MARK: Clocks

  @Test("a row dated in the future hides nothing, with a server that says its time or not", arguments: [true, false])
  func future(saysTime: Bool) async throws {
    let server = server { $0.saysTime = saysTime }
    let device = try TestDevice(server)
    fill(server, names(3))
    fill(server, ["tomorrow"], at: server.clock.advanced(byMilliseconds: Self.day))
    #expect(await device.sync().pulled == 4)
    fill(server, ["today"])
    #expect(await device.sync().pulled == 1)
    #expect(await device.sync(isFull: true).failure == nil)
    fill(server, ["later today"])
    #expect(await device.sync().pulled == 1)
    #expect(await device.sync().pulled == 0)
    #expect(try device.texts().count == 6)
  }

  @Test("a clock that steps back hides nothing that it stamps from then on", arguments: [true, false])
  func stepBack(saysTime: Bool) async throws {
    let server = server { $0.saysTime = saysTime }
    let device = try TestDevice(server)
    server.advance(milliseconds: Self.day)
    device.world.advance(milliseconds: Self.day)
    fill(server, names(3))
    #expect(await device.sync().pulled == 3)
    server.advance(milliseconds: -Self.day / 2)
    device.world.advance(milliseconds: -Self.day / 2)
    fill(server, ["after"])
    #expect(await device.sync().pulled == 1)
    fill(server, ["after that"])
    #expect(await device.sync().pulled == 1)
  }

  @Test("a clock that steps back to just behind the newest row hides nothing either", arguments: [5_000, 45_000])
  func smallStepBack(back: Int64) async throws {
    let server = server { $0.saysTime = true }
    let device = try TestDevice(server)
    fill(server, names(3))
    let newest = server.clock
    await device.sync()
    server.advance(milliseconds: 40_000)
    await device.sync()
    server.advance(milliseconds: -back)
    fill(server, ["after"])
    #expect(back < 40_000 || server.clock < newest)
    server.advance(milliseconds: 3_000)
    #expect(await device.sync().pulled == 1)
  }

  @Test("what was written long before this device hears that the clock stepped back is found by a comparison of all")
  func stepBackHeardLate() async throws {
    let server = server { $0.saysTime = true }
    let device = try TestDevice(server)
    fill(server, names(3))
    await device.sync()
    server.advance(milliseconds: -Self.day)
    fill(server, ["just after"])
    server.advance(milliseconds: 3_600_000)
    #expect(await device.sync().pulled == 1)
    #expect(await device.sync().pulled == 0)
    #expect(try device.texts().count == 4)
  }

  @Test("a row that ended a short page and is changed before the next is not left out there")
  func changedBetweenPages() async throws {
    let server = server(pageCap: 2) {
      $0.saysTime = true
      $0.cutsSilently = true
      $0.countsNothing = true
    }
    fill(server, names(3))
    let hasChanged = Mutex(false)
    let device = try TestDevice(
      ListingServer(base: server) { base, query, link throws(RemoteFailure) in
        let page = try base.page(query, at: link)
        hasChanged.withLock { hasChanged in
          if !hasChanged { server.put("item1001", ["text": .text("changed")]) }
          hasChanged = true
        }
        return page
      })
    await device.sync()
    #expect(try device.texts()["item1001"] == "changed")
  }

  @Test("a clock that stepped back makes one pull start again, not every one", arguments: [50_000, 3_600_000])
  func quietAfterStepBack(back: Int64) async throws {
    let server = server { $0.saysTime = true }
    let device = try TestDevice(server)
    fill(server, names(1))
    server.advance(milliseconds: back)
    await device.sync()
    server.advance(milliseconds: -back)
    await device.sync()
    let before = server.requests.count
    for _ in 0..<3 { #expect(await device.sync().pulled == 0) }
    #expect(server.requests.count == before + 3)
  }

  @Test("a device whose clock was ahead compares everything when the clock is right again, and not for a small step")
  func deviceClock() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    fill(server, names(3))
    device.world.advance(milliseconds: 1_000 * Self.day)
    await device.sync()
    server.forget("item1001")
    device.world.advance(milliseconds: -60_000)
    await device.sync()
    #expect(try device.texts().count == 3)
    device.world.advance(milliseconds: -900 * Self.day)
    await device.sync()
    #expect(try device.texts().count == 2)
  }

  // MARK: Several backends

  @Test("of two backends the careful one is believed, and the pull comes to an end", arguments: [0, 1])
  func backends(offset: Int) async throws {
    let server = server(pageCap: 3) {
      $0.promisesOrder = .everyOtherPage
      $0.saysTime = true
    }
    let device = try TestDevice(server)
    if offset == 1 { _ = try? server.page(TableQuery(table: "TodoItem")) }
    fill(server, names(20))
    for _ in 0..<4 { #expect(await device.sync().failure == nil) }
    #expect(try device.texts().count == 20)
    #expect(server.requests.count < 60)
  }

  // MARK: Another database

  @Test("a database that was emptied behind its address is noticed, and nothing is lost", arguments: [5, 30])
  func emptied(count: Int) async throws {
    let server = server { $0.saysTime = true }
    let device = try TestDevice(server)
    fill(server, names(count))
    await device.sync()
    for name in names(count) { server.forget(name) }
    try device.add("new here")
    let report = await device.sync()
    guard case .massRemoval(let removal) = report.failure else {
      Issue.record("it was not noticed")
      return
    }
    #expect(removal.rows >= count / 2)
    #expect(try device.texts().count == count + 1)
    guard case .massRemoval = await device.sync().failure else {
      Issue.record("it was noticed once only")
      return
    }
  }

  @Test("one row that is gone without a trace is not asked about again and again")
  func goneForGood() async throws {
    let server = server { $0.saysTime = true }
    let device = try TestDevice(server)
    fill(server, names(30))
    await device.sync()
    server.forget("item1029")
    #expect(await device.sync().pulled == 1)
    let before = server.requests.count
    await device.sync()
    #expect(server.requests.count == before + 1)
  }

  @Test("a server with a digest says itself what it has, and is not asked for a witness")
  func digest() async throws {
    let server = FakeServer(tellsDigest: true)
    let device = try TestDevice(server)
    fill(server, names(3))
    await device.sync()
    server.forget("item1000")
    #expect(await device.sync().pulled == 0)
  }
}

extension SyncReport {
  fileprivate var isBadAnswer: Bool {
    if case .remote(let failure) = failure, case .badAnswer = failure.reason { true } else { false }
  }
}
