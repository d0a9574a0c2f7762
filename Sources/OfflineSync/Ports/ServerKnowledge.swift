package import TableProtocol

/// What was learned about a server by talking to it.
package struct ServerKnowledge: Sendable, Hashable {
  package var protocolVersion: ProtocolVersion?
  /// Whether the server takes batches, and how large.
  package var batching: BatchSupport?
  /// The identity of the server's database, where it announces one (an extension of Ebb).
  package var database: String?
  /// The state that database goes on from, as it was last announced (an extension of Ebb).
  package var epoch: DatabaseEpoch?
  /// Whether a server of 3.0.0 takes updates that name only what changes; nil if that was not tried.
  package var mergesUpdates: Bool?
  /// What the rows of its tables hold, by the table.
  package var columns: [String: ServerColumns]

  package init(
    protocolVersion: ProtocolVersion? = nil, batching: BatchSupport? = nil, database: String? = nil,
    epoch: DatabaseEpoch? = nil, mergesUpdates: Bool? = nil, columns: [String: ServerColumns] = [:]
  ) {
    self.protocolVersion = protocolVersion
    self.batching = batching
    self.database = database
    self.epoch = epoch
    self.mergesUpdates = mergesUpdates
    self.columns = columns
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
    epoch = try store.fact(SyncFact.epoch(of: server)).flatMap { DatabaseEpoch($0) }
    mergesUpdates = try store.fact(SyncFact.merging(of: server)).flatMap(Bool.init)
    columns = try store.fact(SyncFact.columns(of: server)).map(ServerColumns.byTable) ?? [:]
  }

  /// Writes only what is news. Not the epoch: what it means for the rows has to be done first.
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
    if let mergesUpdates, mergesUpdates != known.mergesUpdates {
      try store.setFact(SyncFact.merging(of: server), String(mergesUpdates))
    }
    if !columns.isEmpty, columns != known.columns {
      try store.setFact(SyncFact.columns(of: server), ServerColumns.text(of: columns))
    }
  }

  private static func batching(_ text: String, _ now: Timestamp) -> BatchSupport? {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let first = parts.first, BatchSupport(first) == .unsupported else { return BatchSupport(text) }
    guard let since = parts.last.flatMap({ Timestamp(String($0)) }) else { return nil }
    let isFresh = (0...longestRefusal).contains(now.milliseconds - since.milliseconds)
    return isFresh ? .unsupported : nil
  }
}
