public import TableProtocol

/// Stops a pull that would remove more than half of a list (offline-sync P10). A server that lost its data, or another
/// server, is more likely than that many deletions.
///
/// It counts what the pulls of one day removed, so that small steps do not pass it. In a list of fewer than 20 rows it
/// stops only the removal of all rows, and in a list of fewer than 5 nothing.
struct MassDeletionGuard: Sendable, Hashable {
  static let smallestWatchedForHalf = 20
  private static let smallestWatchedForAll = 5
  /// Milliseconds, a day: removals in this time are counted together.
  private static let window: Int64 = 86_400_000

  /// The start of the counting, in UTC.
  private let since: Timestamp
  /// Rows in the table before anything was removed; nil for a pull that may remove anything.
  private let total: Int?
  private let smallest: Int
  /// Rows in the table now, and those of them that this pull removed.
  private var present: Int?
  private var removedNow = 0
  private var removed = 0
  /// True if a pull was stopped and the user has not agreed yet.
  private var isStopped = false

  /// For a pull that may remove anything.
  static let none = MassDeletionGuard(since: .epoch, total: nil, smallest: 0)

  private init(since: Timestamp, total: Int?, smallest: Int) {
    self.since = since
    self.total = total
    self.smallest = smallest
  }

  /// `count` is the number of rows here; in a short list, of those that a server has accepted. `earlier` is the `text`
  /// of the last guard, `now` is UTC. `watchesAll` is true if a complete comparison is due, because the server may be
  /// another one.
  init(count: Int, earlier: String?, now: Timestamp, watchesAll: Bool) {
    let earlier = earlier.flatMap { MassDeletionGuard($0) }.flatMap { $0.holds(at: now) ? $0 : nil }
    let removed = earlier?.removed ?? 0
    // Rows that were added since count too: they can be lost as well.
    self.init(
      since: earlier?.since ?? now, total: max(earlier?.total ?? 0, count + removed),
      smallest: watchesAll ? 1 : Self.smallestWatchedForHalf)
    self.removed = removed
    present = count
    isStopped = earlier?.isStopped ?? false
  }

  /// Returns true if the counting goes on. A stop stays in force until the user decides.
  private func holds(at now: Timestamp) -> Bool {
    isStopped || (0..<Self.window).contains(now.milliseconds - since.milliseconds)
  }

  /// Counts rows that are about to be removed. Throws `MassRemoval` if none of them may be removed.
  mutating func allow(_ ids: [RecordID]) throws {
    guard !ids.isEmpty else { return }
    if let total, stops(removed + ids.count, of: total) || wouldEmpty(ids.count) {
      throw MassRemoval(rows: removed + ids.count, total: total, ids: Array(ids.prefix(MassRemoval.mostNamed)))
    }
    removed += ids.count
    removedNow += ids.count
  }

  /// True if nothing would be left. Rows that the user removed since the counting began are in the total and not here.
  private func wouldEmpty(_ rows: Int) -> Bool {
    present.map { $0 >= Self.smallestWatchedForAll && removedNow + rows >= $0 } ?? false
  }

  private func stops(_ rows: Int, of total: Int) -> Bool {
    (total >= smallest && rows * 2 > total) || (total >= Self.smallestWatchedForAll && rows >= total)
  }

  /// The guard after a pull that was stopped.
  var stopped: MassDeletionGuard {
    var copy = self
    copy.isStopped = true
    return copy
  }

  /// The guard after a complete pull: an earlier stop is over.
  var passed: MassDeletionGuard {
    var copy = self
    copy.isStopped = false
    return copy
  }
}

/// The guard as a fact: start, rows, removed rows, and `stopped`. Nil if there is nothing to save.
extension MassDeletionGuard {
  var text: String? {
    guard let total, removed > 0 || isStopped else { return nil }
    return "\(since.text) \(total) \(removed)" + (isStopped ? " stopped" : "")
  }

  private init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count >= 3, let since = Timestamp(parts[0]), let total = Int(parts[1]), let removed = Int(parts[2])
    else { return nil }
    self.init(since: since, total: total, smallest: 0)
    self.removed = removed
    isStopped = parts.count > 3
  }
}

/// A pull was stopped, because it would have removed too many rows. The rows of earlier pages and pulls, fewer than
/// half, are removed; no other row is.
public struct MassRemoval: Error, Sendable, Hashable {
  public let rows: Int
  public let total: Int
  /// The ids of rows that are still here, so that the user can see them before the decision.
  public let ids: [RecordID]

  /// The largest number of ids.
  static let mostNamed = 1_000
}
