import TableProtocol

/// Says how far a delta token may go: not past the clock of the server. A row dated in the future must not hide
/// what is written before that date comes.
struct PullClock {
  /// This device's time, in UTC.
  let now: () -> Timestamp

  /// The server's clock is told in whole seconds.
  private static let resolution: Int64 = 999
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
