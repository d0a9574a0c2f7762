import FoundationEssentials
import Glibc
import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("Refreshing and purging a list")
struct RefreshTests {
  let device: TestDevice
  let list: TodoList
  let server = FakeServer()

  init() throws {
    device = try TestDevice(server)
    list = TodoList(context: device.context)
  }

  private func refresh(
    _ list: TodoList, _ options: RefreshOptions = RefreshOptions(), cancelling: Bool = false
  ) async -> RefreshResult {
    await withCheckedContinuation { continuation in
      let running = list.refresh(options) { event in
        if case .finished(let result) = event { continuation.resume(returning: result) }
      }
      if cancelling { running.cancel() }
    }
  }

  @Test("the requests that were noted come newest first, with their moment")
  func requests() throws {
    let noted = [(5_000, RequestRecord.Outcome.status(200)), (6_500, .failed("cut"))].map { time, outcome in
      RequestRecord(
        startedAt: Timestamp(milliseconds: time), verb: "GET", path: "/tables/TodoItem", outcome: outcome,
        milliseconds: 12, bytesSent: 3, bytesReceived: 4)
    }
    try list.context.store.write { try $0.appendRequests(noted, keeping: 10) }
    let requests = try list.requests(limit: 10)
    #expect(requests == noted.reversed())
    #expect(try list.requests(limit: 1).count == 1)
  }

  @Test("the result says that changes are left which met newer copies each time they were sent")
  func changesLeft() {
    var report = SyncReport()
    #expect(!RefreshResult(report, status: nil).leavesChanges)
    report.leavesChanges = true
    #expect(RefreshResult(report, status: nil).leavesChanges)
  }

  @Test("a purge is refused while changes wait, and says how many; forced it drops them")
  func purge() async throws {
    try list.add("milk")
    #expect(await refresh(list).failure == nil)
    try list.add("bread")
    #expect(throws: TodoError.changesWait(1)) { try list.purge() }
    let (items, changes) = try list.purge(forced: true)
    #expect(items == 2 && changes == 1)
    #expect(await refresh(list).pulled == 1)
    #expect(try list.items(TodoQuery(), .first, count: 10).map(\.text) == ["milk"])
  }

  @Test("an item that was sent without an answer and edited since is one change that waits, for the outbox too")
  func editBehind() async throws {
    for text in ["milk", "bread"] { try list.add(text) }
    server.fail(.failure(RemoteFailure(.unreachable("cut"), mayHaveActed: true)))
    _ = await refresh(list)
    for item in try list.items(TodoQuery(), .first, count: 10) { try list.edit(item.id, text: item.text + " today") }
    #expect(try device.operations().count > 2)
    let status = try list.status()
    #expect(status.pending == 2 && status.toSend == 2)
    #expect(try list.outboxCount() == 2)
    #expect(throws: TodoError.changesWait(2)) { try list.purge() }
    #expect(try list.purge(forced: true).changes == 2)
  }

  @Test("a refresh that waits for another program ends when it is cancelled", .timeLimit(.minutes(5)))
  func cancelled() async throws {
    try list.add("milk")
    let lock = open(device.path + "-sync", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    #expect(flock(lock, LOCK_EX) == 0)
    #expect(await refresh(list, cancelling: true).failure == .cancelled)
    close(lock)
    #expect(try list.status().pending == 1)
    #expect(await refresh(list).pushed == 1)
  }

  @Test("an answer about another account is carried out, and after it nothing is asked")
  func account() async throws {
    try list.add("milk")
    #expect(await refresh(list).failure == nil)
    let moved = try device.restarted(FakeServer(server: "http://work.example"))
    let list = TodoList(context: moved.context)
    guard case .otherAccount(let notice) = await refresh(list).failure else {
      Issue.record("no question")
      return
    }
    #expect(notice.owner.server == server.server && notice.current.server == "http://work.example")
    #expect(notice.owner.isSameUser(as: notice.current) && notice.pending == 0)
    var options = RefreshOptions()
    options.accountChange = .takeAlong
    #expect(await refresh(list, options).pushed == 1)
    #expect(await refresh(list).failure == nil)
  }
}
