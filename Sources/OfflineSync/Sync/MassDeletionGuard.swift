import TableProtocol

/// Stops a pull that would take away more than half of a list: more likely a server that lost its data,
/// or another server, than so many deletions (offline-sync P10).
///
/// What the pulls of one day removed is counted together, so that small steps do not add up unseen. Lists of fewer than
/// twenty rows are watched only for the loss of all rows, and those of fewer than five not at all.
struct MassDeletionGuard: Sendable, Hashable {
  static let smallestWatchedForHalf = 20
  private static let smallestWatchedForAll = 5
  /// Milliseconds in which removals are counted together: a day.
  private static let window: Int64 = 86_400_000

  /// When the counting began, in UTC.
  private let since: Timestamp
  /// Rows in the table before anything was removed; nil for a pull that may remove anything.
  private let total: Int?
  private let smallest: Int
  private var removed = 0
  /// A pull was stopped, and nobody has agreed yet.
  private var isStopped = false

  /// For a pull that may remove anything.
  static let none = MassDeletionGuard(since: .epoch, total: nil, smallest: 0)

  private init(since: Timestamp, total: Int?, smallest: Int) {
    self.since = since
    self.total = total
    self.smallest = smallest
  }

  /// `count` are the rows that are here, in a short list only those that a server accepted, `earlier` is the `text` of the last guard, `now` is
  /// UTC. `watchesAll` is for a server that was only said to be the same.
  init(count: Int, earlier: String?, now: Timestamp, watchesAll: Bool) {
    let earlier = earlier.flatMap { MassDeletionGuard($0) }.flatMap { $0.holds(at: now) ? $0 : nil }
    let removed = earlier?.removed ?? 0
    // Rows that were added since count too: they are a part of what can be lost.
    self.init(
      since: earlier?.since ?? now, total: max(earlier?.total ?? 0, count + removed),
      smallest: watchesAll ? 1 : Self.smallestWatchedForHalf)
    self.removed = removed
    isStopped = earlier?.isStopped ?? false
  }

  /// A stop is in force until it is decided; stopping must not be a way to go on in small steps.
  private func holds(at now: Timestamp) -> Bool {
    isStopped || (0..<Self.window).contains(now.milliseconds - since.milliseconds)
  }

  /// Call before these rows too are removed. Throws `MassRemoval`; then none of them may be.
  mutating func allow(_ ids: [String]) throws {
    guard !ids.isEmpty else { return }
    if let total, stops(removed + ids.count, of: total) {
      throw MassRemoval(rows: removed + ids.count, total: total, ids: Array(ids.prefix(MassRemoval.mostNamed)))
    }
    removed += ids.count
  }

  private func stops(_ rows: Int, of total: Int) -> Bool {
    (total >= smallest && rows * 2 > total) || (total >= Self.smallestWatchedForAll && rows >= total)
  }

  /// After a pull that was stopped.
  var stopped: MassDeletionGuard {
    var copy = self
    copy.isStopped = true
    return copy
  }

  /// After a pull that came to its end: a stop before it is over.
  var passed: MassDeletionGuard {
    var copy = self
    copy.isStopped = false
    return copy
  }
}

/// As a fact: when, rows, removed rows, and `stopped`. Nil when there is nothing to remember.
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

/// A pull would have removed at least so many of all rows. Those of earlier pages and pulls, fewer than half, are
/// removed; nothing else is.
package struct MassRemoval: Error, Sendable, Hashable {
  package let rows: Int
  package let total: Int
  /// Of those still here, so that they can be shown before anybody agrees.
  package let ids: [String]

  /// More are not named.
  static let mostNamed = 1_000
}
