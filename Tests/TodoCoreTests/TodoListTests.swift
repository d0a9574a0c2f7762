import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("The to-do list")
struct TodoListTests {
  let device: TestDevice
  let list: TodoList
  let server = FakeServer()

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context)
  }

  /// Items added one millisecond after another.
  @discardableResult
  private func add(_ texts: String...) throws -> [TodoItem] {
    try texts.map { text in
      device.world.advance(milliseconds: 1)
      return try list.add(text)
    }
  }

  private func texts(_ query: TodoQuery = TodoQuery()) throws -> [String] {
    try list.items(query, .first, count: 100).map(\.text)
  }

  @Test("items are shown oldest first")
  func order() throws {
    try add("milk", "bread", "apples")
    #expect(try texts() == ["milk", "bread", "apples"])
  }

  @Test(
    "the first line of a text is the item and the rest its note, without white space around them",
    arguments: [
      ("  milk and\tbread\u{7} ", "milk and bread"), ("milk\n\ttwo\u{7}litres\t", "milk\n\ttwo litres"),
      ("\n\n milk \n oat \n\n two litres\n\n", "milk\n oat\n\n two litres"),
      ("milk\r\noat\rrice", "milk\noat\nrice"), ("milk␤␤oat", "milk\n\noat"), ("milk\u{2028}oat", "milk oat"),
      ("due:none\nmilk due:none", "milk"), ("milk\ncall due:fri", "milk\ncall due:fri"), ("milk\n \n\t\n", "milk"),
    ])
  func checkedText(text: String, stored: String) throws {
    #expect(try list.add(text).text == stored)
  }

  @Test("any number of lines that say nothing comes to no text")
  func manyEmptyLines() {
    #expect(throws: TodoError.emptyText) { try list.add(String(repeating: "due:none\n", count: 100_000)) }
  }

  @Test("a note is written into one line with a sign for each line break, and read back from it")
  func oneLine() throws {
    let text = "milk +shop\noat\n\ntwo litres"
    #expect(ItemText(text).oneLine == "milk +shop␤oat␤␤two litres")
    #expect(try list.add(ItemText(text).oneLine).text == text)
    #expect(ItemText("milk\r\noat") == ItemText(line: "milk", note: "oat"))
    #expect(ItemText("milk") == ItemText(line: "milk") && !ItemText("milk\n ").hasNote)
  }

  @Test("a new first line keeps the note; a text of several lines replaces both")
  func keptNote() throws {
    let id = try list.add("milk\noat").id
    #expect(try list.textKeepingNote("bread", of: id) == "bread\noat")
    #expect(try list.textKeepingNote("bread\nrye", of: id) == "bread\nrye")
    #expect(try list.textKeepingNote("bread␤rye", of: id) == "bread␤rye")
    #expect(try list.textKeepingNote(" ", of: id) == " ")
  }

  @Test("priority, projects and dates are read from the first line, and set in it")
  func notationOfNotes() {
    let text = "milk +shop\n+other due:2026-11-27 @x"
    #expect(
      TodoNotation(text).projects == ["+shop"] && TodoNotation(text).due == nil && TodoNotation(text).contexts == [])
    let day = CalendarDay("2026-12-24")
    #expect(TodoNotation.settingDue(day, in: text) == "milk +shop due:2026-12-24\n+other due:2026-11-27 @x")
    #expect(TodoNotation.raisingPriority(in: text).hasPrefix("(C) milk"))
  }

  @Test("an item without text is refused", arguments: ["", "  ", "\n"])
  func empty(text: String) throws {
    #expect(throws: TodoError.emptyText) { try list.add(text) }
    #expect(try texts().isEmpty)
  }

  @Test("done items leave the open ones and join the done ones")
  func views() throws {
    let items = try add("milk", "bread")
    try list.setComplete([items[0].id], true)
    #expect(try texts() == ["bread"])
    #expect(try texts(TodoQuery(view: .done)) == ["milk"])
    #expect(try texts(TodoQuery(view: .all)) == ["milk", "bread"])
    #expect(try list.count(TodoQuery(view: .done)) == 1)
  }

  @Test("all words of a filter must be in the text, in any case and any script")
  func filter() throws {
    try add("Buy Milk +home", "buy bread", "КУПИТЬ молоко", "100% juice", "it's here")
    #expect(try texts(TodoQuery(filter: "milk buy")) == ["Buy Milk +home"])
    #expect(try texts(TodoQuery(filter: "купить")) == ["КУПИТЬ молоко"])
    #expect(try texts(TodoQuery(filter: "100%")) == ["100% juice"])
    #expect(try texts(TodoQuery(filter: "it's")) == ["it's here"])
    #expect(try texts(TodoQuery(filter: "cheese")).isEmpty)
  }

  @Test("runs of rows meet end to end in both directions, equal times included")
  func windows() throws {
    for number in 0..<20 {
      if number % 3 == 0 { device.world.advance(milliseconds: 1) }
      try list.add("item \(number)")
    }
    let all = try list.items(TodoQuery(), .first, count: 100)
    #expect(all.count == 20)
    #expect(try list.items(TodoQuery(), .after(all[6]), count: 5) == Array(all[7..<12]))
    #expect(try list.items(TodoQuery(), .before(all[6]), count: 5) == Array(all[1..<6]))
    #expect(try list.items(TodoQuery(), .last, count: 3) == Array(all[17...]))
    for (index, item) in all.enumerated() {
      #expect(try list.position(of: item, in: TodoQuery()) == index)
    }
  }

  @Test("an item says where it stands: waiting, then synced")
  func states() async throws {
    let item = try #require(try add("milk").first)
    #expect(item.state == .waiting)
    #expect(try list.item(item.id)?.pending == .insert)
    await device.sync()
    #expect(try list.item(item.id)?.state == .synced)
    try list.edit(item.id, text: "oat milk")
    #expect(try list.item(item.id)?.pending == .update)
  }

  @Test("an item both sides changed says so, and the status counts it")
  func conflict() async throws {
    let item = try #require(try add("milk").first)
    await device.sync()
    server.put(item.id, ["text": .text("rice milk")])
    try list.edit(item.id, text: "oat milk")
    await device.sync()
    #expect(try list.item(item.id)?.state == .conflict)
    #expect(try list.status().conflicts == 1)
    #expect(try list.status().pending == 1)
  }

  @Test("an edit begun on an older text is merged with it, or says what it is now")
  func olderText() throws {
    let item = try #require(try add("call the bank about the loan").first)
    try list.edit(item.id, text: "call the bank about the mortgage")
    try list.edit(item.id, text: "phone the bank about the loan", seen: item.text)
    #expect(try texts() == ["phone the bank about the mortgage"])
    #expect(throws: TodoError.overtaken(text: "phone the bank about the mortgage")) {
      try list.edit(item.id, text: "mail the bank", seen: item.text)
    }
    #expect(try texts() == ["phone the bank about the mortgage"])
  }

  @Test("an edit to the same text, or a version that is the present one, changes nothing and is no step of undo")
  func sameText() throws {
    let item = try #require(try add("milk").first)
    #expect(try list.edit(item.id, text: "oat milk"))
    #expect(try !list.edit(item.id, text: " oat milk ", seen: "oat milk"))
    let present = try #require(try list.story(of: item.id).first?.number)
    #expect(try !list.restore(item.id, to: present))
    #expect(try list.undo()?.action == .edit)
    #expect(try texts() == ["milk"])
  }

  @Test("an edit of an item that is gone fails, and a change of several items leaves it out")
  func gone() throws {
    let item = try #require(try add("milk").first)
    try list.delete([item.id])
    #expect(throws: TodoError.notFound) { try list.edit(item.id, text: "x") }
    #expect(try list.setComplete([item.id], true) == 0 && list.delete([item.id]) == 0)
  }
}
