import TableProtocol

/// The settings of a pull.
package struct PullSettings: Sendable, Hashable {
  /// The number of rows that a request asks for. A server may send fewer.
  package var pageSize: Int
  /// Milliseconds. A pull starts this long before the delta token (sync-rules P6).
  package var overlapMilliseconds: Int64
  /// Milliseconds. A device that has not pulled for longer compares all rows, because the server may have removed
  /// tombstones (wire 11.6).
  package var retentionMilliseconds: Int64
  /// How many rows one walk over a list reads at most. Five times the longest list that is known.
  package var mostRows = usualMostRows

  /// The page size that 0 or less stands for.
  package static let usualPageSize = 20_000
  package static let usualMostRows = 5_000_000

  package init(
    pageSize: Int = usualPageSize, overlapMilliseconds: Int64 = 30_000, retentionMilliseconds: Int64 = 90 * 86_400_000
  ) {
    self.pageSize = pageSize > 0 ? pageSize : Self.usualPageSize
    self.overlapMilliseconds = overlapMilliseconds
    self.retentionMilliseconds = retentionMilliseconds
  }

  var limit: WalkLimit { WalkLimit(mostRows) }

  /// Milliseconds, a day: a smaller step of the clock does not matter.
  private static let largestClockStep: Int64 = 86_400_000

  /// Returns true if a query that was last pulled at this moment must compare all rows (sync-rules P10): the server may
  /// have forgotten deletions since, or the moment lies in the future, so that the clock was wrong then. Both are UTC.
  /// Nil is a device that has nothing from the server yet.
  func requiresComparison(since last: Timestamp?, now: Timestamp) -> Bool {
    guard let last else { return false }
    return mayMissTombstones(since: last, now: now)
      || now.milliseconds - last.milliseconds < -Self.largestClockStep
  }

  /// Returns true if the server may have removed tombstones of rows that were deleted since this moment.
  func mayMissTombstones(since last: Timestamp, now: Timestamp) -> Bool {
    now.milliseconds - last.milliseconds > retentionMilliseconds
  }

  /// Returns the page size for a server of this version. A server of 2.0.0 usually cuts a page at 50 rows and may not
  /// say so (wire 6.4). With 50, most pages are either full or the last one.
  func pageSize(for version: ProtocolVersion?) -> Int {
    version == .v2 ? min(50, pageSize) : pageSize
  }
}
