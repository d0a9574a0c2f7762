import Dispatch
import OfflineSync
import Synchronization
import TableProtocol
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Rows that take their time")
struct SearchingTests {
  private func searching(_ text: String) -> Desk {
    var desk = Desk(["oat milk", "bread", "milk"])
    desk.searchesAreSlow = true
    desk.press(.character("/"))
    desk.type(text)
    return desk
  }

  @Test("what is typed shows at once, and the rows when they are found")
  func late() {
    var desk = searching("bre")
    #expect(desk.bottom.hasPrefix("/bre"))
    #expect(desk.visible.count == 3)
    desk.find()
    #expect(desk.visible == ["bread"])
  }

  @Test("the rows of an older filter are not believed")
  func overtaken() {
    var desk = searching("b")
    let first = desk.search
    desk.type("re")
    #expect(desk.search?.query.filter == "bre")
    let page = RowPage(rows: [TodoItem(id: "x", text: "x")], startsAtFirst: true, endsAtLast: true)
    if let first { desk.tell(.read(.search(first, page))) }
    #expect(desk.visible.count == 3)
    desk.find()
    #expect(desk.visible == ["bread"])
  }

  @Test("after Enter the next key meets the rows of the filter, found or not", arguments: ["bread", "milk"])
  func settled(filter: String) {
    var desk = searching(filter)
    let late = desk.search
    desk.press(.enter, .character("x"))
    #expect(desk.items.filter { $0.complete }.map(\.text) == [filter == "bread" ? "bread" : "oat milk"])
    let rows = desk.visible
    if let late { desk.tell(.read(.search(late, RowPage(rows: [], startsAtFirst: true, endsAtLast: true)))) }
    #expect(desk.visible == rows)
  }

  @Test("Escape brings the whole list back, found or not", arguments: ["bread", "b"])
  func left(filter: String) {
    var desk = searching(filter)
    if filter == "b" { desk.press(.backspace) }
    desk.press(.escape)
    desk.find()
    #expect(desk.visible == ["oat milk", "bread", "milk"])
  }

  @Test("a change from elsewhere is looked for without holding up the keys, and follows the chosen row")
  func changedElsewhere() {
    var desk = searching("milk")
    desk.find()
    desk.press(.enter)
    desk.items.insert(TodoItem(id: "soy milk", text: "soy milk"), at: 0)
    desk.tell(.storeChanged(.rows))
    #expect(desk.visible == ["oat milk", "milk"])
    desk.press(.character("j"))
    desk.find()
    #expect(desk.visible == ["oat milk", "milk"])
    desk.find()
    #expect(desk.visible == ["soy milk", "oat milk", "milk"])
    #expect(desk.selected == "milk")
  }

  @Test("of requests that come while one is worked on only the last is done")
  func latest() {
    let done = Mutex<[Int]>([])
    let (begun, go, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let work = LatestWork<Int>(DispatchQueue(label: "work")) { number in
      begun.signal()
      go.wait()
      done.withLock { $0.append(number) }
      ended.signal()
    }
    #expect(work.ask(1))
    begun.wait()
    #expect(!work.ask(2) && !work.ask(3))
    for _ in 0..<2 {
      go.signal()
      ended.wait()
    }
    #expect(done.withLock { $0 } == [1, 3])
  }

  @Test("work on the whole list rests for as long as it leaves four fifths of a core, other work not at all")
  func rest() {
    typealias Rest = LatestWork<Int>.Rest
    #expect(Rest.long.end(of: 1_000..<1_250) == 2_250)
    #expect(Rest.none.end(of: 1_000..<1_250) == 1_250)
    #expect(Rest.long.end(of: 7..<7) == 7)
    #expect(Rest.long.end(of: 0..<UInt64(Int64.max)) == UInt64(Int64.max))
  }

  @Test("what is asked for while work rests is done after the rest")
  func afterRest() {
    let done = Mutex<[Int]>([])
    let ended = DispatchSemaphore(value: 0)
    let work = LatestWork<Int>(DispatchQueue(label: "work"), rest: .long) { number in
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20))
      done.withLock { $0.append(number) }
      ended.signal()
    }
    #expect(work.ask(1))
    ended.wait()
    for number in 2...9 { work.ask(number) }
    while done.withLock({ $0 }).last != 9 { ended.wait() }
    work.ask(10)
    while done.withLock({ $0 }).last != 10 { ended.wait() }
    #expect(done.withLock { $0 }.first == 1)
  }

  @Test("a search that is slow is answered through the inbox")
  func slow() throws {
    let inbox = try Inbox()
    let go = DispatchSemaphore(value: 0)
    let searcher = Searcher(inbox) { search in
      go.wait()
      return .failed(search.query.filter)
    }
    let search = RowSearch(number: 1, query: TodoQuery(filter: "a"), request: .first(count: 1))
    #expect(searcher.search(search) == nil)
    go.signal()
    var messages: [Message] = []
    while messages.isEmpty { messages = inbox.drain() }
    #expect(messages == [.failed("a")])
  }

  @Test("a search is answered once, whether it was quick enough or not")
  func once() throws {
    let inbox = try Inbox()
    // One after a slow one is not waited for, and comes in either way.
    let searcher = Searcher(inbox) { search in
      if search.number.isMultiple(of: 3) { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(3)) }
      return .failed(search.query.filter)
    }
    for number in 0..<100 {
      let search = RowSearch(number: number, query: TodoQuery(filter: "\(number)"), request: .first(count: 1))
      var messages = searcher.search(search).map { [$0] } ?? []
      while messages.isEmpty { messages = inbox.drain() }
      #expect(messages == [.failed("\(number)")])
    }
  }
}
