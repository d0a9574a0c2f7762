import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("What an item was")
struct StoryTests {
  let server = FakeServer()
  let device: TestDevice
  let list: TodoList

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context)
  }

  private func told(_ id: RecordID) throws -> [String] {
    try list.story(of: id).map { "\($0.copy?.text ?? "-") \($0.origin.rawValue)" }
  }

  @Test("is told newest first, with who changed it, over syncs and restarts")
  func story() async throws {
    let id = try list.add("milk").id
    #expect(try told(id) == ["milk here"])
    await device.sync()
    #expect(try told(id) == ["milk here"], "what only the server adds is no change")
    device.world.advance(milliseconds: 1_000)
    try list.edit(id, text: "oat milk")
    #expect(try list.story(of: id).first?.madeAt == device.world.now.date)
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    await device.sync()
    try list.delete([id])
    #expect(try told(id) == ["- here", "rice milk server", "oat milk here", "milk here"])
    let again = TodoList(context: try device.restarted(server).context)
    #expect(try again.story(of: id).map(\.number) == [4, 3, 2, 1])
    #expect(try again.story(of: "nobody").isEmpty)
  }

  @Test("says since when an item is done, and nothing of one that is open again")
  func done() throws {
    let id = try list.add("milk").id
    device.world.advance(milliseconds: 60_000)
    _ = try list.setComplete([id], true)
    #expect(try list.detail(of: id)?.item.completedAt == device.world.now)
    _ = try list.setComplete([id], false)
    #expect(try list.detail(of: id)?.item.completedAt == nil)
  }

  @Test("an undo and a redo say when the change was made that they take back")
  func undoTimes() throws {
    let id = try list.add("milk").id
    device.world.advance(milliseconds: 60_000)
    let completed = device.world.now.date
    try list.setComplete([id], true)
    device.world.advance(milliseconds: 60_000)
    let undone = device.world.now.date
    #expect(try list.undo()?.madeAt == completed)
    device.world.advance(milliseconds: 60_000)
    #expect(try list.redo()?.madeAt == undone)
    _ = try list.undo()
    #expect(try list.undo()?.madeAt != nil)
    #expect(try list.item(id) == nil)
  }

  @Test("of one that was never changed here is read off it, and costs nothing")
  func unchanged() async throws {
    server.put("a", ["text": .text("milk"), "complete": .bool(false)])
    await device.sync()
    let version = try #require(try list.story(of: "a").first)
    #expect(version.copy == TodoCopy(text: "milk") && version.origin == .server && version.number == 0)
    #expect(version.madeAt != nil)
    let store: any LocalStore = device.store
    #expect(try store.read { try $0.pastVersions(of: "a", in: TodoList.table) }.isEmpty)
  }

  @Test("holds both sides of a merge, and of a decision")
  func merge() async throws {
    let id = try list.add("call the bank about the loan").id
    await device.sync()
    try list.edit(id, text: "phone the bank about the loan")
    server.put(id, ["text": .text("call the bank about the mortgage")])
    await device.sync()
    #expect(
      try told(id).dropLast() == [
        "phone the bank about the mortgage merge", "call the bank about the mortgage server",
        "phone the bank about the loan here",
      ])
    try list.edit(id, text: "mine")
    server.put(id, ["text": .text("theirs")])
    await device.sync()
    try list.decide(id, .text("both"))
    #expect(try told(id).prefix(3) == ["both merge", "theirs server", "mine here"])
  }

  @Test("any version can be made the present one again, also of a deleted item, and undone", arguments: [true, false])
  func restore(isSynced: Bool) async throws {
    let id = try list.add("milk").id
    if isSynced { await device.sync() }
    try list.edit(id, text: "oat milk")
    if isSynced { await device.sync() }
    try list.restore(id, to: 1)
    #expect(try list.item(id)?.text == "milk")
    _ = try list.undo()
    #expect(try list.item(id)?.text == "oat milk")
    try list.delete([id])
    if isSynced { await device.sync() }
    try list.restore(id, to: 2)
    #expect(try list.item(id)?.text == "oat milk")
    #expect(try list.undo()?.obstacle == nil)
    #expect(try list.item(id) == nil)
    #expect(try list.redo()?.obstacle == nil)
    await device.sync()
    await device.sync()
    #expect(try list.item(id)?.text == "oat milk" && list.outboxCount() == 0)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(throws: TodoError.notFound) { try list.restore(id, to: 99) }
    #expect(throws: TodoError.notFound) { try list.restore("nobody", to: 0) }
  }

  @Test("the newest fifty versions of an item are kept")
  func bound() throws {
    let id = try list.add("0").id
    for number in 1...60 { try list.edit(id, text: "\(number)") }
    let story = try list.story(of: id)
    #expect(story.first?.copy?.text == "60" && story.count == 51)
    #expect(story.last?.copy?.text == "10")
    try list.restore(id, to: try #require(story.last).number)
    #expect(try list.item(id)?.text == "10")
  }
}
