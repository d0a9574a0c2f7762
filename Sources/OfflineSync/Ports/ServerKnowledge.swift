package import TableProtocol

/// What was learned about a server by talking to it.
package struct ServerKnowledge: Sendable, Hashable {
  package var protocolVersion: ProtocolVersion?
  /// Whether the server takes batches, and how large.
  package var batching: BatchSupport?
  /// The identity of the server's database, where it announces one (an extension of Ebb).
  package var database: String?

  package init(
    protocolVersion: ProtocolVersion? = nil, batching: BatchSupport? = nil, database: String? = nil
  ) {
    self.protocolVersion = protocolVersion
    self.batching = batching
    self.database = database
  }
}

/// In a store: a few facts for each server's address.
extension ServerKnowledge {
  /// A server that took no batches may have learned to by tomorrow (table-protocol 18.4).
  private static let longestRefusal: Int64 = 86_400_000

  /// `now` is UTC.
  package init(of server: String, in store: any StoreReader, now: Timestamp) throws {
    protocolVersion = try store.fact(SyncFact.protocolVersion(of: server)).flatMap(ProtocolVersion.init(rawValue:))
    batching = try store.fact(SyncFact.batching(of: server)).flatMap { Self.batching($0, now) }
    database = try store.fact(SyncFact.database(of: server))
  }

  /// Writes only what is news.
  func remember(of server: String, in store: any StoreWriter, now: Timestamp) throws {
    let known = try ServerKnowledge(of: server, in: store, now: now)
    if let protocolVersion, protocolVersion != known.protocolVersion {
      try store.setFact(SyncFact.protocolVersion(of: server), protocolVersion.rawValue)
    }
    if let batching, batching != known.batching {
      let day = batching == .unsupported ? " " + now.text : ""
      try store.setFact(SyncFact.batching(of: server), batching.text + day)
    }
    if let database, database != known.database { try store.setFact(SyncFact.database(of: server), database) }
  }

  private static func batching(_ text: String, _ now: Timestamp) -> BatchSupport? {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let first = parts.first, BatchSupport(first) == .unsupported else { return BatchSupport(text) }
    guard let since = parts.last.flatMap({ Timestamp(String($0)) }) else { return nil }
    let isFresh = (0...longestRefusal).contains(now.milliseconds - since.milliseconds)
    return isFresh ? .unsupported : nil
  }
}
