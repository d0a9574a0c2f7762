/// How much one walk over a list may still read.
///
/// A server that never comes to an end, by mistake or by intent, must fill neither the disk nor the memory, and a sync
/// must end. Rows that the walk has stored by then stay (sync-rules P16).
struct WalkLimit: Sendable, Hashable {
  /// A page of fewer rows counts as one of 50, the smallest that is usual: the requests have an end too.
  private static let smallestPage = 50

  /// The number of rows.
  private var left: Int

  init(_ rows: Int = PullSettings.usualMostRows) { left = rows }

  /// Counts a page. Throws `RemoteFailure` if it is one too many.
  mutating func count(_ page: RemotePage) throws(RemoteFailure) {
    left -= max(page.rowCount, Self.smallestPage)
    if left < 0 { throw RemoteFailure(.badAnswer("its list has no end"), mayHaveActed: false) }
  }
}

extension RemoteFailure {
  /// The failure of a walk that does not move on. Such a page is never taken for the end.
  static let samePage = RemoteFailure(.badAnswer("it gives the same page again and again"), mayHaveActed: false)
  /// The failure of a walk by time on a server, or a cache, that does not heed the time it was asked for.
  static let otherRows = RemoteFailure(
    .badAnswer("none of its items is as new as was asked for"), mayHaveActed: false)
}
