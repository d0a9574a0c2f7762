import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("Changes of several items")
struct GroupTests {
  let server = FakeServer()
  let device: TestDevice
  let list: TodoList

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context)
  }

  private func texts(_ view: TodoView = .all) throws -> [String] {
    try list.items(TodoQuery(view: view), .first, count: 100).map(\.text)
  }

  @Test("are added in the order given, without the blank ones, and undone and done again as one")
  func add() throws {
    let items = try list.add(["milk", " ", "bread", "apples\n"])
    #expect(items.map(\.text) == ["milk", "bread", "apples"])
    #expect(try texts() == ["milk", "bread", "apples"])
    #expect(try list.undo()?.count == 3)
    #expect(try texts().isEmpty)
    #expect(try list.outboxCount() == 0)
    #expect(try list.redo()?.count == 3)
    #expect(try texts() == ["milk", "bread", "apples"])
    #expect(throws: TodoError.emptyText) { try list.add([" ", ""]) }
  }

  @Test("count what they change, pass over what is gone, and leave alone what is so already")
  func counts() throws {
    let ids = try list.add(["milk", "bread", "apples"]).map(\.id)
    try list.setComplete([ids[0]], true)
    #expect(try list.setComplete(ids + ["nobody"], true) == 2)
    #expect(try list.rewrite(ids) { $0 == "milk" ? $0 : $0 + " +shop" } == 2)
    #expect(try list.rewrite(ids) { _ in " " } == 0)
    #expect(try list.delete([ids[1], ids[1], "nobody"]) == 1)
    #expect(try texts() == ["milk", "apples +shop"])
    for _ in 0..<3 { #expect(try list.undo()?.obstacle == nil) }
    #expect(try texts(.done) == ["milk"])
  }

  @Test("are undone item by item: what others changed since stays, and is said")
  func meanwhile() async throws {
    let ids = try list.add(["milk", "bread", "apples"]).map(\.id)
    try list.rewrite(ids) { $0 + "!" }
    await device.sync()
    server.put(ids[1], ["text": .text("rye bread")])
    server.remove(ids[2])
    await device.sync()
    let undone = try #require(try list.undo())
    #expect(undone.count == 1 && undone.obstacle == nil && undone.itemID == ids[0])
    #expect(Set(undone.obstructedItems) == [ids[1], ids[2]])
    #expect(undone.keptItems == [ids[1]])
    #expect(try texts() == ["milk", "rye bread"])
    #expect(try list.redo()?.count == 1)
    #expect(try texts() == ["milk!", "rye bread"])
  }

  @Test("are all made, or none, when the store fails")
  func failing() throws {
    let store = FailingStore(device.store)
    let table = SyncTable(TodoList.table, store: store, environment: device.world.environment)
    store.fail(write: 1)
    #expect(throws: FailingStore.error) { try table.insert([["text": .text("a")], ["text": .text("b")]]) }
    #expect(try texts().isEmpty)
    #expect(try list.undo() == nil)
  }
}
