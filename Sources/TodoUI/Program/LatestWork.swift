import Dispatch
import FoundationEssentials
import Synchronization
import TodoCore
import Words

/// Work that is done in the background, one request at a time. Of those asked for meanwhile only the last is done.
final class LatestWork<Request: Sendable>: Sendable {
  private let queue: DispatchQueue
  private let rest: Rest
  private let work: @Sendable (Request) -> Void
  private let state = Mutex(State())

  private struct State {
    /// A request is being carried out, or its turn is set.
    var isBusy = false
    var next: Request?
    /// No request is carried out before this moment.
    var restsUntil: UInt64 = 0
  }

  /// How long nothing is done after a request, as a multiple of the time it took.
  enum Rest: UInt64 {
    case none = 0
    /// A fifth of a core at most, however often something changes: for what looks at the whole list.
    case long = 4

    /// Moments and lengths of time in nanoseconds of a clock that only goes forward.
    func end(of work: Range<UInt64>) -> UInt64 {
      let (length, isTooLong) = UInt64(work.count).multipliedReportingOverflow(by: rawValue)
      return isTooLong ? work.upperBound : work.upperBound &+ length
    }
  }

  init(_ queue: DispatchQueue, rest: Rest = .none, _ work: @escaping @Sendable (Request) -> Void) {
    self.queue = queue
    self.rest = rest
    self.work = work
  }

  /// False when it has to wait for another one.
  @discardableResult
  func ask(_ request: Request) -> Bool {
    let turn = state.withLock { state -> UInt64? in
      state.next = request
      guard !state.isBusy else { return nil }
      state.isBusy = true
      return state.restsUntil
    }
    if let turn { run(notBefore: turn) }
    return turn != nil
  }

  private func run(notBefore turn: UInt64) {
    if turn <= DispatchTime.now().uptimeNanoseconds {
      queue.async { self.run() }
    } else {
      queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: turn)) { self.run() }
    }
  }

  private func run() {
    guard let request = takeNext() else { return }
    let began = DispatchTime.now().uptimeNanoseconds
    work(request)
    let end = rest.end(of: began..<max(began, DispatchTime.now().uptimeNanoseconds))
    if finish(restingUntil: end) { run(notBefore: end) }
  }

  private func takeNext() -> Request? {
    state.withLock { state in
      defer { state.next = nil }
      return state.next
    }
  }

  /// True if somebody waits for the end of the rest. So no thread is woken without need.
  private func finish(restingUntil end: UInt64) -> Bool {
    state.withLock { state in
      state.restsUntil = end
      state.isBusy = state.next != nil
      return state.isBusy
    }
  }
}

/// Looks for rows away from the main thread. Rows that are found quickly are returned at once, so that they are drawn
/// with the key that asked for it; all else comes through the inbox. Ask it on the main thread only.
final class Searcher: Sendable {
  private let inbox: Inbox
  private let searches: LatestWork<(search: RowSearch, answer: Reply)>
  private let last = Mutex<Reply?>(nil)

  /// `find` is called on a queue of the searcher's own.
  init(_ inbox: Inbox, _ find: @escaping @Sendable (RowSearch) -> Message) {
    self.inbox = inbox
    searches = LatestWork(DispatchQueue(label: "ebb.search")) { $0.answer.give(find($0.search)) }
  }

  /// The answer, when it comes at once. A search that another one stands before is not waited for, and neither is one
  /// after a slow one: in a long list the next letter most likely takes as long, and its echo would come late for
  /// nothing.
  func search(_ search: RowSearch) -> Message? {
    let answer = Reply(inbox)
    let isLikelyQuick = last.withLock { last in
      defer { last = answer }
      return last?.wasSlow != true
    }
    let isStarted = searches.ask((search, answer))
    return answer.take(waiting: isStarted && isLikelyQuick)
  }
}

/// One answer: taken by whoever waits for it, or posted when nobody does any more.
private final class Reply: Sendable {
  /// How long the main thread waits, in nanoseconds. With what it does before and after, a letter is on the screen
  /// within 3 ms.
  private static let patience: UInt64 = 1_500_000

  private enum State {
    case awaited, late
    case here(Message)
  }

  private let state = Mutex((answer: State.awaited, wasSlow: false))
  private let arrival = DispatchSemaphore(value: 0)
  private let inbox: Inbox
  private let asked = DispatchTime.now().uptimeNanoseconds

  init(_ inbox: Inbox) {
    self.inbox = inbox
  }

  func give(_ message: Message) {
    let wasSlow = DispatchTime.now().uptimeNanoseconds &- asked > Self.patience
    let isLate = state.withLock { state in
      state.wasSlow = wasSlow
      if case .late = state.answer { return true }
      state.answer = .here(message)
      return false
    }
    if isLate { inbox.post(message) } else { arrival.signal() }
  }

  /// The answer took longer than anybody waits.
  var wasSlow: Bool { state.withLock(\.wasSlow) }

  func take(waiting: Bool) -> Message? {
    if waiting { _ = arrival.wait(timeout: .now() + .nanoseconds(Int(Self.patience))) }
    return state.withLock { state in
      if case .here(let message) = state.answer { return message }
      state.answer = .late
      return nil
    }
  }
}

/// Counts the items of a query in the background, one request at a time. Of the requests that come meanwhile only the
/// last is carried out.
struct ListCounter {
  private let requests: LatestWork<(query: TodoQuery, item: TodoItem?, known: Matches?)>

  init(_ queue: DispatchQueue, list: TodoList, inbox: Inbox, describe: @escaping @Sendable (any Error) -> String) {
    requests = LatestWork(queue, rest: .long) { query, item, known in
      do {
        inbox.post(.read(.counts(try list.counts(of: query, locate: item, known: known))))
      } catch {
        inbox.post(.failed(describe(error)))
      }
    }
  }

  func count(_ query: TodoQuery, locate item: TodoItem?, known: Matches?) {
    requests.ask((query, item, known))
  }
}

extension TodoList {
  fileprivate func counts(of query: TodoQuery, locate item: TodoItem?, known: Matches?) throws -> ListCounts {
    let status = try status()
    let matches = try known ?? self.matches(of: query)
    let overall = query.filter.isEmpty ? matches.count : try count(TodoQuery(view: query.view, filter: ""))
    let views = try viewCounts(query.view, overall)
    let position = try item.map { try self.position(of: $0, in: query) }
    return ListCounts(
      query: query, matches: matches, overall: overall, views: views, located: item, position: position,
      status: ListStatus(
        sync: status, lastSync: status.lastSync.map { LocalMoment($0) }, now: LocalMoment(Now.system.date),
        arrivals: try arrivalCounts()))
  }

  private func matches(of query: TodoQuery) throws -> Matches {
    guard let grouping = TodoGrouping(query) else { return Matches(count: try count(query)) }
    let groups = try counts(query, by: grouping)
    return Matches(count: groups.values.reduce(0, +), groups: groups)
  }

  /// How many items each view has, from how many one of them has: the agenda has all that are open.
  private func viewCounts(_ view: TodoView, _ count: Int) throws -> [TodoView: Int] {
    let done = view == .done ? count : try self.count(TodoQuery(view: .done))
    let open =
      switch view {
      case .agenda, .open: count
      case .all: count - done
      case .done: try self.count(TodoQuery(view: .open))
      }
    return [.agenda: open, .open: open, .all: open + done, .done: done]
  }
}
