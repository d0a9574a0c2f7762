package import OfflineSync
package import TableProtocol

/// What does not change while a world runs.
package struct WorldSettings: Sendable, Hashable {
  package var devices: Int
  /// What each device keeps.
  package var extents: [Extent]
  /// What the delegate of each device decides about conflicts; nil where there is none.
  package var deciders: [Choice?]
  package var server: ServerManners
  /// Milliseconds before the delta token from which rows are looked at again.
  package var overlap: Int64 = 30_000
  /// Microseconds that pass with each request.
  package var tick: Int64
  package var travel: Travel
  /// True when what the server refuses in the end it refuses for good.
  package var endsRefusing: Bool
  /// What the person at each device says in the end about what a restored server has lost.
  package var restoreAnswers: [RestoreAnswer]
  /// Those that this world has.
  package var edges: Set<Edge> = []
  /// Those that are looked at.
  package var laws: Set<Law> = Set(Law.allCases)

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
  /// True when it does not say that it cut a page short (wire 6.4).
  package var cutsSilently = false
  /// True when each write is stamped later than the one before, by a millisecond at least. Otherwise
  /// it is stamped with the clock, whatever that says.
  package var hasRisingClock: Bool
  /// True when it says when a row was made.
  package var tellsBirth = true
  /// True when it orders and compares ids without regard to case.
  package var ignoresCase = false
  /// Something on the way passes batches on and answers some of them itself.
  package var hidesBatches = false
  /// True if the code of our own server can stand in its place.
  package var canBeServed: Bool { family == .ebb && !ignoresCase }
  /// True when it promises at first that rows become visible in the order of their stamps.
  package var isOrdered: Bool { family == .ebb }
}
