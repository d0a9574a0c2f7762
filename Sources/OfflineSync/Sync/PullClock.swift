import TableProtocol

/// Says how far a delta token may go: not past the clock of the server. A row dated in the future must not hide
/// what is written before that date comes.
struct PullClock {
  /// This device's time, in UTC.
  let now: () -> Timestamp

  /// Milliseconds by which a stamp may be ahead of what the server says its time is: that is in whole seconds, and a
  /// server whose stamps rise strictly runs a little ahead of its clock.
  static let resolution: Int64 = 2_000
  /// Milliseconds by which this device's clock may differ, where it stands in for a server that does not say its time.
  private static let tolerance: Int64 = 60_000

  /// The latest time of a row that a token may have after this page. Nil if the server promises order: then no
  /// later write gets an earlier time.
  func limit(_ page: RemotePage) -> Timestamp? {
    if page.isOrdered { return nil }
    return page.serverTime?.advanced(byMilliseconds: Self.resolution)
      ?? now().advanced(byMilliseconds: Self.tolerance)
  }
}
