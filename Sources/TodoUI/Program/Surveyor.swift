import Dispatch
import FoundationEssentials
import Synchronization
import TodoCore

/// Counts and locates in the background, one survey at a time. Of those asked for meanwhile only the last is made.
final class Surveyor: Sendable {
  private let list: TodoList
  private let inbox: Inbox
  private let describe: @Sendable (any Error) -> String
  private let queue = DispatchQueue(label: "ebb.survey", qos: .utility)
  private let state = Mutex(State())

  private struct State {
    var isRunning = false
    var next: Request?
  }

  private struct Request {
    var query: TodoQuery
    var item: TodoItem?
  }

  init(
    list: TodoList, inbox: Inbox, describe: @escaping @Sendable (any Error) -> String
  ) {
    self.list = list
    self.inbox = inbox
    self.describe = describe
  }

  func survey(_ query: TodoQuery, locate item: TodoItem?) {
    let mustStart = state.withLock { state in
      state.next = Request(query: query, item: item)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { queue.async { self.work() } }
  }

  private func work() {
    while let request = next() {
      do {
        inbox.post(.surveyed(try made(request)))
      } catch {
        inbox.post(.failed(describe(error)))
      }
    }
  }

  private func next() -> Request? {
    state.withLock { state in
      defer { state.next = nil }
      state.isRunning = state.next != nil
      return state.next
    }
  }

  private func made(_ request: Request) throws -> Survey {
    let status = try list.status()
    let matching = try list.count(request.query)
    let overall =
      request.query.filter.isEmpty ? matching : try list.count(TodoQuery(view: request.query.view, filter: ""))
    let position = try request.item.map { try list.position(of: $0, in: request.query) }
    return Survey(
      query: request.query, matching: matching, overall: overall, located: request.item, position: position,
      status: StatusReport(
        sync: status, lastSync: status.lastSync.map { LocalMoment($0) }, now: LocalMoment(Now.system.date),
        arrivals: try list.arrivalCounts()))
  }
}
