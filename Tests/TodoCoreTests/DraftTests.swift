import OfflineSync
import SQLiteStore
import Support
import Synchronization
import TableProtocol
import Testing

@testable import TodoCore

@Suite("What the interface gets back after a restart")
struct DraftTests {
  let server = FakeServer()
  let device: TestDevice
  let list: TodoList

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context)
  }

  private func other() throws -> TodoList { TodoList(context: try device.restarted(server).context) }

  @Test(
    "a draft of each kind survives, the newest one",
    arguments: [
      TodoDraft.Target.new, .item(id: "a", seen: "milk"), .merge(id: "a"),
    ])
  func survives(target: TodoDraft.Target) throws {
    #expect(try list.draft() == nil)
    try list.saveDraft(TodoDraft(target: .new, before: "x"))
    let draft = TodoDraft(target: target, before: "oat \"", after: "milk\n")
    try list.saveDraft(draft)
    #expect(try other().draft() == draft)
    try list.saveDraft(nil)
    #expect(try other().draft() == nil)
  }

  @Test("only who kept a draft, or read it last, forgets it")
  func owners() throws {
    let draft = TodoDraft(target: .new, before: "mil")
    try list.saveDraft(draft)
    let second = try other()
    try second.saveDraft(nil)
    try second.add("bread")
    #expect(try list.draft() == draft)
    #expect(try second.draft() == draft)
    try second.saveDraft(nil)
    #expect(try list.draft() == nil)
  }

  @Test("saving the item forgets its draft, whoever typed it; a new one's only in its program")
  func saved() throws {
    let item = try list.add("milk")
    try list.saveDraft(TodoDraft(target: .new, before: "bre"))
    try list.add("bread")
    #expect(try list.draft() == nil)
    try list.saveDraft(TodoDraft(target: .item(id: item.id, seen: "milk"), before: "oat milk"))
    try list.setComplete([item.id], true)
    #expect(throws: TodoError.notFound) { try list.edit("nobody", text: "x") }
    #expect(try list.draft() != nil)
    try other().edit(item.id, text: "oat milk")
    #expect(try list.draft() == nil)
  }

  @Test("a state of the interface is saved under its name")
  func state() throws {
    #expect(try list.remembered("order") == nil)
    try list.remember("order", "due")
    #expect(try other().remembered("order") == "due")
    try list.remember("order", nil)
    #expect(try list.remembered("order") == nil)
  }

  @Test("the last two hundred lines are kept, each once, the newest last")
  func lines() throws {
    for number in 1...210 { try list.noteHistory("line \(number)") }
    try list.noteHistory("line 50")
    try list.noteHistory("  ")
    let lines = try other().history()
    #expect(lines.count == 200 && lines.last == "line 50" && lines.first == "line 11")
    #expect(Set(lines).count == 200)
  }

  @Test("an item is saved with the line that was typed for it and the end of its draft, in one write")
  func oneWrite() throws {
    let writes = Writes()
    try list.saveDraft(TodoDraft(target: .new, before: "milk"))
    device.store.listen { _ in writes.count.withLock { $0 += 1 } }
    let item = try list.add("milk", typed: "milk")
    #expect(try list.draft() == nil)
    #expect(try list.history() == ["milk"])
    #expect(writes.count.withLock { $0 } == 1)
    try list.saveDraft(TodoDraft(target: .item(id: item.id, seen: "milk"), before: "oat milk"))
    try list.edit(item.id, text: "oat milk", seen: "milk", typed: "oat milk")
    #expect(try list.draft() == nil)
    #expect(try list.history() == ["milk", "oat milk"])
    #expect(writes.count.withLock { $0 } == 3)
  }
}

private final class Writes: Sendable {
  let count = Mutex(0)
}
