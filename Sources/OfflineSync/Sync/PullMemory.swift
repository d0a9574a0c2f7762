import TableProtocol

/// The server's time at a pull, saved beside the delta token for a server that does not promise order.
///
/// A pull starts before its token, for rows that were committed late (sync-rules P6). The next pull need not read
/// them all again: it starts the overlap before the moment of the last pull. Once the newest row is older than the
/// overlap by the server's clock, the next pull starts just after the token. If nothing is new, it is one request.
struct PullMemory: Sendable, Hashable {
  /// The token it belongs to.
  var token: Timestamp
  /// The server's clock when the pull that ended there began.
  var serverTime: Timestamp

  /// Returns the start of the next pull. If `token` has moved since `memory` was saved, only the token counts.
  static func start(token: DeltaToken?, overlap: Int64, memory: PullMemory?) -> Timestamp {
    guard let token = token?.timestamp else { return .epoch }
    guard let memory, memory.token == token else { return token.advanced(byMilliseconds: -overlap) }
    return min(token.advanced(byMilliseconds: 1), memory.serverTime.advanced(byMilliseconds: -overlap))
  }

  /// The server's time at the last pull, if that ended at `token`.
  static func serverTime(at token: Timestamp, _ memory: PullMemory?) -> Timestamp? {
    memory.flatMap { $0.token == token ? $0.serverTime : nil }
  }

  /// Returns true if the newest row is older than the overlap, so that a later time beside the same token adds nothing.
  func isOlderThanOverlap(_ overlap: Int64) -> Bool { serverTime.advanced(byMilliseconds: -overlap) > token }
}

/// The memory as a fact: the two times.
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

/// Whether a server promises that rows become visible in the order of their `updatedAt`. If so, a pull starts at its
/// token, without an overlap.
struct ServerOrder {
  private let server: String
  let isOrdered: Bool
  private let isKnown: Bool
  var isUnordered: Bool { isKnown && !isOrdered }

  /// Loads the saved promise of a server.
  init(of server: String, _ store: any LocalStore) throws {
    let saved = try store.read { try $0.fact(SyncFact.order(of: server)) }
    self.init(server: server, isOrdered: saved == Self.ordered, isKnown: saved != nil)
  }

  private init(server: String, isOrdered: Bool, isKnown: Bool) {
    self.server = server
    self.isOrdered = isOrdered
    self.isKnown = isKnown
  }

  private static let ordered = "ordered"

  /// Saves what the server's last answer said, if that is news.
  func learned(_ isOrdered: Bool, _ store: any LocalStore) throws -> ServerOrder {
    guard isNews(isOrdered) else { return self }
    return try store.write { try learned(isOrdered, in: $0) }
  }

  /// The same within a transaction.
  func learned(_ isOrdered: Bool, in store: any StoreWriter) throws -> ServerOrder {
    guard isNews(isOrdered) else { return self }
    try store.setFact(SyncFact.order(of: server), isOrdered ? Self.ordered : "unordered")
    return ServerOrder(server: server, isOrdered: isOrdered, isKnown: true)
  }

  private func isNews(_ isOrdered: Bool) -> Bool { !isKnown || isOrdered != self.isOrdered }
}
