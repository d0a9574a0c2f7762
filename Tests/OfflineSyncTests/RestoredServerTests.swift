import SQLiteStore
import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("A server that went back to an older state")
struct RestoredServerTests {
  private let server = FakeServer(
    tellsDigest: true,
    manners: .init {
      $0.announcesState = true
      $0.promisesOrder = .always
    })

  /// Two devices with 35 items; the server was put back to a copy of 25 of them, one with an older text.
  private func restored(raisesEpoch: Bool = true) async throws -> (laptop: TestDevice, phone: TestDevice) {
    let (laptop, phone) = (try TestDevice(server), try TestDevice(server))
    for number in 0..<25 { server.put(id(number), ["text": .text("item \(number)")]) }
    await laptop.sync()
    await phone.sync()
    let backup = server.backUp()
    for number in 25..<35 { server.put(id(number), ["text": .text("item \(number)")]) }
    await laptop.sync()
    try laptop.edit(id(3), "corrected")
    await laptop.sync()
    await phone.sync()
    server.restore(backup, raisesEpoch: raisesEpoch)
    return (laptop, phone)
  }

  private func id(_ number: Int) -> RecordID { "item\(100 + number)" }

  @Test(
    "nothing goes, whatever kind of sync is asked for, and the report says how many are newer",
    arguments: [true, false])
  func nothingGoes(raisesEpoch: Bool) async throws {
    let (laptop, _) = try await restored(raisesEpoch: raisesEpoch)
    let before = try laptop.texts()
    for request in [false, true, false] {
      let report = await laptop.sync(isFull: request, allowsMassRemoval: true)
      #expect(report.wentBack?.items == 11)
      #expect(try laptop.texts() == before)
    }
    #expect(try laptop.table.conflicts().count == 11)
    let corrected = try laptop.table.conflicts().first { $0.itemID == id(3) }
    #expect(corrected?.mine?.values["text"] == .text("corrected"))
    #expect(corrected?.theirs?.values["text"] == .text("item 3"))
    #expect(server.rows.count == 25)
  }

  @Test("nobody is told that both sides are the same before the question is answered")
  func receipt() async throws {
    let (laptop, _) = try await restored()
    #expect(await laptop.compare() == nil)
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    #expect(await laptop.compare()?.isSame == true)
  }

  @Test("what is sent back heals the server, and the second device is not asked", arguments: [true, false])
  func sendBack(raisesEpoch: Bool) async throws {
    let (laptop, phone) = try await restored(raisesEpoch: raisesEpoch)
    let before = try laptop.texts()
    #expect(await laptop.sync().wentBack != nil)
    let report = await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack))
    #expect(report.failure == nil && report.push.accepted == 11)
    #expect(await phone.sync().failure == nil)
    #expect(try phone.texts() == before && phone.operations().isEmpty && phone.errors().isEmpty)
    #expect(server.rows.mapValues { $0.values["text"]?.text } == before.mapValues { $0 })
    for device in [laptop, phone] {
      let requests = server.requests.count
      #expect(await device.sync().failure == nil)
      #expect(server.requests.count == requests + 1)
    }
  }

  @Test("the server's side is taken only for what was counted, and can be undone")
  func keepServers() async throws {
    let (laptop, phone) = try await restored()
    let before = try laptop.texts()
    let request = SyncRequest(pulls: [.all], afterRestore: .keepServers)
    #expect(await laptop.sync(request).wentBack?.items == 11)
    #expect(try laptop.texts() == before)
    let report = await laptop.sync(request)
    #expect(report.failure == nil && report.pulled == 11, "the copies that were replaced or removed are received")
    #expect(try laptop.texts().count == 25 && laptop.texts()[id(3)] == "item 3")
    #expect(try laptop.table.undo() != nil)
    #expect(try laptop.texts() == before)
    #expect(await laptop.sync().failure == nil)
    #expect(await phone.sync().failure == nil)
    #expect(try phone.texts() == before)
  }

  @Test(
    "the same backup put back twice: what one device wrote meanwhile, and another one's older copy, are both asked about"
  )
  func restoredTwice() async throws {
    let (laptop, id) = try await TestDevice.withItem("seed", on: server)
    let backup = server.backUp()
    let call = try laptop.add("call the bank")
    await laptop.sync()
    let phone = try TestDevice(server)
    await phone.sync()
    server.restore(backup)
    _ = await laptop.sync()
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    try laptop.edit(call, "call the bank before noon")
    #expect(await laptop.sync().push.accepted == 1)
    server.restore(backup)
    _ = await phone.sync()
    #expect(await phone.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    #expect(server.rows[call]?.values["text"] == .text("call the bank"))
    await laptop.sync()
    let conflict = try #require(try laptop.table.conflicts().first)
    #expect(conflict.itemID == call && conflict.error.kind == .conflict)
    #expect(try laptop.texts() == [id: "seed", call: "call the bank before noon"])
  }

  @Test("a device that missed an epoch is asked about what differs, since nothing says what was lost")
  func missedEpoch() async throws {
    let (laptop, id) = try await TestDevice.withItem("milk", on: server)
    let phone = try TestDevice(server)
    await phone.sync()
    let backup = server.backUp()
    try laptop.edit(id, "oat milk")
    await laptop.sync()
    server.restore(backup)
    _ = await phone.sync()
    let later = server.backUp()
    server.restore(later)
    _ = await phone.sync()
    try phone.edit(id, "milk, two")
    await phone.sync()
    await laptop.sync()
    #expect(try laptop.texts() == [id: "oat milk"] && laptop.table.conflicts().count == 1)
  }

  @Test("what another device has sent again as it was is still what an edit here was made from: nobody is asked")
  func sentAgain() async throws {
    let (laptop, phone) = (try TestDevice(server), try TestDevice(server))
    let backup = server.backUp()
    let milk = try laptop.add("milk")
    await laptop.sync()
    await phone.sync()
    server.restore(backup)
    _ = await laptop.sync()
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    try phone.edit(milk, "oat milk")
    #expect(await phone.sync().failure == nil)
    #expect(try phone.table.conflicts().isEmpty && server.rows[milk]?.values["text"] == .text("oat milk"))
  }

  /// The phone deleted an item that the laptop had added, and the laptop has not heard of that. The server was put back to
  /// a state before both.
  private func withLostDeletion() async throws -> (laptop: TestDevice, phone: TestDevice, item: RecordID) {
    let (laptop, phone) = (try TestDevice(server), try TestDevice(server))
    try laptop.add("keep")
    await laptop.sync()
    let backup = server.backUp()
    let secret = try laptop.add("secret plan")
    await laptop.sync()
    await phone.sync()
    try phone.table.delete(secret)
    await phone.sync()
    server.restore(backup)
    return (laptop, phone, secret)
  }

  @Test("a deletion that the server lost is asked about, also when another device has sent the row again")
  func lostDeletion() async throws {
    let (laptop, phone, secret) = try await withLostDeletion()
    _ = await laptop.sync()
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    #expect(server.rows[secret]?.system.deleted == false)
    await phone.sync()
    #expect(try phone.texts().count == 1, "it does not come back unasked")
    #expect(try phone.table.conflicts().map(\.itemID) == [secret])
  }

  @Test("the same, if the device that deleted the row comes first and finds no trace of it")
  func lostDeletionFirst() async throws {
    let (laptop, phone, secret) = try await withLostDeletion()
    #expect(await phone.sync().failure == nil)
    _ = await laptop.sync()
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    await phone.sync()
    #expect(try phone.texts().count == 1 && phone.table.conflicts().map(\.itemID) == [secret])
    // What is deleted later, and made to live again by somebody, comes as always.
    try phone.table.resolve(try #require(phone.table.conflicts().first), .theirs)
    await phone.sync()
    phone.world.advance(milliseconds: 1_000)
    try phone.table.delete(secret)
    await phone.sync()
    server.put(secret, ["text": .text("secret plan"), "complete": .bool(false)])
    await phone.sync()
    #expect(try phone.texts()[secret] == "secret plan" && phone.table.conflicts().isEmpty)
  }

  @Test("nobody raised the epoch and somebody wrote: an answer with an older copy tells that the server went back")
  func olderAnswer() async throws {
    let (laptop, call) = try await TestDevice.withItem("call", on: server)
    let backup = server.backUp()
    server.advance(milliseconds: 60_000)
    try laptop.edit(call, "call Anna 0123")
    await laptop.sync()
    server.restore(backup, raisesEpoch: false)
    server.advance(milliseconds: 120_000)
    server.put("other", ["text": .text("of another application")])
    try laptop.table.update(call, ["complete": .bool(true)])
    let report = await laptop.sync()
    #expect(report.wentBack?.items == 1)
    #expect(try laptop.texts()[call] == "call Anna 0123")
    #expect(server.rows[call]?.values["text"] == .text("call"))
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    #expect(server.rows[call]?.values["text"] == .text("call Anna 0123"))
    #expect(server.rows[call]?.values["complete"] == .bool(true))
  }

  @Test("nobody raised the epoch and somebody wrote: a complete comparison asks about deletions that were lost")
  func olderDeletion() async throws {
    let (laptop, trash) = try await TestDevice.withItem("trash", on: server)
    let backup = server.backUp()
    server.advance(milliseconds: 60_000)
    try laptop.table.delete(trash)
    await laptop.sync()
    server.restore(backup, raisesEpoch: false)
    server.advance(milliseconds: 120_000)
    server.put("other", ["text": .text("of another application")])
    #expect(await laptop.sync(isFull: true).wentBack?.items == 1)
    #expect(try laptop.texts()[trash] == nil)
  }

  @Test(
    "an open conflict stays a conflict: sending back gives neither text away",
    arguments: [ConflictResolution.mine, .theirs])
  func openConflict(decision: ConflictResolution) async throws {
    let (laptop, id) = try await TestDevice.withItem(on: server)
    let backup = server.backUp()
    server.advance(milliseconds: 1_000)
    server.put(id, ["text": .text("rice milk")])
    try laptop.edit(id, "oat milk")
    await laptop.sync()
    let open = try #require(try laptop.table.conflicts().first)
    server.restore(backup)
    let report = await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack))
    #expect(report.failure == nil && server.rows[id]?.values["text"] == .text("milk"))
    let conflict = try #require(try laptop.table.conflicts().first)
    #expect(conflict.error.kind == .conflict)
    #expect(conflict.mine?.values == open.mine?.values && conflict.theirs?.values == open.theirs?.values)
    #expect(await laptop.compare()?.isSame == true)
    try laptop.table.resolve(conflict, decision)
    #expect(await laptop.sync().failure == nil)
    let text = decision == .mine ? "oat milk" : "rice milk"
    #expect(server.rows[id]?.values["text"] == .text(text))
    #expect(try laptop.texts() == [id: text] && laptop.operations().isEmpty)
    #expect(await laptop.compare()?.isSame == true)
  }

  @Test("a purge does not say that what the server had and lost was never sent")
  func purge() async throws {
    let (laptop, _) = try await restored()
    await laptop.sync()
    try laptop.add("never sent")
    await #expect(throws: PurgeRefused(pending: 1, held: 11)) { try await laptop.purge().get() }
    #expect(try await laptop.purge(forced: true).get().changes == 12)
  }

  @Test("one item can be decided alone")
  func one() async throws {
    let (laptop, _) = try await restored()
    await laptop.sync()
    try laptop.table.resolve(id(3), .theirs)
    try laptop.table.resolve(id(30), .mine)
    try laptop.table.resolve(id(31), .theirs)
    #expect(await laptop.sync().wentBack?.items == 8)
    #expect(server.rows[id(30)] != nil && server.rows[id(3)]?.values["text"] == .text("item 3"))
    #expect(try laptop.texts().count == 34)
  }

  @Test("a change that waits is not sent over the older copy before the question is answered")
  func waiting() async throws {
    let (laptop, _) = try await restored()
    try laptop.edit(id(3), "corrected twice")
    try laptop.edit(id(4), "edited here")
    #expect(await laptop.sync().wentBack?.items == 11)
    #expect(server.rows[id(3)]?.values["text"] == .text("item 3"))
    #expect(server.rows[id(4)]?.values["text"] == .text("edited here"))
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    #expect(server.rows[id(3)]?.values["text"] == .text("corrected twice"))
  }

  @Test("whoever deletes an item that is held finds the server's text among its versions")
  func deletedWhileHeld() async throws {
    let (laptop, _) = try await restored()
    await laptop.sync()
    try laptop.table.delete(id(3))
    let versions = try laptop.store.read { try $0.pastVersions(of: id(3), in: "TodoItem") }
    #expect(versions.suffix(2).compactMap { $0.before?.values["text"]?.text } == ["corrected", "item 3"])
  }

  @Test("an item that was deleted here and is back there is asked about")
  func deletion() async throws {
    let (laptop, _) = try await TestDevice.withItem(on: server)
    let other = try laptop.add("bread")
    await laptop.sync()
    let backup = server.backUp()
    server.advance(milliseconds: 1_000)
    try laptop.table.delete(other)
    await laptop.sync()
    server.restore(backup)
    #expect(await laptop.sync().wentBack?.items == 1)
    #expect(try laptop.texts()[other] == nil)
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    #expect(server.rows[other] == nil)
  }

  @Test("a comparison that is cut is made by the next sync")
  func cut() async throws {
    let (laptop, _) = try await restored()
    server.fail(.pass, .unreachable)
    #expect(await laptop.sync().failure != nil)
    #expect(try laptop.texts().count == 35)
    #expect(await laptop.sync().wentBack?.items == 11)
  }

  @Test("what was accepted before the first pull came to its end is asked about too")
  func beforeTheFirstPull() async throws {
    let laptop = try TestDevice(server)
    let backup = server.backUp()
    _ = try laptop.add("milk")
    server.fail(.pass, .unreachable)
    #expect(await laptop.sync().failure != nil)
    #expect(server.rows.count == 1)
    server.restore(backup)
    #expect(await laptop.sync().wentBack?.items == 1)
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    #expect(server.rows.count == 1)
  }

  @Test("a server that went back to an empty state lost everything: an older copy sent back is no newer edit")
  func empty() async throws {
    let backup = server.backUp()
    server.put(id(1), ["text": .text("milk")])
    let (laptop, phone) = (try TestDevice(server), try TestDevice(server))
    await phone.sync()
    await laptop.sync()
    try laptop.edit(id(1), "oat milk")
    await laptop.sync()
    server.restore(backup)
    for answer in [nil, RestoreAnswer.sendBack] {
      _ = await phone.sync(SyncRequest(pulls: [.all], afterRestore: answer))
    }
    #expect(server.rows[id(1)]?.values["text"] == .text("milk"))
    await laptop.sync()
    #expect(try laptop.texts()[id(1)] == "oat milk")
    #expect(try laptop.table.conflicts().count == 1)
  }

  @Test("a device that missed an epoch in between asks all the same")
  func missed() async throws {
    let (laptop, phone) = try await restored()
    _ = await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack))
    let backup = server.backUp()
    let late = try laptop.add("late")
    await laptop.sync()
    server.restore(backup)
    #expect(await phone.sync().failure == nil)
    #expect(await laptop.sync().wentBack?.items == 1)
    #expect(try laptop.texts()[late] == "late" && phone.texts().count == 35)
  }

  @Test(
    "is noticed by a complete comparison when others wrote to it first, whether or not its epoch was raised then",
    arguments: [true, false], [0, 365])
  func writtenFirst(raisesEpoch: Bool, days: Int64) async throws {
    let (laptop, _) = try await restored(raisesEpoch: false)
    server.advance(milliseconds: 600_000)
    server.put(id(50), ["text": .text("written first")])
    if raisesEpoch { server.raiseEpoch() }
    laptop.world.advance(milliseconds: days * 86_400_000)
    let before = try laptop.texts()
    for _ in 0..<2 {
      #expect(await laptop.sync(isFull: true, allowsMassRemoval: true).wentBack?.items == 11)
      #expect(try before.allSatisfy { try laptop.texts()[$0.key] == $0.value })
    }
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).push.accepted == 11)
    #expect(server.rows.count == 36 && server.rows[id(3)]?.values["text"] == .text("corrected"))
    #expect(await laptop.sync(isFull: true).failure == nil)
    #expect(await laptop.compare()?.isSame == true)
  }

  @Test("a change that goes out first does not hide it, if the sync only pushes too", arguments: [true, false])
  func changeFirst(pulls: Bool) async throws {
    let (laptop, _) = try await restored(raisesEpoch: false)
    server.advance(milliseconds: 600_000)
    let added = try laptop.add("one more")
    #expect(await laptop.sync(pulls: pulls).wentBack?.items == 11)
    #expect(server.rows.count == 26 && server.rows[added] != nil)
    #expect(try laptop.texts().count == 36)
    #expect(await laptop.sync(SyncRequest(pulls: [.all], afterRestore: .sendBack)).failure == nil)
    #expect(server.rows.count == 36)
  }

  @Test("a row that it lost without going back is asked about as well, and its damaged rows are not taken")
  func lostRow() async throws {
    let laptop = try TestDevice(server)
    for number in 0..<3 { server.put(id(number), ["text": .text("item \(number)")]) }
    await laptop.sync()
    server.forget(id(1))
    server.damage(id(2), ["text": .text("damaged")])
    server.report(damaged: 1)
    #expect(await laptop.sync(isFull: true).wentBack?.items == 1)
    #expect(try laptop.texts().count == 3 && laptop.texts()[id(2)] == "item 2")
  }

  @Test("the first epoch is saved before the answer to a change, so that a sync that is cut there leaves it")
  func firstEpoch() throws {
    let laptop = try TestDevice(server)
    let watch = EpochWatch(Announcing(base: server), laptop.store)
    let change = RemoteChange.insert(table: "TodoItem", Record(id: id(1), values: ["text": .text("milk")]))
    var known: String?
    let settle: ([SettledChange]) -> Bool = { _ in
      known = try? laptop.store.read { try $0.fact(SyncFact.epoch(of: server.server)) }
      return true
    }
    watch.send([change], starting: { $0 }, settle: settle)
    #expect(known == DatabaseEpoch(number: 1).text)
  }
}

/// Announces its epoch with each answer, as Ebb's server does.
private struct Announcing: ForwardingTable {
  let base: any RemoteTable

  var knowledge: ServerKnowledge {
    var knowledge = base.knowledge
    knowledge.epoch = DatabaseEpoch(number: 1)
    return knowledge
  }
}

extension SyncReport {
  fileprivate var wentBack: ServerWentBack? {
    if case .serverWentBack(let wentBack) = failure { wentBack } else { nil }
  }
}

extension PullQuery {
  fileprivate static let all = PullQuery(table: "TodoItem", queryID: "all")
}
