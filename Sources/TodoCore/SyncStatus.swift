package import FoundationEssentials
package import OfflineSync
package import TableProtocol

/// The state of the list towards its server, read from the store in one transaction.
package struct SyncStatus: Sendable, Hashable {
  /// Changes not yet accepted by the server, those in conflict or refused included. They are counted by items, as the
  /// outbox lists them: an edit behind a request without an answer is no second one.
  package var pending: Int
  /// The conflicts, and the items that are held since the server went back.
  package var conflicts: Int
  /// The changes that the server refused.
  package var refused: Int
  /// When the last push ended well.
  package var lastPush: Date?
  /// When the last pull ended well.
  package var lastPull: Date?
  /// The items that the last pull would have removed, if it was stopped and the user has not answered since.
  package var stopped: MassRemoval?
  /// The server's address as configured; nil if there is none.
  package var server: String?
  /// `2.0.0` or `3.0.0`; nil before the server's first answer.
  package var protocolVersion: String?

  package init(
    pending: Int = 0, conflicts: Int = 0, refused: Int = 0, lastPush: Date? = nil, lastPull: Date? = nil,
    server: String? = nil, protocolVersion: String? = nil
  ) {
    self.pending = pending
    self.conflicts = conflicts
    self.refused = refused
    self.lastPush = lastPush
    self.lastPull = lastPull
    self.server = server
    self.protocolVersion = protocolVersion
  }
}

extension SyncStatus {
  /// The changes that wait for a decision.
  package var undecided: Int { conflicts + refused }

  /// The changes that wait for nothing but the next sync: not those in conflict, held or refused.
  package var toSend: Int { max(0, pending - undecided) }

  /// In an open transaction. `server` is the address as configured, empty for none. Throws `StoreError`.
  package init(of server: String, in store: any StoreReader) throws {
    let errors = try store.operationErrors()
    self.init(
      pending: try store.changedItemCount(in: TodoList.table),
      conflicts: errors.count { $0.kind != .refused },
      refused: errors.count { $0.kind == .refused },
      lastPush: try store.fact(SyncFact.lastPush).flatMap { Timestamp($0)?.date },
      lastPull: try store.fact(SyncFact.lastPull).flatMap { Timestamp($0)?.date },
      server: server.isEmpty ? nil : server,
      protocolVersion: try store.fact(SyncFact.protocolVersion(of: server)))
    stopped = try MassRemoval(of: TodoList.table, in: store)
  }
}

extension Timestamp {
  package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
