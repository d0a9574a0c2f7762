import TableProtocol

/// The settings of a pull.
package struct PullSettings: Sendable, Hashable {
  /// The number of rows that a request asks for. A server may send fewer.
  package var pageSize: Int
  /// Milliseconds. A pull starts this long before the delta token (offline-sync P6).
  package var overlapMilliseconds: Int64
  /// Milliseconds. A device that has not pulled for longer compares all rows, because the server may have removed
  /// tombstones (table-protocol 11.6).
  package var retentionMilliseconds: Int64

  /// The page size that 0 or less stands for.
  package static let usualPageSize = 20_000

  package init(
    pageSize: Int = usualPageSize, overlapMilliseconds: Int64 = 30_000, retentionMilliseconds: Int64 = 90 * 86_400_000
  ) {
    self.pageSize = pageSize > 0 ? pageSize : Self.usualPageSize
    self.overlapMilliseconds = overlapMilliseconds
    self.retentionMilliseconds = retentionMilliseconds
  }

  /// Returns true if the server may have removed tombstones of rows that were deleted since this moment.
  func mayMissTombstones(since last: Timestamp, now: Timestamp) -> Bool {
    now.milliseconds - last.milliseconds > retentionMilliseconds
  }

  /// Returns the page size for a server of this version. A server of 2.0.0 usually cuts a page at 50 rows and may not
  /// say so (table-protocol 6.4). With 50, most pages are either full or the last one.
  func pageSize(for version: ProtocolVersion?) -> Int {
    version == .v2 ? min(50, pageSize) : pageSize
  }
}
