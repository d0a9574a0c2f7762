import TableProtocol

/// How a pull is made.
package struct PullSettings: Sendable, Hashable {
  /// Rows asked for at a time. A server may send fewer, and says so: then the end needs no request of its own.
  package var pageSize: Int
  /// Milliseconds before the delta token from which rows are looked at again.
  package var overlapMilliseconds: Int64
  /// A device that has not pulled for so many milliseconds compares everything: the server may have
  /// forgotten its tombstones (table-protocol 11.6).
  package var retentionMilliseconds: Int64

  /// What a page size of 0 or less stands for.
  package static let usualPageSize = 20_000

  package init(
    pageSize: Int = usualPageSize, overlapMilliseconds: Int64 = 30_000, retentionMilliseconds: Int64 = 90 * 86_400_000
  ) {
    self.pageSize = pageSize > 0 ? pageSize : Self.usualPageSize
    self.overlapMilliseconds = overlapMilliseconds
    self.retentionMilliseconds = retentionMilliseconds
  }

  /// A server of protocol 2.0.0 usually cuts a page at 50 rows, whatever it is asked, and need not say so
  /// (table-protocol 6.4): with 50 asked for, most pages are either full or the last.
  func pageSize(for version: ProtocolVersion?) -> Int {
    version == .v2 ? min(50, pageSize) : pageSize
  }
}
