import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("Many rows that would go")
struct MassDeletionTests {
  private let server = FakeServer()

  private func filled(_ count: Int) async throws -> TestDevice {
    let device = try TestDevice(server)
    server.putItems(count)
    await device.sync()
    return device
  }

  private func remove(_ numbers: Range<Int>) {
    for number in numbers { server.remove("item\(100 + number)") }
  }

  @Test("all rows of a list of five and more do not go without a question", arguments: [5, 19])
  func allOfFew(total: Int) async throws {
    let device = try await filled(total)
    remove(0..<total)
    let removal = await device.sync().massRemoval
    #expect(removal?.rows == total && removal?.total == total)
    #expect(try device.texts().count == total)
    #expect(await device.sync(allowsMassRemoval: true).failure == nil)
    #expect(try device.texts().isEmpty)
  }

  @Test("a server that was emptied gets all of it back, if that is the answer, and nothing else does it")
  func sendBack() async throws {
    let (device, phone) = (try await filled(6), try TestDevice(server))
    await phone.sync()
    let before = try device.texts()
    for number in 0..<6 { server.forget("item\(100 + number)") }
    let answer = SyncRequest(pulls: [.all], sendsRemovalsBack: true)
    // The number comes first: nobody has seen it yet.
    var full = answer
    full.isFull = true
    let asked = await device.sync(full)
    #expect(asked.massRemoval?.here == 6 && asked.answered.isEmpty)
    #expect(await device.sync(accountChange: .takeAlong).answered.isEmpty)
    #expect(try device.texts() == before && server.rows.isEmpty)
    let report = await device.sync(answer)
    #expect(report.failure == nil && report.answered == [.removal])
    #expect(report.push.accepted == 6 && report.pulled == 0)
    #expect(server.rows.mapValues { $0.values["text"]?.text } == before.mapValues { $0 })
    #expect(try device.texts() == before && device.operations().isEmpty)
    #expect(await phone.sync().failure == nil)
    #expect(try phone.texts() == before)
    // Without the question the answer means nothing.
    server.remove("item100")
    #expect(await device.sync(answer).answered.isEmpty)
    #expect(try device.texts().count == 5)
  }

  @Test("what others have deleted is there again, if that is the answer")
  func reviveAll() async throws {
    let device = try await filled(20)
    let other = try TestDevice(server)
    await other.sync()
    let before = try device.texts()
    try other.edit("item119", "edited")
    for number in 0..<15 { try other.table.delete("item\(100 + number)") }
    await other.sync()
    #expect(await device.sync().massRemoval?.here == 15)
    let report = await device.sync(SyncRequest(pulls: [.all], sendsRemovalsBack: true))
    #expect(report.failure == nil && report.push.accepted == 15 && report.pulled == 1)
    await other.sync()
    #expect(try other.texts() == before.merging(["item119": "edited"]) { $1 } && other.texts() == device.texts())
  }

  @Test("an answer that is cut is given again, and the stop stays")
  func cutAnswer() async throws {
    let device = try await filled(6)
    for number in 0..<6 { server.forget("item\(100 + number)") }
    #expect(await device.sync(isFull: true).massRemoval != nil)
    let answer = SyncRequest(pulls: [.all], isFull: true, sendsRemovalsBack: true)
    server.fail(.unreachable)
    #expect(await device.sync(answer).failure != nil)
    #expect(await device.sync(isFull: true).massRemoval?.here == 6)
    #expect(await device.sync(answer).push.accepted == 6)
  }

  @Test("an answer that is cut while the server seems to be another one is given again too")
  func cutAnswerOfEmptiedServer() async throws {
    let device = try await filled(20)
    remove(0..<15)
    #expect(await device.sync().massRemoval?.here == 15)
    for number in 0..<20 { server.forget("item\(100 + number)") }
    let answer = SyncRequest(pulls: [.all], sendsRemovalsBack: true)
    server.fail(.pass, .unreachable)
    #expect(await device.sync(answer).failure != nil)
    #expect(await device.sync(answer).push.accepted == 20)
  }

  @Test("an item that was never sent does not hide that all others would go")
  func unsent() async throws {
    let device = try await filled(6)
    try device.add("new here")
    for number in 0..<6 { server.forget("item\(100 + number)") }
    #expect(await device.sync(pushes: false, isFull: true).massRemoval?.rows == 6)
  }

  @Test(
    "the question comes before anything is gone, and counts what the later pages and parts would remove",
    arguments: [(10, 0), (10, 3), (100, 0)])
  func severalPages(pageSize: Int, left: Int) async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: pageSize))
    server.putItems(60)
    await device.sync()
    for number in 0..<left { server.put("item\(100 + number)", ["text": .text("new \(number)")]) }
    remove(left..<50)
    for _ in 0..<2 {
      let removal = await device.sync().massRemoval
      #expect(removal?.rows == 50 - left && removal?.here == 50 - left && removal?.total == 60)
      #expect(try device.texts().count == 60)
    }
    #expect(await device.sync(allowsMassRemoval: true).failure == nil)
    #expect(try device.texts().count == 10 + left)
  }

  @Test("of what is allowed nothing is asked, and it is looked at once")
  func fewOfManyPages() async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 5))
    server.putItems(60)
    await device.sync()
    func requests(_ act: () -> Void) async -> Int {
      act()
      let before = server.requests.count
      #expect(await device.sync().failure == nil)
      return server.requests.count - before
    }
    let edited = await requests {
      for number in 30..<55 { server.put("item\(100 + number)", ["text": .text("new \(number)")]) }
    }
    let removed = await requests { remove(0..<25) }
    #expect(try device.texts().count == 35)
    #expect(removed > edited && removed <= 2 * edited, "\(removed) requests, and \(edited) for as many edits")
  }

  @Test("small steps add up over several refreshes")
  func smallSteps() async throws {
    let device = try await filled(20)
    remove(0..<6)
    #expect(await device.sync().failure == nil)
    remove(6..<10)
    #expect(await device.sync().failure == nil)
    remove(10..<11)
    let removal = await device.sync().massRemoval
    #expect(removal?.rows == 11 && removal?.total == 20)
    #expect(try device.texts().count == 10)
  }

  @Test("steps of a short list add up to all of it")
  func allInSteps() async throws {
    let device = try await filled(6)
    remove(0..<3)
    #expect(await device.sync().failure == nil)
    remove(3..<6)
    #expect(await device.sync().massRemoval?.rows == 6)
    #expect(try device.texts().count == 3)
  }

  @Test("after a day, or when the user agreed, the counting begins again", arguments: [true, false])
  func window(agrees: Bool) async throws {
    let device = try await filled(20)
    remove(0..<10)
    await device.sync()
    if agrees {
      await device.sync(allowsMassRemoval: true)
    } else {
      device.world.advance(milliseconds: 86_400_000)
    }
    remove(10..<15)
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().count == 5)
  }

  @Test("a comparison that was stopped is made again, and finds that the server went back")
  func stoppedComparison() async throws {
    let server = FakeServer(manners: .init { $0.saysTime = true })
    let device = try TestDevice(server, settings: PullSettings(pageSize: 4))
    server.putItems(20)
    await device.sync()
    for number in 0..<15 { server.remove("item\(100 + number)") }
    #expect(await device.sync().massRemoval != nil)
    let backup = server.backUp()
    server.advance(milliseconds: 600_000)
    try device.edit("item119", "new")
    #expect(await device.sync().massRemoval != nil)
    server.restore(backup)
    #expect(await device.sync(isFull: true).massRemoval != nil)
    guard case .serverWentBack? = await device.sync(allowsMassRemoval: true).failure else {
      Issue.record("the older copy was stored, and nobody was asked")
      return
    }
    #expect(try device.texts()["item119"] == "new")
  }

  @Test("a pull that was stopped does not go on in small steps, not even days later")
  func stopped() async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 4))
    server.putItems(20)
    await device.sync()
    remove(0..<11)
    #expect(await device.sync().massRemoval != nil)
    let left = try device.texts().count
    device.world.advance(milliseconds: 3 * 86_400_000)
    #expect(await device.sync().massRemoval?.total == 20)
    #expect(try device.texts().count == left)
  }

  @Test("what a pull removed before it failed counts")
  func failed() async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 10, overlapMilliseconds: 0))
    server.putItems(20)
    await device.sync()
    remove(0..<10)
    // The page, the look at those that follow, and then what follows.
    server.fail(.pass, .pass, .unreachable)
    await device.sync()
    #expect(try device.texts().count < 20)
    remove(10..<11)
    #expect(await device.sync().massRemoval?.total == 20)
  }

  @Test("what a pull removed before the program died counts", arguments: [false, true])
  func died(isFull: Bool) async throws {
    let device = try TestDevice(server, settings: PullSettings(pageSize: 3, overlapMilliseconds: 0))
    server.putItems(20)
    await device.sync()
    for number in 0..<6 {
      if isFull { server.forget("item\(100 + number)") } else { server.remove("item\(100 + number)") }
    }
    // It dies with the first request after the transaction that removed rows.
    let mortal = ReadOnlyAfterDeath(device.store)
    server.onRequest { _ in if (try? device.texts().count) ?? 0 < 20 { mortal.die() } }
    _ = SyncRun(ports(mortal), SyncRequest(pulls: [PullQuery(table: "TodoItem", queryID: "all")], isFull: isFull))
      .run { _ in }
    server.onRequest(nil)
    #expect(try device.texts().count < 20)
    remove(6..<11)
    let removal = try await device.restarted(server).sync().massRemoval
    #expect(removal?.rows == 11 && removal?.total == 20)
  }

  /// A program that ends with its store.
  private func ports(_ store: any LocalStore) -> SyncPorts {
    SyncPorts(
      tables: ["TodoItem"], store: store, remote: server, lock: FreeLock(),
      environment: TestEnvironment().environment, settings: PullSettings(pageSize: 3, overlapMilliseconds: 0))
  }

  @Test("what would empty a list is asked about, however much of it the user deleted before")
  func afterOwnDeletions() async throws {
    let device = try await filled(30)
    remove(20..<22)
    #expect(await device.sync().failure == nil)
    for number in 0..<20 { try device.table.delete("item\(100 + number)") }
    #expect(await device.sync().failure == nil)
    remove(22..<30)
    let removal = await device.sync().massRemoval
    #expect(removal != nil)
    #expect(try device.texts().count == 8)
    #expect(await device.sync(allowsMassRemoval: true).failure == nil)
    #expect(try device.texts().isEmpty)
  }

  @Test("rows that the same pull brings do not make the list longer, if it goes on with a comparison")
  func addedInSamePull() async throws {
    let device = try await filled(26)
    remove(0..<13)
    for id: RecordID in ["new1", "new2"] { server.put(id, ["text": .text("new")]) }
    server.forget("item125")
    let removal = await device.sync().massRemoval
    #expect(removal?.rows == 14 && removal?.total == 26)
    #expect(try device.texts().count == 15)
  }

  @Test("rows that were added meanwhile count as a part of the list")
  func added() async throws {
    let device = try await filled(20)
    remove(0..<8)
    await device.sync()
    for number in 0..<8 { server.put("more\(number)", ["text": .text("more")]) }
    await device.sync()
    remove(8..<14)
    #expect(await device.sync().failure == nil)
  }
}

extension SyncReport {
  /// What a pull was stopped for; nil when it was not.
  fileprivate var massRemoval: MassRemoval? {
    if case .massRemoval(let removal) = failure { removal } else { nil }
  }
}

extension PullQuery {
  fileprivate static let all = PullQuery(table: "TodoItem", queryID: "all")
}
