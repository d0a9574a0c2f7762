import OfflineSync
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Moving through the list")
struct MovingTests {
  @Test("j, k and the arrows move by one row and stop at the ends")
  func steps() {
    var desk = Desk(["a", "b", "c"])
    desk.press(.character("j"), .down, .down, .down)
    #expect(desk.selected == "c")
    desk.press(.character("k"), .up, .up)
    #expect(desk.selected == "a")
  }

  @Test("every row of a long list is met once on the way down and once on the way up")
  func wholeWay() {
    var desk = Desk.long(500, rows: 10)
    var met = [desk.selected]
    for _ in 1..<500 {
      desk.press(.character("j"))
      met.append(desk.selected)
    }
    #expect(met == (0..<500).map { "item \($0)" })
    for number in (0..<499).reversed() {
      desk.press(.character("k"))
      #expect(desk.selected == "item \(number)")
    }
  }

  @Test("only a few pages of a long list are in memory")
  func memory() {
    var desk = Desk.long(5000, rows: 10)
    for _ in 0..<200 { desk.press(.pageDown) }
    for _ in 0..<90 { desk.press(.pageUp) }
    #expect(desk.model.list.window.rows.count <= 7 * 8)
  }

  @Test("pages, half pages and both ends")
  func pages() {
    var desk = Desk.long(100, rows: 13)
    desk.press(.pageDown)
    #expect(desk.selected == "item 10")
    desk.press(.control("d"))
    #expect(desk.selected == "item 15")
    desk.press(.control("u"), .pageUp)
    #expect(desk.selected == "item 0")
    desk.press(.character("G"))
    #expect(desk.selected == "item 99")
    #expect(desk.visible == (90..<100).map { "item \($0)" })
    desk.press(.home)
    #expect(desk.selected == "item 0")
    desk.press(.end, .character("g"))
    #expect(desk.visible.first == "item 0")
  }

  @Test("the title says which of how many, also far from both ends")
  func position() {
    var desk = Desk.long(300, rows: 10)
    desk.survey()
    #expect(desk.status.hasSuffix("1 of 300"))
    for _ in 0..<20 { desk.press(.pageDown) }
    #expect(desk.status.hasSuffix("141 of 300"))
    desk.press(.character("G"))
    desk.survey()
    #expect(desk.status.hasSuffix("300 of 300"))
    desk.press(.pageUp)
    #expect(desk.status.hasSuffix("293 of 300"))
  }

  @Test("the count is asked for after the first paint; of a list that is all in sight it is known, and the place too")
  func surveys() {
    var model = Model(size: Size(columns: 80, rows: 24), charset: .utf8)
    #expect(firstEffects(model) == [.read(.opening(count: 21))])
    let page = RowPage(rows: [TodoItem(id: "a", text: "a")], startsAtFirst: true, endsAtLast: true)
    #expect(update(&model, .read(.opening(.open, page)), at: Now()) == [])
    #expect(
      update(&model, .painted, at: Now()) == [
        .read(.counts(TodoQuery(), locate: nil, known: Matches(count: 1))), .read(.prepare(.due, .agenda)),
        .read(.memory),
      ])
    var desk = Desk.long(100, rows: 10)
    desk.press(.character("G"))
    #expect(desk.effects == [.read(.counts(TodoQuery(), locate: desk.items[99], known: nil))])
  }

  @Test("rows that arrive above do not move what is looked at")
  func arrivals() {
    var desk = Desk.long(100, rows: 10)
    for _ in 0..<50 { desk.press(.character("j")) }
    let before = (desk.selected, desk.visible)
    desk.items.insert(contentsOf: (0..<30).map { TodoItem(id: "new \($0)", text: "new \($0)") }, at: 0)
    desk.tell(.storeChanged(.rows))
    desk.survey()
    #expect(desk.selected == before.0)
    #expect(desk.visible == before.1)
    #expect(desk.status.hasSuffix("81 of 130"))
  }

  @Test("when the chosen item goes away the next takes its place, at the end the one before")
  func departure() {
    var desk = Desk(["a", "b", "c"])
    desk.press(.down)
    desk.items.remove(at: 1)
    desk.tell(.storeChanged(.rows))
    #expect(desk.selected == "c")
    desk.items = [TodoItem(id: "a", text: "a")]
    desk.tell(.storeChanged(.rows))
    #expect(desk.selected == "a")
    desk.items = []
    desk.tell(.storeChanged(.rows))
    #expect(desk.selected == nil)
  }

  @Test("a smaller and a larger terminal keep the chosen row in sight")
  func resizing() {
    var desk = Desk.long(100)
    for _ in 0..<20 { desk.press(.character("j")) }
    desk.tell(.resized(Size(columns: 30, rows: 6)))
    #expect(desk.visible.contains("item 20"))
    desk.tell(.resized(Size(columns: 3, rows: 1)))
    #expect(desk.screen == "too")
    desk.tell(.resized(Size(columns: 80, rows: 60)))
    #expect(desk.visible.count == 57)
    #expect(desk.selected == "item 20")
  }
}
