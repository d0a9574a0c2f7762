package import TableProtocol

/// How far a query has been pulled: the newest `updatedAt` of which every row up to it is stored.
///
/// It is saved in the transaction that stores the rows and never moves back, nor past a row that
/// is not stored (offline-sync 8.4, 13.1).
package struct DeltaToken: Sendable, Hashable {
  /// UTC, whole milliseconds.
  package let timestamp: Timestamp

  package init(_ timestamp: Timestamp) {
    self.timestamp = timestamp
  }
}
