import Synchronization

/// Gathers what is told of requests until a sync writes it to the store: a request must not wait for a
/// transaction.
package final class SyncLog: Sendable {
  /// Requests that are kept, here and in the store.
  package static let longest = 1_000

  private let waiting = Mutex<[RequestRecord]>([])

  package init() {}

  /// May be called from any thread.
  package func note(_ request: RequestRecord) {
    waiting.withLock { waiting in
      waiting.append(request)
      waiting.removeFirst(max(0, waiting.count - Self.longest))
    }
  }

  /// Writes what was noted to the store.
  func keep(in store: any LocalStore) throws {
    let requests = take()
    guard !requests.isEmpty else { return }
    try store.write { try $0.appendRequests(requests, keeping: Self.longest) }
  }

  /// What was noted since the last time, in order.
  func take() -> [RequestRecord] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
