import Synchronization
package import TableProtocol

/// Collects records of requests until a sync saves them. A request must not wait for a transaction.
package final class SyncLog: Sendable {
  /// The largest number of saved requests, here and in the store.
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
  func save(in store: any LocalStore) throws {
    let requests = drain()
    guard !requests.isEmpty else { return }
    try store.write { try $0.appendRequests(requests, keeping: Self.longest) }
  }

  /// Returns the collected requests, oldest first, and forgets them.
  func drain() -> [RequestRecord] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

/// One request as the sync log keeps it. It never holds a token.
package struct RequestRecord: Sendable, Hashable {
  package enum Outcome: Sendable, Hashable {
    case status(Int)
    /// No answer came: a few words that say why.
    case failed(String)
  }

  /// Characters of the path that are kept.
  package static let longestPath = 200

  /// UTC.
  package let startedAt: Timestamp
  /// In capital letters.
  package let verb: String
  /// The path from the server's root, with the query, cut to ``longestPath`` characters.
  package let path: String
  package let outcome: Outcome
  package let milliseconds: Int
  /// Bytes of the body.
  package let bytesSent: Int
  package let bytesReceived: Int

  package init(
    startedAt: Timestamp, verb: String, path: String, outcome: Outcome, milliseconds: Int, bytesSent: Int,
    bytesReceived: Int
  ) {
    self.startedAt = startedAt
    self.verb = verb
    self.path = path
    self.outcome = outcome
    self.milliseconds = milliseconds
    self.bytesSent = bytesSent
    self.bytesReceived = bytesReceived
  }
}
