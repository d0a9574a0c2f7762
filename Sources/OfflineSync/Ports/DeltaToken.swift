package import TableProtocol

/// How far a query has been pulled: the newest `updatedAt` up to which every row is stored.
///
/// It is saved in the transaction that stores the rows. It never passes a row that is not stored (offline-sync 8.4,
/// 13.1), nor the server's clock. It moves back only if that clock does, or after all rows were compared.
package struct DeltaToken: Sendable, Hashable {
  /// UTC, whole milliseconds.
  package let timestamp: Timestamp

  package init(_ timestamp: Timestamp) {
    self.timestamp = timestamp
  }
}
