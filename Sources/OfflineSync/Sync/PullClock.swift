import TableProtocol

/// The limit of a delta token: the server's clock. A row dated in the future must not hide rows that are written before
/// that date.
struct PullClock {
  /// This device's time, in UTC.
  let now: () -> Timestamp

  /// Milliseconds by which `updatedAt` may be ahead of the server's time. A server gives its time in whole seconds, and
  /// a server whose `updatedAt` always rises runs a little ahead of its clock.
  static let resolution: Int64 = 2_000
  /// Milliseconds by which this device's clock may differ from the server's. Used if the server does not give its time.
  private static let tolerance: Int64 = 60_000

  /// Returns the latest time that a token may have after this page. Nil if the server promises order: then no later
  /// write gets an earlier time.
  func limit(_ page: RemotePage) -> Timestamp? {
    if page.isOrdered { return nil }
    return page.serverTime?.advanced(byMilliseconds: Self.resolution)
      ?? now().advanced(byMilliseconds: Self.tolerance)
  }
}
