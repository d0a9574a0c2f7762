/// Stops a pull that would take away more than half of a list: more likely a server that lost its data,
/// or another server, than so many deletions (offline-sync P10).
///
/// Lists of fewer than twenty rows are not watched.
struct RemovalBrake {
  private static let smallestWatched = 20

  private let smallest: Int

  /// Rows in the table before anything was removed; nil for a pull that may remove what it likes.
  private let total: Int?
  private var removed = 0

  /// For a pull that may remove what it likes.
  static let none = RemovalBrake()

  private init() {
    total = nil
    smallest = 0
  }

  /// `count` are the rows that are there, `earlier` those that were there when an earlier pull was stopped: stopping
  /// must not be a way to go on in small steps. `watchesAll` is for a server that was only said to be the same.
  init(count: Int, earlier: Int?, watchesAll: Bool) {
    smallest = watchesAll ? 1 : Self.smallestWatched
    let total = max(count, earlier ?? 0)
    self.total = total
    removed = total - count
  }

  /// Call before these rows too are removed. Throws `MassRemoval`; then none of them may be.
  mutating func allow(_ ids: [String]) throws {
    guard !ids.isEmpty else { return }
    if let total, total >= smallest, (removed + ids.count) * 2 > total {
      throw MassRemoval(rows: removed + ids.count, total: total, ids: Array(ids.prefix(MassRemoval.mostNamed)))
    }
    removed += ids.count
  }
}

/// A pull would have removed at least so many of all rows. Those of earlier pages, fewer than half, are
/// removed; nothing else is.
package struct MassRemoval: Error, Sendable, Hashable {
  package let rows: Int
  package let total: Int
  /// Of those still here, so that they can be shown before anybody agrees.
  package let ids: [String]

  /// More are not named.
  static let mostNamed = 1_000
}
