import OfflineSync
import SQLiteStore
import Support
import TableProtocol
import Testing

@Suite("A list belongs to one account")
struct AccountTests {
  private let home = FakeServer(server: "http://home.example", database: "db-1")

  /// A device with one synced row and one that waits.
  private func device() async throws -> TestDevice {
    let device = try TestDevice(home)
    try device.add("milk")
    await device.sync()
    try device.add("bread")
    return device
  }

  private func otherAccount(_ report: SyncReport) -> OtherAccount? {
    if case .otherAccount(let account) = report.failure { account } else { nil }
  }

  @Test("nothing is sent to another server, and both are named")
  func otherServer() async throws {
    let other = FakeServer(server: "http://work.example", database: "db-2")
    let moved = try await device().restarted(other)
    let account = otherAccount(await moved.sync())
    #expect(account?.owner.server == "http://home.example")
    #expect(account?.current.server == "http://work.example")
    #expect(account?.pending == 1)
    #expect(other.rows.isEmpty)
    #expect(other.requests.isEmpty)
    #expect(try moved.texts().count == 2)
  }

  @Test("nothing is sent for another user of the same server")
  func otherUser() async throws {
    let other = FakeServer(server: home.server, user: "user eve", database: "db-1")
    let moved = try await device().restarted(other)
    #expect(otherAccount(await moved.sync()) != nil)
    #expect(other.rows.isEmpty)
  }

  @Test("somebody else who signs in while the program runs is noticed by the next sync, before anything is sent")
  func otherUserMeanwhile() async throws {
    let device = try await device()
    home.signIn("user eve")
    #expect(otherAccount(await device.sync())?.current.user == "user eve")
    #expect(home.rows.count == 1)
    home.signIn("")
    #expect(await device.sync().failure == nil)
    #expect(home.rows.count == 2)
  }

  @Test("an answer about one account is not carried out for another that came while it was given")
  func answerAboutOther() async throws {
    let device = try await device()
    home.signIn("user eve")
    #expect(otherAccount(await device.sync()) != nil)
    home.signIn("user mallory")
    _ = await device.sync(accountChange: .takeAlong)
    #expect(try device.store.read { try Account.owner(of: $0) }?.user == "user eve")
    #expect(otherAccount(await device.sync())?.current.user == "user mallory")
  }

  @Test("another token of the same user changes nothing, whatever the address, if the server names its user")
  func otherToken() async throws {
    let old = FakeServer(server: home.server, user: "token 1", database: "db-1", userName: "anna")
    let device = try TestDevice(old)
    try device.add("milk")
    await device.sync()
    try device.add("bread")
    for address in [home.server, "http://moved.example"] {
      let new = FakeServer(server: address, user: "token " + address, database: "db-1", userName: "anna")
      for row in old.rows.values { new.put(row.id, row.values) }
      let again = try device.restarted(new)
      #expect(await again.sync().failure == nil, "at \(address)")
      #expect(try again.store.read { try Account.owner(of: $0) }?.user == new.user)
    }
    #expect(try device.operations().isEmpty)
  }

  @Test(
    "a name tells nothing about another user, another database, or a server that does not say it",
    arguments: [("db-1", "eve"), ("db-2", "anna"), ("db-1", nil), (nil, "anna"), (nil, nil)])
  func otherName(database: String?, name: String?) async throws {
    let device = try TestDevice(FakeServer(server: home.server, user: "token 1", database: "db-1", userName: "anna"))
    try device.add("milk")
    await device.sync()
    try device.add("bread")
    let other = FakeServer(server: home.server, user: "token 2", database: database, userName: name)
    let moved = try device.restarted(other)
    #expect(otherAccount(await moved.sync()) != nil)
    #expect(other.rows.isEmpty)
  }

  @Test("the name is learned later too, by a sync that only reads, and goes when the list does")
  func learnedName() async throws {
    let device = try await device()
    let named = FakeServer(server: home.server, database: "db-1", userName: "anna")
    for row in home.rows.values { named.put(row.id, row.values) }
    named.put("new", ["text": .text("eggs")])
    let again = try device.restarted(named)
    #expect(await again.sync(pushes: false).failure == nil)
    #expect(try again.store.read { try Account.owner(of: $0) }?.name == "anna")
    let nobody = FakeServer(server: home.server, user: "token 2", database: "db-1")
    for row in named.rows.values { nobody.put(row.id, row.values) }
    let moved = try again.restarted(nobody)
    #expect(await moved.sync(accountChange: .sameList).failure == nil)
    #expect(try moved.store.read { try Account.owner(of: $0) }?.name == nil, "the list is nobody's of that name now")
  }

  @Test("a server with no name of its own is known by its address")
  func addressOnly() async throws {
    let device = try TestDevice(FakeServer(server: "http://home.example"))
    try device.add("milk")
    await device.sync()
    let moved = try device.restarted(FakeServer(server: "http://127.0.0.1:8080"))
    #expect(otherAccount(await moved.sync()) != nil)
  }

  @Test("a server that says who it is may move")
  func movedServer() async throws {
    let moved = try await device().restarted(FakeServer(server: "http://10.0.0.2:9999", database: "db-1"))
    #expect(await moved.sync().failure == nil)
    #expect(try moved.operations().isEmpty)
  }

  @Test("a server that has another database than before gets nothing")
  func otherDatabase() async throws {
    let device = try await device()
    home.fail(.failure(RemoteFailure(.otherDatabase, mayHaveActed: false)))
    #expect(otherAccount(await device.sync())?.owner.server == "http://home.example")
    #expect(try device.operations().count == 1)
    #expect(try device.operations().allSatisfy { !$0.isMarked })
  }

  @Test("if one of two databases behind an address took the changes, no answer about the list is asked for")
  func twoDatabases() async throws {
    let device = try await device()
    home.fail(.pass, .failure(RemoteFailure(.otherDatabase, mayHaveActed: false)))
    let report = await device.sync()
    #expect(report.push.accepted == 1)
    #expect(otherAccount(report) == nil)
    guard case .remote(let failure)? = report.failure else {
      Issue.record("no failure")
      return
    }
    #expect(failure.reason == .otherDatabase)
  }

  @Test("taken along, all of it goes to the new account as new, and to no other")
  func takeAlong() async throws {
    let device = try await device()
    let other = FakeServer(server: "http://work.example", database: "db-2")
    let moved = try device.restarted(other)
    let report = await moved.sync(accountChange: .takeAlong)
    #expect(report.failure == nil)
    #expect(Set(other.rows.values.compactMap { $0.values["text"]?.text }) == ["milk", "bread"])
    #expect(home.rows.count == 1)
    #expect(try moved.operations().isEmpty)
    #expect(await moved.sync().failure == nil)
  }

  @Test("taken along, rows that were added, edited or are in conflict go as they are, and deletions are counted")
  func takeAlongWaiting() async throws {
    let device = try TestDevice(home)
    for text in ["milk", "bread", "tea", "rice"] { try device.add(text) }
    await device.sync()
    let ids = try device.texts()
    func id(_ text: String) throws -> RecordID { try #require(ids.first { $0.value == text }?.key) }
    for text in ["tea", "rice"] { home.put(try id(text), ["text": .text("brown " + text)]) }
    try device.edit(id("tea"), "green tea")
    try device.table.delete(id("rice"))
    #expect(await device.sync().push.conflicts == 2)
    try device.add("eggs")
    try device.edit(id("bread"), "rye bread")
    try device.table.delete(id("milk"))
    let other = FakeServer(server: "http://work.example", database: "db-2")
    let moved = try device.restarted(other)
    let report = await moved.sync(accountChange: .takeAlong)
    #expect(report.failure == nil && report.droppedDeletions == 2)
    let all = other.rows.values.compactMap { $0.values["text"]?.text }.sorted()
    #expect(all == ["eggs", "green tea", "rye bread"])
    #expect(await moved.sync().droppedDeletions == 0)
    #expect(home.rows.count == 4)
  }

  @Test("taken along, what was deleted and not sent yet is told to nobody")
  func takeAlongWithoutDeleted() async throws {
    let device = try await device()
    let milk = try #require(try device.texts().first { $0.value == "milk" }?.key)
    try device.table.delete(milk)
    let other = FakeServer(server: "http://work.example", database: "db-2")
    await device.restartedThenTakenAlong(other)
    #expect(other.rows.values.compactMap { $0.values["text"]?.text } == ["bread"])
    #expect(home.rows[milk] != nil)
  }

  @Test(
    "a decision that is undone after the list was taken along opens no conflict with a server that never had one",
    arguments: [ConflictResolution.mine, .theirs, .both], [nil, "rye bread"])
  func undoneElsewhere(resolution: ConflictResolution, theirs: String?) async throws {
    let (device, id) = try await TestDevice.withItem("bread", mine: "oat bread", theirs: theirs, on: home)
    await device.sync()
    try device.table.resolve(id, resolution)
    let other = FakeServer(server: "http://work.example", database: "db-2")
    let moved = try device.restarted(other)
    await moved.sync(accountChange: .takeAlong)
    _ = try moved.table.undo()
    #expect(try moved.table.conflicts().isEmpty)
    #expect(await moved.sync().push.conflicts == 0)
    #expect(try moved.texts() == [id: "oat bread"])
  }

  @Test("the same list under another address keeps what waits, and compares everything once")
  func sameList() async throws {
    let device = try await device()
    let copy = FakeServer(server: "http://copy.example")
    for row in home.rows.values { copy.put(row.id, row.values) }
    copy.put("new", ["text": .text("eggs")])
    let moved = try device.restarted(copy)
    #expect(await moved.sync(accountChange: .sameList).failure == nil)
    #expect(Set(try moved.texts().values) == ["milk", "bread", "eggs"])
    #expect(Set(copy.rows.values.compactMap { $0.values["text"]?.text }) == ["milk", "bread", "eggs"])
    #expect(await moved.sync().failure == nil)
  }

  @Test("what another database never had was not deleted there: it is sent, also after the sync was cut")
  func sameListElsewhere() async throws {
    let home = FakeServer(server: "http://home.example", database: "db-1")
    let device = try TestDevice(home)
    for text in ["milk", "bread", "rice", "tea", "oats", "nuts"] { try device.add(text) }
    await device.sync()
    let other = FakeServer(server: "http://home.example", database: "db-2")
    let ids = try device.texts()
    for (id, text) in ids where ["milk", "bread", "nuts"].contains(text) { other.put(id, ["text": .text(text)]) }
    other.put("new", ["text": .text("eggs")])
    for (id, text) in ids where ["oats", "nuts"].contains(text) { try device.edit(id, "fresh " + text) }
    let moved = try device.restarted(other)
    other.fail(.unreachable)
    #expect(await moved.sync(accountChange: .sameList).failure != nil)
    #expect(await moved.sync(pushes: false).failure == nil)
    #expect(await moved.sync().failure == nil)
    #expect(try moved.errors().isEmpty, "nothing to decide: nobody has deleted anything")
    let all = ["bread", "eggs", "fresh nuts", "fresh oats", "milk", "rice", "tea"]
    #expect(try moved.texts().values.sorted() == all)
    #expect(other.rows.values.compactMap { $0.values["text"]?.text }.sorted() == all)
    let rice = try #require(ids.first { $0.value == "rice" }?.key)
    other.remove(rice)
    #expect(await moved.sync().failure == nil)
    #expect(try moved.texts()[rice] == nil, "from now on it is this database that says what is deleted")
  }

  @Test(
    "after more than 90 days what another database lacks counts as deleted, unless an older program pulled meanwhile",
    arguments: [(89, nil, true), (100, nil, false), (100, 100, true), (200, 100, false)] as [(Int64, Int64?, Bool)])
  func sameListAfterLong(days: Int64, pulledByOlder: Int64?, isSent: Bool) async throws {
    let day: Int64 = 86_400_000
    let device = try TestDevice(home)
    for text in ["milk", "bread", "rice"] { try device.add(text) }
    await device.sync()
    let last = device.world.now
    // An older program saves one time for the whole store.
    if let pulledByOlder {
      let pulled = last.advanced(byMilliseconds: pulledByOlder * day).text
      try device.store.write { try $0.setFact(SyncFact.lastPull, pulled) }
    }
    device.world.advance(milliseconds: days * day)
    let other = FakeServer(server: home.server, database: "db-2")
    for (id, text) in try device.texts() where text != "rice" { other.put(id, ["text": .text(text)]) }
    let moved = try device.beside(other)
    #expect(await moved.sync(accountChange: .sameList).failure == nil)
    #expect(try moved.texts().values.contains("rice") == isSent)
    #expect(other.rows.values.contains { $0.values["text"] == .text("rice") } == isSent)
  }

  @Test(
    "what a device that lagged behind gave another database is made what it had become since (D31)",
    arguments: [true, false])
  func laggingDevice(pushesFirst: Bool) async throws {
    let home = FakeServer(server: "http://home.example", database: "db-1")
    let (ahead, behind) = try (TestDevice(home), TestDevice(home))
    for text in ["milk", "bread", "rice", "tea", "oats"] { try ahead.add(text) }
    await ahead.sync()
    await behind.sync()
    let ids = try ahead.texts()
    func id(_ text: String) throws -> RecordID { try #require(ids.first { $0.value == text }?.key) }
    for text in ["milk", "bread", "tea"] { try ahead.edit(id(text), "fresh " + text) }
    await ahead.sync()
    try ahead.edit(id("oats"), "oats soon")
    try ahead.edit(id("tea"), "fresh green tea")
    try behind.edit(id("bread"), "bread rolls")
    let other = FakeServer(server: "http://home.example", database: "db-2")
    let (second, first) = try (ahead.restarted(other), behind.restarted(other))
    #expect(await first.sync(accountChange: .sameList).failure == nil)
    #expect(other.rows[try id("milk")]?.values["text"]?.text == "milk", "it knows nothing newer")
    #expect(await second.sync(pushes: pushesFirst, accountChange: .sameList).failure == nil)
    #expect(await second.sync().failure == nil)
    #expect(try second.errors().isEmpty)
    #expect(await first.sync().failure == nil)
    let all = ["fresh bread rolls", "fresh green tea", "fresh milk", "oats soon", "rice"]
    #expect(other.rows.values.compactMap { $0.values["text"]?.text }.sorted() == all)
    #expect(try first.texts().values.sorted() == all)
    #expect(try second.texts().values.sorted() == all)
  }

  @Test("a text that came back to what it was is newer than what a lagging device gave; of a completion nobody knows")
  func laggingDeviceElsewhere() async throws {
    let (ahead, behind) = try (TestDevice(home), TestDevice(home))
    for text in ["milk", "bread"] { try ahead.add(text) }
    await ahead.sync()
    let ids = try ahead.texts()
    func id(_ text: String) throws -> RecordID { try #require(ids.first { $0.value == text }?.key) }
    try ahead.edit(id("milk"), "oat milk")
    await ahead.sync()
    await behind.sync()
    try ahead.edit(id("milk"), "milk")
    try ahead.table.update(id("bread"), ["complete": .bool(true)])
    await ahead.sync()
    try behind.edit(id("bread"), "bread today")
    let other = FakeServer(server: home.server, database: "db-2")
    let (second, first) = try (ahead.restarted(other), behind.restarted(other))
    #expect(await first.sync(accountChange: .sameList).failure == nil)
    #expect(await second.sync(accountChange: .sameList).failure == nil)
    #expect(other.rows[try id("milk")]?.values["text"]?.text == "milk")
    #expect(try second.errors().map(\.itemID) == [id("bread")])
    try second.table.resolve(id("bread"), .mine)
    #expect(await second.sync().failure == nil)
    #expect(other.rows[try id("bread")]?.values == ["text": .text("bread"), "complete": .bool(true)])
  }

  @Test("what others made of an item in another database before this device came there stays")
  func laggingHere() async throws {
    let device = try TestDevice(FakeServer(server: "http://home.example", database: "db-1"))
    try device.add("milk")
    await device.sync()
    let id = try #require(try device.texts().first?.key)
    try device.edit(id, "oat milk")
    await device.sync()
    let other = FakeServer(server: "http://home.example", database: "db-2")
    other.put(id, ["text": .text("oat milk, two of them")])
    let moved = try device.restarted(other)
    #expect(await moved.sync(accountChange: .sameList).failure == nil)
    #expect(try moved.texts() == [id: "oat milk, two of them"])
    #expect(try moved.operations().isEmpty)
  }

  @Test("the same list is compared at the next sync, when this one fails")
  func sameListInTwoGoes() async throws {
    let device = try await device()
    let copy = FakeServer(server: "http://copy.example")
    copy.put("new", ["text": .text("eggs")])
    let moved = try device.restarted(copy)
    copy.fail(.unreachable)
    #expect(await moved.sync(pushes: false, accountChange: .sameList).failure != nil)
    #expect(await moved.sync(pushes: false, allowsMassRemoval: true).failure == nil)
    #expect(Set(try moved.texts().values) == ["bread", "eggs"])
  }

  @Test("what to do with another account's list is not done where it is no other's")
  func needlessChange() async throws {
    let device = try await device()
    await device.sync(accountChange: .takeAlong)
    #expect(home.requests.count { $0.hasPrefix("POST") } == 2)
  }

  @Test("an emptied store may be synced with anybody")
  func purged() async throws {
    let device = try await device()
    await device.sync()
    #expect(try await device.purge().get().rows == 2)
    let other = FakeServer(server: "http://work.example", database: "db-2")
    other.put("b", ["text": .text("bread")])
    let moved = try device.restarted(other)
    #expect(await moved.sync().failure == nil)
    #expect(try moved.texts() == ["b": "bread"])
  }

  @Test("a first pull that is cut after a page knows which database the list is from (D20)")
  func namedDatabase() async throws {
    let server = FakeServer(database: "db-1", pageCap: 1)
    for id: RecordID in ["a", "b"] { server.put(id, ["text": .text("milk")]) }
    let device = try TestDevice(server)
    server.fail(.pass, .unreachable)
    #expect(await device.sync().failure != nil)
    #expect(try device.texts().count == 1)
    #expect(try device.store.read { try $0.fact(SyncFact.database(of: server.server)) } == "db-1")
  }
}

extension TestDevice {
  fileprivate func restartedThenTakenAlong(_ other: FakeServer) async {
    _ = try? await restarted(other).sync(accountChange: .takeAlong)
  }
}
