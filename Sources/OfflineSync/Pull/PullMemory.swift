import TableProtocol

/// What is remembered beside a delta token, about a server that does not promise order.
///
/// A pull looks back over the overlap, for rows that were committed late (offline-sync P6). It need not look at them
/// again: the next one begins that long before the moment at which this one asked. Once the newest row is older
/// than the overlap by the server's clock, the next pull begins just behind the token, and with nothing new it is one
/// request for one row.
struct PullMemory: Sendable, Hashable {
  /// The token it belongs to.
  var token: Timestamp
  /// The server's clock when the pull that ended there began; nil if it did not say.
  var serverTime: Timestamp?
  /// The most rows that a page of this server was seen to have.
  var largestPage: Int

  /// From where the next pull must ask. `token` may have moved since this was noted; then only the token counts.
  static func start(token: DeltaToken?, overlap: Int64, memory: PullMemory?) -> Timestamp {
    guard let token = token?.timestamp else { return .epoch }
    guard let memory, memory.token == token, let seen = memory.serverTime else {
      return token.advanced(byMilliseconds: -overlap)
    }
    return min(token.advanced(byMilliseconds: 1), seen.advanced(byMilliseconds: -overlap))
  }

  /// True if it says already all that a later look at the same token could add.
  func covers(_ later: PullMemory, overlap: Int64) -> Bool {
    guard token == later.token, largestPage >= later.largestPage else { return false }
    guard let serverTime else { return later.serverTime == nil }
    return serverTime.advanced(byMilliseconds: -overlap) > token
  }
}

/// As a fact: the three, with `-` for an unknown time.
extension PullMemory {
  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let token = Timestamp(parts[0]), let largest = Int(parts[2]) else { return nil }
    self.init(token: token, serverTime: Timestamp(parts[1]), largestPage: largest)
  }

  var text: String { "\(token.text) \(serverTime?.text ?? "-") \(largestPage)" }

  init?(of query: PullQuery, at server: String, in store: any StoreReader) throws {
    guard let text = try store.fact(SyncFact.memory(of: query, at: server)) else { return nil }
    self.init(text)
  }
}
