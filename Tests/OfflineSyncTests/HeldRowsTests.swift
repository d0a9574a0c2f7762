import Support
import TableProtocol
import Testing

@testable import OfflineSync

@Suite("A change of a row about which a person is asked, since the server went back")
struct HeldRowsTests {
  private let server = FakeServer(
    tellsDigest: true,
    manners: .init {
      $0.announcesState = true
      $0.promisesOrder = .always
    })
  private let all = PullQuery(table: "TodoItem", queryID: "all")

  private var sendingBack: SyncRequest { SyncRequest(pulls: [all], afterRestore: .sendBack) }

  /// Two devices with an item that the server has lost. The person at the laptop, which added it, is asked about it.
  private func asked() async throws -> (laptop: TestDevice, phone: TestDevice, item: RecordID) {
    let (laptop, phone) = (try TestDevice(server), try TestDevice(server))
    try laptop.add("keep")
    await laptop.sync()
    let backup = server.backUp()
    server.advance(milliseconds: 1_000)
    let item = try laptop.add("new")
    await laptop.sync()
    await phone.sync()
    server.restore(backup)
    #expect(await laptop.sync().failure != nil)
    #expect(try laptop.errors().map(\.kind) == [.held])
    laptop.world.advance(milliseconds: 60_000)
    return (laptop, phone, item)
  }

  /// The phone sends its copy again, and the laptop hears of it.
  private func sendAgain(from phone: TestDevice, to laptop: TestDevice) async {
    server.advance(milliseconds: 120_000)
    await phone.sync()
    #expect(await phone.sync(sendingBack).push.accepted == 1)
    await laptop.sync()
  }

  @Test("an item that is deleted, or whose adding is undone, does not come back unasked", arguments: [false, true])
  func deleted(byUndo: Bool) async throws {
    let (laptop, phone, item) = try await asked()
    if byUndo { #expect(try laptop.table.undo() != nil) } else { try laptop.table.delete(item) }
    #expect(try laptop.texts()[item] == nil && laptop.operations().isEmpty)
    #expect(await laptop.sync().failure == nil)
    await sendAgain(from: phone, to: laptop)
    #expect(try laptop.texts()[item] == nil)
    let conflict = try #require(try laptop.table.conflicts().first)
    #expect(conflict.itemID == item && conflict.error.kind == .conflict && conflict.mine == nil)
    #expect(conflict.theirs?.values["text"] == .text("new"))
  }

  @Test("nor if it is deleted when the question is answered and the answer is not sent yet")
  func deletedAfterAnswer() async throws {
    let (laptop, phone, item) = try await asked()
    try laptop.table.resolve(item, .mine)
    try laptop.table.delete(item)
    #expect(try laptop.operations().isEmpty)
    await sendAgain(from: phone, to: laptop)
    #expect(try laptop.texts()[item] == nil && laptop.table.conflicts().map(\.itemID) == [item])
  }

  @Test("nor if nobody announced that the server went back")
  func unannounced() async throws {
    let (laptop, phone) = (try TestDevice(server), try TestDevice(server))
    server.put("keep", ["text": .text("keep"), "complete": .bool(false)])
    let backup = server.backUp()
    server.advance(milliseconds: 1_000)
    server.put("new", ["text": .text("new"), "complete": .bool(false)])
    await laptop.sync()
    await phone.sync()
    server.restore(backup, raisesEpoch: false)
    #expect(await laptop.sync().failure != nil)
    try laptop.table.delete("new")
    await sendAgain(from: phone, to: laptop)
    #expect(try laptop.texts()["new"] == nil && laptop.table.conflicts().map(\.itemID) == ["new"])
  }

  @Test("the person decides once: what is deleted then is deleted everywhere, and what is brought back stays")
  func decided() async throws {
    let (laptop, phone, item) = try await asked()
    try laptop.table.delete(item)
    await sendAgain(from: phone, to: laptop)
    try laptop.table.resolve(item, .mine)
    #expect(await laptop.sync().failure == nil)
    #expect(await phone.sync().failure == nil)
    #expect(try phone.texts()[item] == nil)
    server.put(item, ["text": .text("new"), "complete": .bool(false)])
    await laptop.sync()
    #expect(try laptop.texts()[item] == "new" && laptop.table.conflicts().isEmpty)
  }

  @Test("a deletion that the person undoes at once is none")
  func undone() async throws {
    let (laptop, phone, item) = try await asked()
    try laptop.table.delete(item)
    #expect(try laptop.table.undo() != nil)
    #expect(await laptop.sync().failure == nil)
    #expect(server.rows[item]?.values["text"] == .text("new"))
    await phone.sync()
    #expect(try [laptop, phone].allSatisfy { try $0.texts()[item] == "new" && $0.errors().isEmpty })
  }

  @Test("what another device writes meanwhile is asked about, and not merged as if the older copy were an ancestor")
  func writtenMeanwhile() async throws {
    let (laptop, bread) = try await TestDevice.withItem("bread", on: server)
    let phone = try TestDevice(server)
    await phone.sync()
    let backup = server.backUp()
    server.advance(milliseconds: 1_000)
    try laptop.edit(bread, "bread brown")
    await laptop.sync()
    await phone.sync()
    server.restore(backup)
    #expect(await laptop.sync().failure != nil)
    try phone.edit(bread, "bread black")
    await phone.sync()
    #expect(await phone.sync(sendingBack).failure == nil)
    await laptop.sync()
    let conflict = try #require(try laptop.table.conflicts().first)
    #expect(conflict.error.kind == .conflict && conflict.base == nil)
    #expect(conflict.mine?.values["text"] == .text("bread brown"))
    #expect(conflict.theirs?.values["text"] == .text("bread black"))
    #expect(await laptop.sync(sendingBack).failure == nil)
    #expect(server.rows[bread]?.values["text"] == .text("bread black"), "the answer is about the whole list")
  }
}
