import Foundation
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

  /// The names of the runs that go on.
  private let running = Running()

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context, run: Self.run("first", running))
  }

  private static func run(_ name: String, _ running: Running) -> ProgramRun {
    running.names.withLock { _ = $0.insert(name) }
    return ProgramRun(name: name) { name in running.names.withLock { $0.contains(name) } }
  }

  /// Another program that has the list open.
  private func other(_ name: String = "second") throws -> TodoList {
    TodoList(context: try device.beside(server).context, run: Self.run(name, running))
  }

  private func end(_ name: String) { running.names.withLock { _ = $0.remove(name) } }

  @Test(
    "a draft of each kind outlives its program, the newest one",
    arguments: [TodoDraft.Target.new, .item(id: "a", seen: "milk")])
  func survives(target: TodoDraft.Target) throws {
    #expect(try list.draft() == nil)
    try list.saveDrafts([TodoDraft(target: .new, before: "x")])
    let draft = TodoDraft(target: target, before: "oat \"", after: "milk\n")
    try list.saveDrafts([draft])
    end("first")
    #expect(try other().draft() == draft)
    try list.saveDrafts([])
    #expect(try other().draft() == nil)
  }

  /// An item in conflict, and the text that the first program had for it when it ended.
  private func conflictWithDraft() async throws -> (id: RecordID, draft: TodoDraft) {
    let id = try list.add("milk").id
    await device.sync()
    server.put(id, ["text": .text("rice milk"), "complete": .bool(true)])
    try list.edit(id, text: "oat milk")
    await device.sync()
    let draft = TodoDraft(target: .merge(id: id), before: "oat and rice", after: " milk")
    try list.saveDrafts([draft])
    end("first")
    return (id, draft)
  }

  @Test("the text of a conflict that was decided elsewhere is offered as an edit of the item, and goes with it")
  func decidedElsewhere() async throws {
    let (id, draft) = try await conflictWithDraft()
    let second = try other()
    #expect(try second.draft() == draft)
    try second.decide(id, .theirs)
    var edit = TodoDraft(target: .item(id: id, seen: "rice milk"), before: draft.before, after: draft.after)
    edit.isDecided = true
    #expect(try second.draft() == edit)
    #expect(try second.takeOverDraft() == edit)
    try second.edit(id, text: draft.text, seen: "rice milk")
    end("second")
    #expect(try other("third").draft() == nil)
  }

  @Test("the text of a conflict is offered as a new item if the item is gone")
  func decidedAndDeleted() async throws {
    let (id, draft) = try await conflictWithDraft()
    let second = try other()
    try second.decide(id, .theirs)
    try second.delete([id])
    var new = TodoDraft(target: .new, before: draft.before, after: draft.after)
    new.isDecided = true
    #expect(try second.draft() == new)
  }

  @Test("the text of a conflict is not offered if the decision was that text")
  func decidedAlike() async throws {
    let (id, draft) = try await conflictWithDraft()
    let second = try other()
    try second.decide(id, .text(draft.text))
    #expect(try second.draft() == nil)
    let stored = try device.store.read { (store: any StoreReader) in try store.fact("draft") }
    #expect(stored == nil)
  }

  @Test("several drafts of one program are offered one after the other, the newest first")
  func severalOfOne() throws {
    let texts = ["milk", "bread", "rent"].map {
      TodoDraft(target: .item(id: RecordID($0), seen: $0), before: $0 + "!")
    }
    try list.saveDrafts(Array(texts.prefix(2)))
    try list.saveDrafts(texts)
    end("first")
    let second = try other()
    #expect(try second.draft() == texts[2])
    #expect(try second.takeOverDraft() == texts[2])
    #expect(try second.draft() == texts[1])
    try second.refuseDraft()
    #expect(try second.draft() == texts[0])
    end("second")
    let third = try other("third")
    #expect(try third.draft() == texts[2])
  }

  @Test("a draft of a newer Ebb, which this one can't read, is left to that one")
  func newer() throws {
    let newer = #"{"stamp":"s","run":"newer","target":{"wish":{"id":"a"}},"before":"oat ]milk","after":""}"#
    let drafts = { try device.store.read { (store: any StoreReader) in try store.fact("draft") } }
    try device.store.write { (store: any StoreWriter) in try store.setFact("draft", "[\(newer)]") }
    #expect(try list.draft() == nil)
    let draft = TodoDraft(target: .new, before: "bread")
    try list.saveDrafts([draft])
    #expect(try drafts()?.hasPrefix("[\(newer),") == true)
    end("first")
    let second = try other()
    #expect(try second.draft() == draft)
    try second.refuseDraft()
    #expect(try drafts() == "[\(newer)]")
  }

  @Test("drafts that are damaged are dropped, and those before them stay", arguments: ["milk", "[", "[{}, {\"a", "{"])
  func damaged(text: String) throws {
    try device.store.write { (store: any StoreWriter) in try store.setFact("draft", text) }
    #expect(try list.draft() == nil)
    let draft = TodoDraft(target: .new, before: "bread")
    try list.saveDrafts([draft])
    end("first")
    #expect(try other().draft() == draft)
  }

  @Test("a text that another editor wrote after this program had ended is offered by the next one")
  func lent() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-lent-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "item.txt")
    let item = try list.add("milk")
    try list.lendText("milk", for: .item(id: item.id, seen: "milk"), path: file.path)
    try list.saveDrafts([])
    try "oat milk\n\ttwo litres\n".write(to: file, atomically: true, encoding: .utf8)
    #expect(try other("third").draft() == nil, "the first one goes on")
    end("first")
    let second = try other()
    let draft = TodoDraft(target: .item(id: item.id, seen: "milk"), before: "oat milk", after: "\n\ttwo litres")
    #expect(try second.draft() == draft)
    #expect(try second.takeOverDraft() == draft)
    try FileManager.default.removeItem(at: file)
    end("second")
    #expect(try other("third").draft() == draft, "it is kept as any other draft")
  }

  @Test("a text that another editor wrote for a conflict decides it, or edits the item if it was decided meanwhile")
  func lentForConflict() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "ebb-lent-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let id = try await conflictWithDraft().id
    try list.lendText("oat milk", for: .merge(id: id), path: file.path)
    try Data("oat and rice milk\ntwo litres\n".utf8).write(to: file)
    let second = try other()
    let draft = TodoDraft(target: .merge(id: id), before: "oat and rice milk", after: "\ntwo litres")
    #expect(try second.draft() == draft)
    try second.decide(id, .theirs)
    #expect(try second.draft()?.target == .item(id: id, seen: "rice milk"))
  }

  @Test("a byte order mark that another editor wrote is no part of its text")
  func lentWithMark() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "ebb-lent-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("\u{FEFF}(A) milk\n".utf8).write(to: file)
    try list.lendText("milk", for: .item(id: "a", seen: "milk"), path: file.path)
    end("first")
    #expect(try other().draft() == TodoDraft(target: .item(id: "a", seen: "milk"), before: "(A) milk"))
  }

  @Test("a text that could not be saved stays when its item is saved with another one, here or elsewhere")
  func itemSavedOtherwise() throws {
    let item = try list.add("milk")
    let draft = TodoDraft(target: .item(id: item.id, seen: "milk"), before: "oat milk", after: "\nnote")
    try list.saveDrafts([draft])
    end("first")
    let second = try other()
    try second.edit(item.id, text: "soy milk")
    #expect(try second.draft() == draft)
    try second.edit(item.id, text: "oat milk\nnote")
    #expect(try second.draft() == nil)
  }

  @Test(
    "a file that is as it was, is gone, is empty or no text is not offered",
    arguments: [Data("milk\n".utf8), nil, Data(" \n".utf8), Data([0xFF])])
  func lentForNothing(content: Data?) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "ebb-lent-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try content?.write(to: file)
    try list.lendText("milk", for: .item(id: "a", seen: "milk"), path: file.path)
    end("first")
    #expect(try other().draft() == nil)
  }

  @Test("when the other editor has ended, its text is with this program")
  func takenBack() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "ebb-lent-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("oat milk".utf8).write(to: file)
    try list.lendText("milk", for: .item(id: "a", seen: "milk"), path: file.path)
    try list.takeBackText()
    end("first")
    #expect(try other().draft() == nil)
  }

  @Test("what is being typed in one program is not offered to another, and each forgets only its own")
  func beingTyped() throws {
    let draft = TodoDraft(target: .new, before: "mil")
    try list.saveDrafts([draft])
    let second = try other()
    #expect(try second.draft() == nil)
    try second.saveDrafts([TodoDraft(target: .new, before: "bre")])
    try second.saveDrafts([])
    try second.add("bread")
    #expect(try list.draft() == nil)
    end("first")
    #expect(try second.draft() == draft)
  }

  @Test("a draft that was offered is taken over by one program, once")
  func takenOver() throws {
    let draft = TodoDraft(target: .new, before: "mil")
    try list.saveDrafts([draft])
    end("first")
    let (second, third) = (try other(), try other("third"))
    #expect(try second.draft() == draft)
    #expect(try third.draft() == draft)
    #expect(try second.takeOverDraft() == draft)
    #expect(try third.takeOverDraft() == nil)
    try third.refuseDraft()
    #expect(try third.draft() == nil)
    end("second")
    #expect(try third.draft() == draft)
    try third.refuseDraft()
    #expect(try third.draft() == nil)
  }

  @Test("the drafts of several programs that ended are offered one after the other, the newest first")
  func several() throws {
    for number in 1...10 {
      try other("run \(number)").saveDrafts([TodoDraft(target: .new, before: "draft \(number)")])
      end("run \(number)")
    }
    var texts: [String] = []
    while let draft = try list.draft() {
      texts.append(draft.before)
      try list.refuseDraft()
    }
    #expect(texts == (3...10).reversed().map { "draft \($0)" })
  }

  @Test("the text of a conflict takes no place from another draft once its item has it")
  func noPlace() async throws {
    func leave(_ number: Int) throws {
      try other("run \(number)").saveDrafts([TodoDraft(target: .new, before: "draft \(number)")])
      end("run \(number)")
    }
    for number in 1...7 { try leave(number) }
    let (id, draft) = try await conflictWithDraft()
    let second = try other()
    try second.decide(id, .theirs)
    try second.edit(id, text: draft.text)
    try leave(8)
    var texts: [String] = []
    while let draft = try second.draft() {
      texts.append(draft.before)
      try second.refuseDraft()
    }
    #expect(texts == (1...8).reversed().map { "draft \($0)" })
  }

  @Test("the draft of an older Ebb is offered too")
  func older() throws {
    let stored = #"{"stamp":"s","target":{"new":{}},"before":"mil","after":"k"}"#
    try device.context.store.write { try $0.setFact("draft", stored) }
    #expect(try list.draft() == TodoDraft(target: .new, before: "mil", after: "k"))
  }

  @Test("this process goes on, and one of another name does not")
  func process() {
    #expect(ProgramRun.own.isGoingOn(ProgramRun.own.name))
    let fields = ProgramRun.own.name.split(separator: " ")
    #expect(fields.count == 3)
    #expect(!ProgramRun.own.isGoingOn("\(fields[0]) \(fields[1]) 1"))
    #expect(!ProgramRun.own.isGoingOn("another \(fields[1]) \(fields[2])"))
    #expect(!ProgramRun.own.isGoingOn(""))
  }

  @Test("saving the item forgets its draft, whoever typed it; a new one's only in its program")
  func saved() throws {
    let item = try list.add("milk")
    try list.saveDrafts([TodoDraft(target: .new, before: "bre")])
    try list.add("bread")
    let second = try other()
    try list.saveDrafts([TodoDraft(target: .item(id: item.id, seen: "milk"), before: "oat milk")])
    end("first")
    try list.setComplete([item.id], true)
    #expect(throws: TodoError.notFound) { try list.edit("nobody", text: "x") }
    #expect(try second.draft() != nil)
    try other().edit(item.id, text: "oat milk")
    #expect(try second.draft() == nil)
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
    for number in 1...210 { try list.noteHistory("line \(number)", of: .item) }
    try list.noteHistory("line 50", of: .item)
    try list.noteHistory("  ", of: .item)
    let lines = try other().history(of: .item)
    #expect(lines.count == 200 && lines.last == "line 50" && lines.first == "line 11")
    #expect(Set(lines).count == 200)
    try list.noteHistory("+home", of: .filter)
    #expect(try other().history(of: .filter) == ["+home"])
    #expect(try list.history(of: .item) == lines)
  }

  @Test("an item is saved with the line that was typed for it and the end of its draft, in one write")
  func oneWrite() throws {
    let writes = Writes()
    try list.saveDrafts([TodoDraft(target: .new, before: "milk")])
    device.store.listen { _ in writes.count.withLock { $0 += 1 } }
    let stored = { try device.context.store.read { try $0.fact("draft") } }
    #expect(try stored() != nil)
    let item = try list.add("milk", typed: "milk")
    #expect(try stored() == nil)
    #expect(try list.history(of: .item) == ["milk"])
    #expect(writes.count.withLock { $0 } == 1)
    try list.saveDrafts([TodoDraft(target: .item(id: item.id, seen: "milk"), before: "oat milk")])
    try list.edit(item.id, text: "oat milk", seen: "milk", typed: "oat milk")
    #expect(try stored() == nil)
    #expect(try list.history(of: .item) == ["milk", "oat milk"])
    #expect(writes.count.withLock { $0 } == 3)
  }
}

private final class Running: Sendable {
  let names = Mutex<Set<String>>([])
}

private final class Writes: Sendable {
  let count = Mutex(0)
}
