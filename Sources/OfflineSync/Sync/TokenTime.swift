import TableProtocol

/// The server's time at a pull, saved beside the delta token for a server that does not promise order.
///
/// A pull starts before its token, by the overlap, for rows that were committed late (sync-rules P6). The next pull need
/// not read all of these again: it starts before the time of the last pull, by the overlap. Once the newest row is older
/// than that, the next pull starts just after the token. If nothing is new, it is one request.
struct TokenTime: Sendable, Hashable {
  /// The token it belongs to.
  var token: Timestamp
  /// The server's clock when the pull that ended there began.
  var serverTime: Timestamp

  /// Returns the start of the next pull. If `token` has moved since `time` was saved, only the token counts.
  static func start(token: DeltaToken?, overlap: Int64, time: TokenTime?) -> Timestamp {
    guard let token = token?.timestamp else { return .epoch }
    guard let time, time.token == token else { return token.advanced(byMilliseconds: -overlap) }
    return min(token.advanced(byMilliseconds: 1), time.serverTime.advanced(byMilliseconds: -overlap))
  }

  /// The server's time at the last pull, if that ended at `token`.
  static func serverTime(at token: Timestamp, _ time: TokenTime?) -> Timestamp? {
    time.flatMap { $0.token == token ? $0.serverTime : nil }
  }

  /// Returns true if the newest row is older than the overlap, so that a later time beside the same token adds nothing.
  func isOlderThanOverlap(_ overlap: Int64) -> Bool { serverTime.advanced(byMilliseconds: -overlap) > token }
}

/// As a fact: the two times.
extension TokenTime {
  private init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let token = Timestamp(parts[0]), let time = Timestamp(parts[1]) else { return nil }
    self.init(token: token, serverTime: time)
  }

  var text: String { "\(token.text) \(serverTime.text)" }

  init?(of query: PullQuery, at server: String, in store: any StoreReader) throws {
    guard let text = try store.fact(SyncFact.tokenTime(of: query, at: server)) else { return nil }
    self.init(text)
  }
}
