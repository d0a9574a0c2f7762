import Dispatch
import OfflineSync
import Support
import Synchronization
import TableProtocol
import Testing

@testable import SQLiteStore

@Suite("Hearing of writes")
struct WatchingTests {
  let folder: TemporaryFolder
  let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(path: folder.file("ebb.sqlite"))
  }

  @Test("a write tells what kind of thing it changed, and one that changes nothing tells nothing")
  func kinds() throws {
    let heard = Heard()
    store.listen(heard.note)
    try store.write { try $0.setFact("draft", "milk") }
    try store.write { try $0.upsert([Record(id: "a", values: ["text": .text("milk")])], in: "TodoItem") }
    try store.write { try $0.removeFact("nothing") }
    try? store.write { writer in
      try writer.upsert([Record(id: "b", values: [:])], in: "TodoItem")
      throw StoreError.notAStore(path: "")
    }
    try store.write { try $0.setFact("draft", "oat milk") }
    #expect(heard.all == [.facts, .rows, .facts])
  }

  @Test("the echo of one's own write is passed over, what another program writes is heard")
  func echo() throws {
    let heard = Heard()
    let watcher = StoreWatcher(store, onChange: heard.note)
    try store.write { try $0.setFact("draft", "milk") }
    let other = try SQLiteStore(path: store.path)
    try other.write { try $0.setFact("draft", "oat milk") }
    withExtendedLifetime(watcher) { heard.wait(for: .all) }
    #expect(heard.all == [.facts, .all])
  }

  @Test("what another program writes after the opening and before the watching is heard")
  func writtenBefore() throws {
    let again = try SQLiteStore(path: store.path)
    for opened in [store, again] {
      let quiet = Heard()
      _ = StoreWatcher(opened, onChange: quiet.note)
      #expect(quiet.all == [])
    }
    let other = try SQLiteStore(path: store.path)
    try other.write { try $0.setFact("draft", "oat milk") }
    for opened in [store, again] {
      let heard = Heard()
      _ = StoreWatcher(opened, onChange: heard.note)
      #expect(heard.all == [.all])
    }
  }
}

/// What a listener heard, in order.
private final class Heard: Sendable {
  private let changes = Mutex<[StoreChanges]>([])
  private let arrival = DispatchSemaphore(value: 0)

  var all: [StoreChanges] { changes.withLock { $0 } }

  func note(_ changes: StoreChanges) {
    self.changes.withLock { $0.append(changes) }
    arrival.signal()
  }

  /// Waits until these changes are heard, for ten seconds at most.
  func wait(for wanted: StoreChanges) {
    let end = DispatchTime.now() + .seconds(10)
    while all.last != wanted, arrival.wait(timeout: end) == .success {}
  }
}
