import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("Conflicts, refusals and undo of to-dos")
struct DecisionTests {
  let device: TestDevice
  let list: TodoList
  let server = FakeServer()

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context)
  }

  private func conflict(deletedHere: Bool = false) async throws -> RecordID {
    let id = try list.add("milk").id
    await device.sync()
    server.put(id, ["text": .text("rice milk"), "complete": .bool(true)])
    if deletedHere { try list.delete([id]) } else { try list.edit(id, text: "oat milk") }
    await device.sync()
    return id
  }

  @Test("a conflict has the three copies, the fields and the words that differ, and a text to begin with")
  func copies() async throws {
    let id = try await conflict()
    let conflict = try #require(try list.conflicts().first)
    #expect(conflict.id == id && conflict.kind == .conflict && conflict.status == 412)
    #expect(conflict.base == TodoCopy(text: "milk"))
    #expect(conflict.mine == TodoCopy(text: "oat milk"))
    #expect(conflict.theirs == TodoCopy(text: "rice milk", complete: true))
    #expect(conflict.fields == [.text, .complete])
    #expect(conflict.words(of: TodoCopy(text: "oat milk")) == [.added("oat"), .same("milk")])
    #expect(conflict.proposal == "oat rice milk")
  }

  @Test("the outbox shows a change in conflict from the text that was changed, and no count of what is sent has it")
  func outbox() async throws {
    let id = try await conflict()
    let change = try #require(try list.outbox(limit: 10).first)
    #expect(change.id == id && change.reason == .conflict)
    #expect(change.before == TodoCopy(text: "milk") && change.after == TodoCopy(text: "oat milk"))
    let status = try list.status()
    #expect(status.pending == 1 && status.undecided == 1 && status.toSend == 0)
  }

  @Test("undo and redo of a decision are called so, whatever the decision did to the text")
  func undoIsNamed() async throws {
    for choice in [TodoDecision.mine, .theirs, .both] {
      let id = try await conflict()
      try list.decide(id, choice)
      let undone = try #require(try list.undo())
      #expect(undone.action == .decide && undone.itemID == id && undone.obstacle == nil)
      #expect(try list.conflicts().contains { $0.id == id })
      #expect(try list.redo()?.action == .decide)
    }
  }

  @Test("undo of one decision for both copies of several items counts the conflicts, not the copies")
  func undoCounts() async throws {
    for _ in 0..<3 { _ = try await conflict() }
    let outcome = try list.resolve(list.conflicts(), .both)
    #expect(outcome.decided == 3)
    #expect(try list.undo()?.count == 3)
    #expect(try list.conflicts().count == 3)
    #expect(try list.redo()?.count == 3)
  }

  @Test("several decisions are one step of undo, each its own; if one of them is outdated, none is carried out")
  func severalDecisions() async throws {
    let (oat, rye) = (try await conflict(), try await conflict())
    let shown = try list.conflicts()
    let (first, second) = (try #require(shown.first { $0.id == oat }), try #require(shown.first { $0.id == rye }))
    #expect(try list.resolve([first: .text("oat and rice milk"), second: .theirs]) == [])
    #expect(try list.item(oat)?.text == "oat and rice milk" && list.item(rye)?.text == "rice milk")
    #expect(try list.undo()?.count == 2)
    let again = try list.conflicts()
    #expect(again.count == 2)
    try list.decide(rye, .mine)
    #expect(throws: TodoError.nothingToDecide) {
      try list.resolve(Dictionary(uniqueKeysWithValues: again.map { ($0, TodoDecision.theirs) }))
    }
    #expect(try list.conflicts().map(\.id) == [oat])
  }

  @Test("undo of a decision for the text there opens the conflict again, also after a sync")
  func undoOfTheirs() async throws {
    let id = try await conflict()
    try list.decide(id, .theirs)
    await device.sync()
    let undone = try #require(try list.undo())
    #expect(undone.action == .decide && undone.conflict == .opened && undone.leftItem == nil)
    #expect(try list.conflicts().map(\.id) == [id])
  }

  @Test("undo of a deletion that was decided for and sent brings the item back as the server had it, and says so")
  func undoOfSentDeletion() async throws {
    let id = try await conflict(deletedHere: true)
    try list.decide(id, .mine)
    await device.sync()
    let undone = try #require(try list.undo())
    #expect(undone.action == .decide && undone.obstacle == nil && undone.conflict == nil)
    #expect(undone.leftItem == .live(TodoCopy(text: "rice milk", complete: true)))
  }

  @Test("a sent decision for the item here stays, and it is known if the other side had deleted the item")
  func undoOfSentDecision() async throws {
    let edited = try list.add("milk").id
    await device.sync()
    server.put(edited, ["text": .text("rice milk")])
    try list.edit(edited, text: "oat milk")
    await device.sync()
    try list.decide(edited, .mine)
    await device.sync()
    let kept = try #require(try list.undo())
    #expect(kept.action == .decide && kept.obstacle == .alreadySent && !kept.isAgainstDeletion)
    let id = try list.add("bread").id
    await device.sync()
    server.remove(id)
    try list.edit(id, text: "rye bread")
    await device.sync()
    try list.decide(id, .mine)
    await device.sync()
    let undone = try #require(try list.undo())
    #expect(undone.action == .decide && undone.obstacle == .alreadySent && undone.isAgainstDeletion)
  }

  @Test("a text of one's own settles it; an empty one is refused")
  func text() async throws {
    let id = try await conflict()
    #expect(throws: TodoError.emptyText) { try list.decide(id, .text(" ")) }
    try list.decide(id, .text(" oat and\nrice milk "))
    #expect(try list.item(id)?.state == .waiting)
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat and\nrice milk"))
    #expect(throws: TodoError.nothingToDecide) { try list.decide(id, .mine) }
  }

  @Test("a decision about copies that are others now is not applied, and the conflict waits as it is")
  func outdated() async throws {
    let id = try await conflict()
    let shown = try #require(try list.conflicts().first)
    server.put(id, ["text": .text("almond milk"), "complete": .bool(true)])
    await device.sync()
    #expect(throws: TodoError.conflictChanged) { try list.resolve([shown: .theirs]) }
    #expect(try list.item(id)?.text == "oat milk")
    let now = try #require(try list.conflicts().first)
    #expect(now.theirs == TodoCopy(text: "almond milk", complete: true))
    try list.edit(id, text: "soy milk")
    #expect(throws: TodoError.conflictChanged, "my own text may be changed by another program") {
      try list.resolve([now: .mine])
    }
    try list.resolve([#require(try list.conflicts().first): .mine])
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("soy milk"))
  }

  @Test("a decision is applied if only the server's version moved")
  func sameCopies() async throws {
    let id = try await conflict()
    let shown = try #require(try list.conflicts().first)
    server.put(id, ["text": .text("rice milk"), "complete": .bool(true)])
    await device.sync()
    try list.resolve([shown: .mine])
    await device.sync()
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
    #expect(try list.conflicts().isEmpty)
  }

  @Test("the decision \"both\" keeps the text here as a new item")
  func both() async throws {
    let id = try await conflict()
    let copy = try #require(try list.decide(id, .both))
    #expect(try list.item(id)?.text == "rice milk")
    #expect(try list.item(copy)?.text == "oat milk")
  }

  @Test("\"both\" of an item that was deleted here takes the copy that is left, and makes no other")
  func bothDeletedHere() async throws {
    let id = try await conflict(deletedHere: true)
    #expect(try list.decide(id, .both) == nil)
    #expect(try list.item(id)?.text == "rice milk")
    await device.sync()
    #expect(try list.conflicts().isEmpty && server.rows.count == 1)
  }

  @Test("\"both\" of an item that was deleted there keeps the item that is here, and makes no other")
  func bothDeletedThere() async throws {
    let id = try list.add("milk").id
    await device.sync()
    server.remove(id)
    try list.edit(id, text: "oat milk")
    await device.sync()
    #expect(try list.conflicts().first?.theirs == nil)
    #expect(try list.decide(id, .both) == nil)
    await device.sync()
    #expect(try list.item(id)?.text == "oat milk" && list.item(id)?.state == .synced)
    #expect(server.rows[id]?.values["text"] == .text("oat milk"))
  }

  @Test(
    "the words that the text to start from lacks are named, and only those that a side added",
    arguments: [
      ("pay rent", "pay rent due:2026-11-25", "pay rent due:2026-12-01", ["due:2026-12-01"]),
      ("(C) pay rent", "(A) pay rent", "(B) pay rent", ["(B)"]), ("milk", "oat milk", "rice milk", []),
      ("a b", "a x", "a", []),
    ] as [(String, String, String, [String])])
  func leftOut(base: String, mine: String, theirs: String, words: [String]) {
    let conflict = TodoConflict(
      id: "a", base: TodoCopy(text: base), mine: TodoCopy(text: mine), theirs: TodoCopy(text: theirs))
    #expect(conflict.leftOut == words)
  }

  @Test("an item deleted here has a handle that finds its conflict")
  func handleOfDeleted() async throws {
    let id = try await conflict(deletedHere: true)
    let conflicts = try list.conflicts()
    let handle = try list.handle(of: conflicts[0], among: conflicts)
    #expect(try list.conflict(handle: handle).id == id)
    #expect(try list.conflict(handle: id.text.uppercased()).mine == nil)
    #expect(throws: TodoError.notFound) { try list.conflict(handle: "nosuch") }
    let other = try list.add("bread").id
    #expect(throws: TodoError.nothingToDecide) { try list.conflict(handle: other.text) }
    #expect(throws: TodoError.self) { try list.conflict(handle: String(id.text.prefix(2))) }
    #expect(try list.handle(of: conflicts[0], among: conflicts).count > handle.count)
  }

  @Test("a refusal has the server's reason, and what the server had before")
  func refusal() async throws {
    let id = try list.add("milk").id
    await device.sync()
    try list.edit(id, text: "far too long")
    server.fail(.answer(.refused(status: 400, message: "too long")))
    await device.sync()
    let conflict = try #require(try list.conflicts().first)
    #expect(conflict.kind == .refused(reason: "too long") && conflict.status == 400)
    #expect(conflict.theirs == TodoCopy(text: "milk"))
    try list.decide(id, .theirs)
    #expect(try list.item(id)?.text == "milk" && list.item(id)?.state == .synced)
  }

  @Test("both of a refused item is not carried out: the text stays, and it still waits for a decision")
  func bothRefused() async throws {
    let id = try list.add("milk").id
    server.fail(.answer(.refused(status: 403, message: "no")))
    await device.sync()
    #expect(throws: TodoError.bothRefused) { try list.decide(id, .both) }
    #expect(try list.item(id)?.text == "milk")
    #expect(try list.conflicts().map(\.id) == [id])
  }

  @Test("undo and redo say what was done, newest first")
  func words() throws {
    let id = try list.add("milk").id
    try list.edit(id, text: "oat milk")
    try list.setComplete([id], true)
    try list.setComplete([id], false)
    try list.delete([id])
    let undone = try (0..<5).compactMap { _ in try list.undo() }
    #expect(undone.map(\.action) == [.delete, .reopen, .complete, .edit, .add])
    #expect(undone.map(\.text) == ["oat milk", "oat milk", "oat milk", "oat milk", "milk"])
    #expect(try list.undo() == nil)
    #expect(try (0..<5).compactMap { _ in try list.redo()?.action } == [.add, .edit, .complete, .reopen, .delete])
  }

  @Test("a text another device changed since stays, by name")
  func kept() async throws {
    let id = try list.add("milk").id
    try list.edit(id, text: "oat milk")
    await device.sync()
    server.put(id, ["text": .text("rice milk")])
    await device.sync()
    let reversal = try #require(try list.undo())
    #expect(reversal.kept == [.text] && reversal.obstacle == .changedSince)
    #expect(try list.item(id)?.text == "rice milk")
  }

  @Test(
    "the words that differ are found",
    arguments: [
      ("milk", "milk", [WordRun.same("milk")]),
      (
        "milk\ntwo litres\n\n  now", "milk\nthree litres\n\n  now",
        [.same("milk\n"), .removed("two"), .added("three"), .same("litres\n\n  now")]
      ),
      ("milk", "milk\ntwo", [.same("milk"), .added("\ntwo")]),
      ("call the bank", "phone the bank", [.removed("call"), .added("phone"), .same("the bank")]),
      ("a b c", "a c", [.same("a"), .removed("b"), .same("c")]),
      ("", "a", [.removed(""), .added("a")]),
    ])
  func differences(old: String, new: String, runs: [WordRun]) {
    #expect(WordRun.list(from: old, to: new) == runs)
  }

  @Test("if both sides replaced the same word, no text is merged, and the text to start from is the one here")
  func choice() {
    let conflict = TodoConflict(
      id: "a", base: TodoCopy(text: "buy sunscreen"), mine: TodoCopy(text: "order sunscreen"),
      theirs: TodoCopy(text: "get sunscreen now\nfactor 50"))
    #expect(conflict.merged == nil)
    #expect(conflict.proposal == "order sunscreen\nfactor 50")
  }

  @Test("the text to start from has the words of both, but one priority and one date")
  func proposal() {
    func proposal(_ mine: String, _ theirs: String) -> String {
      TodoConflict(
        id: "a", base: TodoCopy(text: "pay rent"), mine: TodoCopy(text: mine), theirs: TodoCopy(text: theirs)
      ).proposal
    }
    #expect(proposal("pay rent now", "pay rent today") == "pay rent now today")
    #expect(proposal("(A) pay rent due:2026-11-25", "(B) pay rent due:2026-12-01") == "(A) pay rent due:2026-11-25")
    #expect(proposal("pay the rent", "(B) pay big rent") == "(B) pay the big rent")
  }
}

extension TodoList {
  /// Decides about the conflict of an item as it is now.
  @discardableResult
  func decide(_ id: RecordID, _ decision: TodoDecision) throws -> RecordID? {
    guard let conflict = try conflicts().first(where: { $0.id == id }) else { throw TodoError.nothingToDecide }
    return try resolve([conflict: decision]).first
  }
}
