import Synchronization

/// Collects records of requests until a sync saves them. A request must not wait for a transaction.
package final class SyncLog: Sendable {
  /// How many requests are kept, here and in the store.
  package static let longest = 1_000

  private let waiting = Mutex<[RequestRecord]>([])

  package init() {}

  /// Adds a request. Can be called from any thread.
  package func note(_ request: RequestRecord) {
    waiting.withLock { waiting in
      waiting.append(request)
      waiting.removeFirst(max(0, waiting.count - Self.longest))
    }
  }

  /// Saves the collected requests in the store.
  func keep(in store: any LocalStore) throws {
    let requests = take()
    guard !requests.isEmpty else { return }
    try store.write { try $0.appendRequests(requests, keeping: Self.longest) }
  }

  /// Returns the collected requests, oldest first, and forgets them.
  func take() -> [RequestRecord] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
