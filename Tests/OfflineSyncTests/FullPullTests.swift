import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("Comparing everything with the server")
struct FullPullTests {
  let server = FakeServer()

  /// A server that announces and promises what Ebb's own does.
  private static func own(tellsDigest: Bool = false) -> FakeServer {
    FakeServer(
      tellsDigest: tellsDigest,
      manners: .init {
        $0.announcesState = true
        $0.promisesOrder = .always
      })
  }

  @Test("a row removed there without a tombstone goes here too", arguments: [1, 3, 100])
  func hardDelete(pageSize: Int) async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: pageSize))
    server.putItems(7)
    await device.sync()
    server.forget("item103")
    #expect(await device.sync().pulled == 0)
    let report = await device.sync(isFull: true)
    #expect(report.failure == nil)
    #expect(report.pulled == 1)
    #expect(try device.texts().count == 6)
  }

  @Test("a page that is not what the server counted removes nothing", arguments: [1, 3])
  func contradiction(limit: Int) async throws {
    let server = Self.own(tellsDigest: true)
    server.putItems(6)
    let device = try TestDevice(server)
    await device.sync()
    // Something on the way cuts the pages, and leaves the headers as they were.
    let cut = try device.restarted(ListingServer.shortening(server, to: limit))
    let report = await cut.sync(isFull: true)
    #expect(report.failure != nil && report.pulled == 0)
    #expect(try device.texts().count == 6 && device.errors().isEmpty)
  }

  @Test("a row with a pending change stays, whatever the server has")
  func pendingStays() async throws {
    let device = try TestDevice(server)
    server.putItems(3)
    await device.sync()
    try device.edit("item100", "mine")
    let added = try device.add("new here")
    server.forget("item100")
    await device.sync(pushes: false, isFull: true)
    #expect(try device.texts()["item100"] == "mine")
    #expect(try device.texts()[added] == "new here")
  }

  @Test("the delta token goes on from where the comparison began")
  func token() async throws {
    let device = try TestDevice(server, settings: PullSettings(overlapMilliseconds: 0))
    server.putItems(3)
    await device.sync(isFull: true)
    #expect(try device.token()?.timestamp == server.rows["item102"]?.system.updatedAt)
    server.put("item100", ["text": .text("later")])
    await device.sync()
    #expect(try device.texts()["item100"] == "later")
  }

  @Test("a device that was away too long compares by itself")
  func longAway() async throws {
    let device = try TestDevice(server)
    server.putItems(3)
    await device.sync()
    server.forget("item101")
    device.world.advance(milliseconds: 89 * 86_400_000)
    await device.sync()
    #expect(try device.texts().count == 3)
    device.world.advance(milliseconds: 91 * 86_400_000)
    await device.sync()
    #expect(try device.texts().count == 2)
  }

  @Test("a server that would take away more than half of a list is not believed, and nothing is lost")
  func massDeletion() async throws {
    let device = try TestDevice(server)
    server.putItems(20)
    await device.sync()
    for number in 0..<11 { server.remove("item\(100 + number)") }
    let report = await device.sync()
    let removal = report.massRemoval
    #expect(removal?.rows == 11 && removal?.total == 20)
    #expect(removal?.ids.sorted() == (0..<11).map { "item\(100 + $0)" })
    #expect(try device.texts().count == 20)
    let agreed = await device.sync(allowsMassRemoval: true)
    #expect(agreed.failure == nil)
    #expect(try device.texts().count == 9)
  }

  @Test("an emptied server is not believed in a full comparison either")
  func emptied() async throws {
    let device = try TestDevice(server)
    server.putItems(25)
    await device.sync()
    for number in 0..<25 { server.forget("item\(100 + number)") }
    let report = await device.sync(isFull: true)
    #expect(report.massRemoval?.rows == 25 && report.massRemoval?.ids.count == 25)
    #expect(try device.texts().count == 25)
  }

  @Test(
    "half of a list, most of a short one, and a very short one may go without a question",
    arguments: [(20, 10), (19, 18), (4, 4)])
  func fewDeletions(total: Int, removed: Int) async throws {
    let device = try TestDevice(server)
    server.putItems(total)
    await device.sync()
    for number in 0..<removed { server.remove("item\(100 + number)") }
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().count == total - removed)
  }

  @Test("a device that has sent a row and never pulled compares everything after 90 days (D22)")
  func neverPulled() async throws {
    let server = FakeServer()
    let device = try TestDevice(server)
    let id = try device.add("milk")
    await device.sync(pulls: false)
    server.forget(id)
    device.world.advance(milliseconds: 91 * 86_400_000)
    await device.sync(allowsMassRemoval: true)
    #expect(try device.texts().isEmpty)
  }

  @Test(
    "a device that a server's removed tombstones do not reach compares all rows, and believes that these are deleted",
    arguments: [true, false])
  func sweptTombstones(isFull: Bool) async throws {
    let server = Self.own()
    let device = try TestDevice(server)
    for id: RecordID in ["a", "b", "c"] { server.put(id, ["text": .text("old")]) }
    await device.sync()
    server.remove("a")
    server.sweep("a")
    server.put("d", ["text": .text("new")])
    // By its own clock it was away for no time: only the server's word tells.
    #expect(await device.sync(isFull: isFull).failure == nil)
    #expect(Set(try device.texts().keys) == ["b", "c", "d"])
    // It has read everything that is later than the tombstone: now changes are enough.
    server.forget("b")
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().count == 3)
  }

  @Test("a list whose last change was a deletion that the server has forgotten is compared once, not at every refresh")
  func sweptEnd() async throws {
    let server = Self.own()
    let device = try TestDevice(server)
    for id: RecordID in ["a", "b"] { server.put(id, ["text": .text("old")]) }
    await device.sync()
    server.remove("b")
    server.sweep("b")
    await device.sync()
    #expect(try device.texts().count == 1)
    let before = server.requests.count
    await device.sync()
    #expect(server.requests.count == before + 1, "\(server.requests[before...])")
  }

  @Test("a row that is gone though its tombstone would be there is still a loss")
  func lossBesideSweep() async throws {
    let server = Self.own()
    let device = try TestDevice(server)
    for id: RecordID in ["a", "b", "c"] { server.put(id, ["text": .text("old")]) }
    server.remove("a")
    await device.sync()
    server.sweep("a")
    server.forget("b")
    guard case .serverWentBack? = await device.sync(isFull: true).failure else {
      Issue.record("taken for a deletion")
      return
    }
    #expect(try device.texts().count == 2)
  }
}

extension SyncReport {
  /// Why the pull was stopped; nil if it was not.
  fileprivate var massRemoval: MassRemoval? {
    if case .massRemoval(let removal) = failure { removal } else { nil }
  }
}
