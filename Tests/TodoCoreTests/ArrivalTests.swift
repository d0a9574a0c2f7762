import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("What arrived")
struct ArrivalTests {
  let server = FakeServer()
  let device: TestDevice
  let list: TodoList

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context)
  }

  private func item(_ text: String, complete: Bool = false) -> [String: FieldValue] {
    ["text": .text(text), "complete": .bool(complete)]
  }

  /// A list that was pulled before.
  private func begin(_ texts: [RecordID: String]) async throws {
    for (id, text) in texts { server.put(id, item(text)) }
    await device.sync()
    #expect(try list.arrivals().isEmpty, "the first pull brings the list, and no news")
  }

  @Test("is each kind of change another device made, with what was here before")
  func kinds() async throws {
    try await begin(["a": "milk", "b": "bread", "c": "apples", "d": "pears"])
    server.put("new", item("tea"))
    server.put("a", item("oat milk"))
    server.put("b", item("rye bread", complete: true))
    server.remove("c")
    await device.sync()
    let arrivals = Dictionary(uniqueKeysWithValues: try list.arrivals().map { ($0.id, $0) })
    #expect(arrivals.mapValues(\.kind) == ["new": .added, "a": .edited, "b": .completed, "c": .deleted])
    #expect(arrivals["a"]?.before == TodoCopy(text: "milk") && arrivals["a"]?.after == TodoCopy(text: "oat milk"))
    #expect(arrivals["c"]?.before == TodoCopy(text: "apples"))
    #expect(try list.arrivalCounts() == [.added: 1, .edited: 1, .completed: 1, .deleted: 1])
    #expect(try list.item("a")?.hasArrived == true && list.item("d")?.hasArrived == false)
    server.put("b", item("rye bread"))
    await device.sync()
    #expect(try list.arrivals().last?.id == "b" && list.arrivals().last?.kind == .edited)
    server.put("b", item("bread"))
    await device.sync()
    #expect(try !list.arrivals().map(\.id).contains("b"), "it is again as it was seen")
    try list.markSeen(["a", "nobody"])
    #expect(try Set(list.arrivals().map(\.id)) == ["new", "c"])
    try list.markSeen(list.arrivals().map(\.id))
    #expect(try list.arrivals().isEmpty && list.arrivalCounts().isEmpty)
  }

  @Test("is a conflict that ended by itself, once, and until it was seen", arguments: [true, false])
  func settled(isDeleted: Bool) async throws {
    try await begin(["a": "milk"])
    if isDeleted { try list.delete(["a"]) } else { try list.edit("a", text: "oat milk") }
    server.put("a", item("rice milk"))
    await device.sync()
    #expect(try list.conflicts().count == 1 && list.arrivals().isEmpty)
    if isDeleted { server.remove("a") } else { server.put("a", item("oat milk")) }
    await device.sync()
    #expect(try list.conflicts().isEmpty)
    let arrival = try #require(try list.arrivals().first)
    #expect(arrival.kind == .settled && arrival.before?.text == (isDeleted ? "rice milk" : "oat milk"))
    #expect(arrival.after?.text == (isDeleted ? nil : "oat milk"))
    #expect(try list.arrivalCounts() == [.settled: 1])
    server.put("a", item("tea"))
    await device.sync()
    #expect(try list.arrivals().map(\.kind) == [isDeleted ? .added : .edited])
    try list.markSeen(list.arrivals().map(\.id))
    await device.sync()
    #expect(try list.arrivals().isEmpty)
  }

  @Test("is not a conflict that ends with what was typed here")
  func settledHere() async throws {
    try await begin(["a": "milk"])
    try list.edit("a", text: "oat milk")
    server.put("a", item("rice milk"))
    await device.sync()
    try list.edit("a", text: "rice milk")
    #expect(try list.conflicts().isEmpty)
    await device.sync()
    #expect(try list.arrivals().isEmpty)
  }

  @Test("is not what this device sent, nor what was changed here since")
  func own() async throws {
    try await begin(["a": "milk"])
    try list.add("tea")
    try list.edit("a", text: "oat milk")
    await device.sync()
    await device.sync(isFull: true)
    #expect(try list.arrivals().isEmpty)
    server.put("a", item("rice milk"))
    await device.sync()
    #expect(try list.arrivals().count == 1)
    try list.setComplete(["a"], true)
    #expect(try list.arrivals().isEmpty, "who changes an item has seen it")
  }

  @Test("is what a push brought together with a change of another")
  func merged() async throws {
    try await begin(["a": "call the bank about the loan"])
    try list.edit("a", text: "phone the bank about the loan")
    server.put("a", item("call the bank about the mortgage"))
    await device.sync(pulls: false)
    let arrival = try #require(try list.arrivals().first)
    #expect(arrival.before?.text == "phone the bank about the loan")
    #expect(arrival.after?.text == "phone the bank about the mortgage")
  }

  @Test("is walked through in the order of the list, both ways, in what is shown")
  func next() async throws {
    try await begin([:])
    for text in ["one", "two", "three", "four"] {
      device.world.advance(milliseconds: 5)
      try list.add(text)
    }
    await device.sync()
    let items = try list.items(TodoQuery(), .first, count: 10)
    #expect(try list.nextArrival(after: nil, in: TodoQuery()) == nil)
    for item in [items[1], items[3], items[0]] { server.put(item.id, ["text": .text(item.text + "!")]) }
    server.put(items[0].id, ["complete": .bool(true)])
    await device.sync()
    let shown = try list.items(TodoQuery(), .first, count: 10)
    #expect(shown.map(\.hasArrived) == [true, false, true])
    #expect(try list.nextArrival(after: nil, in: TodoQuery()) == shown[0])
    #expect(try list.nextArrival(after: shown[0], in: TodoQuery()) == shown[2])
    #expect(try list.nextArrival(after: shown[2], in: TodoQuery()) == nil)
    #expect(try list.nextArrival(after: shown[2], in: TodoQuery(), backward: true) == shown[0])
    #expect(try list.nextArrival(after: nil, in: TodoQuery(), backward: true) == shown[2])
    #expect(try list.nextArrival(after: nil, in: TodoQuery(view: .done))?.id == items[0].id)
  }

  @Test("is noted in the transaction that stores it: a sync that fails there tells it the next time", arguments: 1...4)
  func atomic(failing: Int) async throws {
    try await begin(["a": "milk", "b": "bread"])
    server.put("a", item("oat milk"))
    server.remove("b")
    let store = FailingStore(device.store)
    let context = SyncContext(
      SyncPorts(
        tables: [TodoList.table], store: store, remote: server, lock: FreeLock(),
        environment: device.world.environment))
    store.fail(write: failing)
    await withCheckedContinuation { continuation in
      context.request(SyncRequest(pulls: [PullQuery(table: TodoList.table, queryID: "all")])) { event in
        if case .finished = event { continuation.resume() }
      }
    }
    let isStored = try device.texts() == ["a": "oat milk"]
    #expect(try list.arrivals().count == (isStored ? 2 : 0))
    await device.sync()
    #expect(try list.arrivalCounts() == [.edited: 1, .deleted: 1])
  }
}
