package import TableProtocol

/// What does not change while a world runs.
package struct WorldSettings: Sendable, Hashable {
  package var devices: Int
  package var server: ServerManners
  /// Milliseconds before the delta token from which rows are looked at again.
  package var overlap: Int64 = 30_000
  /// Microseconds that pass with each request.
  package var tick: Int64
  package var travel: Travel

  /// How several changes travel.
  package enum Travel: Sendable, Hashable {
    case oneByOne
    /// Two at a time, of which the second may be acted on first.
    case inPairs
    /// All in one request.
    case inBatches
  }
}

/// How a server behaves where servers differ.
package struct ServerManners: Sendable, Hashable {
  package enum Family: Sendable, Hashable {
    /// Our own, in either protocol version.
    case ebb
    /// The Node server: an insert's 409 does not hold the stored row, tombstones can be edited.
    case node
    /// The newer Datasync server: no answer to a delete, 410 for a tombstone.
    case datasync
  }

  package var family: Family
  package var version: ProtocolVersion
  /// Rows at most in an answer.
  package var pageCap: Int
  /// True when each write is stamped later than the one before, by a millisecond at least. Otherwise
  /// it is stamped with the clock, whatever that says.
  package var hasRisingClock: Bool
  /// True when it promises that rows become visible in the order of their stamps.
  package var isOrdered: Bool { family == .ebb }
}
