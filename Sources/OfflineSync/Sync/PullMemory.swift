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
  /// The server's clock when the pull that ended there began.
  var serverTime: Timestamp

  /// From where the next pull must ask. `token` may have moved since this was noted; then only the token counts.
  static func start(token: DeltaToken?, overlap: Int64, memory: PullMemory?) -> Timestamp {
    guard let token = token?.timestamp else { return .epoch }
    guard let memory, memory.token == token else { return token.advanced(byMilliseconds: -overlap) }
    return min(token.advanced(byMilliseconds: 1), memory.serverTime.advanced(byMilliseconds: -overlap))
  }

  /// True if a later look at the same token could add nothing: the newest row is older than the overlap.
  func isSettled(overlap: Int64) -> Bool { serverTime.advanced(byMilliseconds: -overlap) > token }
}

/// As a fact: the two times.
extension PullMemory {
  private init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let token = Timestamp(parts[0]), let time = Timestamp(parts[1]) else { return nil }
    self.init(token: token, serverTime: time)
  }

  var text: String { "\(token.text) \(serverTime.text)" }

  init?(of query: PullQuery, at server: String, in store: any StoreReader) throws {
    guard let text = try store.fact(SyncFact.memory(of: query, at: server)) else { return nil }
    self.init(text)
  }
}
