import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("A server from which lists of others were removed")
struct RemovedListsTests {
  private let server = FakeServer(
    tellsDigest: true,
    manners: .init {
      $0.announcesState = true
      $0.promisesOrder = .always
    })

  /// Two devices have an item. One marks it as done without a network.
  private func devices() async throws -> (laptop: TestDevice, phone: TestDevice, milk: RecordID) {
    let (laptop, milk) = try await TestDevice.withItem("milk", on: server)
    let phone = try TestDevice(server)
    await phone.sync()
    try phone.table.update(milk, ["complete": .bool(true)])
    return (laptop, phone, milk)
  }

  /// The other device changes the text, in another epoch each time.
  private func edit(_ milk: RecordID, on laptop: TestDevice, _ text: String) async throws {
    server.advance(milliseconds: 1_000)
    try laptop.edit(milk, text)
    #expect(await laptop.sync().failure == nil)
  }

  @Test("asks nothing of a device that slept through all of them, and merges its change", arguments: [1, 2, 7])
  func removals(count: Int) async throws {
    let (laptop, phone, milk) = try await devices()
    for number in 1...count {
      server.removeOtherLists()
      try await edit(milk, on: laptop, "milk \(number)")
    }
    #expect(await phone.sync().failure == nil)
    #expect(try phone.table.conflicts().isEmpty && phone.operations().isEmpty)
    #expect(server.rows[milk]?.values == ["text": .text("milk \(count)"), "complete": .bool(true)])
    let requests = server.requests.count
    #expect(await phone.sync().failure == nil)
    #expect(server.requests.count == requests + 1, "it knows the last epoch now")
  }

  @Test("asks about each row that differs if it was put back from a copy too, whenever that was", arguments: 0...2)
  func restored(place: Int) async throws {
    let (laptop, phone, milk) = try await devices()
    for number in 0...2 {
      if number == place { server.restore(server.backUp()) } else { server.removeOtherLists() }
      try await edit(milk, on: laptop, "milk \(number)")
    }
    await phone.sync()
    #expect(try phone.table.conflicts().map(\.itemID) == [milk])
    #expect(server.rows[milk]?.values["text"] == .text("milk 2"))
  }

  @Test("asks about each row that differs if there were more removals than it can name")
  func tooMany() async throws {
    let (laptop, phone, milk) = try await devices()
    for number in 1...9 {
      server.removeOtherLists()
      try await edit(milk, on: laptop, "milk \(number)")
    }
    await phone.sync()
    #expect(try phone.table.conflicts().map(\.itemID) == [milk])
  }

  @Test("asks about each row that differs if this list was removed too, and begun again", arguments: 0...2)
  func begunAgain(before: Int) async throws {
    let (laptop, phone, milk) = try await devices()
    for number in 0..<before {
      server.removeOtherLists()
      try await edit(milk, on: laptop, "milk \(number)")
    }
    server.removeList()
    await laptop.sync()
    #expect(try laptop.table.conflicts().map(\.itemID) == [milk])
    let all = PullQuery(table: "TodoItem", queryID: "all")
    #expect(await laptop.sync(SyncRequest(pulls: [all], afterRestore: .sendBack)).failure == nil)
    for number in 3...4 {
      server.removeOtherLists()
      try await edit(milk, on: laptop, "milk \(number)")
    }
    #expect(try laptop.table.conflicts().isEmpty, "it has met the list that was begun again")
    await phone.sync()
    #expect(try phone.table.conflicts().map(\.itemID) == [milk])
    #expect(server.rows[milk]?.values["text"] == .text("milk 4"))
  }

  @Test("still lacks what it lost in other ways, and that is held, whatever it says of its epochs")
  func lost() async throws {
    let (laptop, phone, _) = try await devices()
    let bread = try laptop.add("bread")
    await laptop.sync()
    await phone.sync()
    for _ in 0..<2 { server.removeOtherLists() }
    server.forget(bread)
    server.advance(milliseconds: 1_000)
    server.put("other", ["text": .text("later than all")])
    await phone.sync()
    #expect(try phone.texts()[bread] == "bread")
    #expect(try phone.table.conflicts().map(\.itemID) == [bread])
  }

  private static let from = Timestamp(milliseconds: 1_000)

  /// The known epoch, the one that the server announces, and whether its moment holds for what the device has.
  private static let steps: [(known: String, announced: String, isKept: Bool)] = [
    // Removals alone.
    ("1", "2;nonce=a,1", true), ("1", "4;nonce=c,b,a,1", true), ("2;nonce=a,1", "4;nonce=c,b,a", true),
    ("2;nonce=a", "3;nonce=b,a", true), ("3;from=1970-01-01T00:00:00.007Z;nonce=b,a", "3;nonce=b,a", true),
    // One step, of whatever kind, also from and to the epochs of early versions.
    ("1", "2;nonce=a", true), ("1", "2", true), ("2;nonce=a,1", "3", true), ("2", "3;nonce=b", true),
    // An older copy, under its former number or under the next.
    ("4;nonce=c,b,a,1", "2;nonce=a,1", true), ("4;nonce=c,b,a,1", "1", true), ("4;nonce=c,b", "3;nonce=x", true),
    ("4;nonce=c,b", "4;nonce=x", true), ("4;nonce=c,b", "5;nonce=x", true),
    // More than one step, and not removals alone.
    ("1", "3;nonce=b", false), ("1", "3;nonce=b,a", false), ("1", "3", false), ("2;nonce=a,1", "4;nonce=c,b", false),
    ("2", "4;nonce=c,b", false),
    // An older copy from which lists were removed since.
    ("4;nonce=c,b", "3;nonce=y,x", false), ("4;nonce=c,b", "4;nonce=y,x", false), ("4;nonce=c,b", "5;nonce=y,x", false),
    ("4;nonce=c,b,a,1", "3;nonce=x,a,1", false), ("5", "2;nonce=a,1", false), ("5", "4;nonce=y,x", false),
    // Names that do not fit the numbers.
    ("1", "4;nonce=a,1", false), ("5;nonce=a", "4;nonce=c,b,a", false),
  ]

  @Test("has kept what a device got before, up to the moment of its epoch, if each missed step was a removal")
  func decision() throws {
    for (known, announced, isKept) in Self.steps {
      let (before, now) = (try #require(DatabaseEpoch(known)), try #require(DatabaseEpoch(announced)))
      let dated = DatabaseEpoch(number: now.number, from: Self.from, nonce: now.nonce)
      let expected = isKept ? Self.from : Timestamp.epoch
      #expect(dated.newestKept(since: before) == expected, "\(known) and then \(announced)")
      #expect(now.newestKept(since: before) == .epoch, "a state without rows kept none: \(known), \(announced)")
    }
  }
}
