public import TableProtocol

/// Stops a pull that would remove more than half of a list (sync-rules P10). A server that lost its data, or another
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
  fileprivate let total: Int?
  private var smallest: Int
  /// Rows in the table now, and those of them that this pull removed.
  private var present: Int?
  private var removedNow = 0
  fileprivate var removed = 0
  /// How many removals, with the earlier ones, stopped a pull; nil if the user has agreed since.
  fileprivate var stoppedAt: Int?

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
    stoppedAt = earlier?.stoppedAt
  }

  /// Returns true if the counting goes on. A stop stays in force until the user decides.
  private func holds(at now: Timestamp) -> Bool {
    stoppedAt != nil || (0..<Self.window).contains(now.milliseconds - since.milliseconds)
  }

  /// True if a part of a pull removes so many rows that the parts after it may be like it: a quarter of its rows, or
  /// with those before a tenth of all.
  func mayGoOn(removing rows: Int, of part: Int) -> Bool {
    guard let total, rows > 0 else { return false }
    return rows * 4 >= part || (removed + rows) * 10 > total
  }

  /// Throws `MassRemoval` if none of these rows may be removed. Counts none of them.
  func require(_ ids: Set<RecordID>) throws {
    var copy = self
    try copy.allow(ids.sorted())
  }

  /// Counts rows that are about to be removed. Throws `MassRemoval` if none of them may be removed.
  mutating func allow(_ ids: [RecordID]) throws {
    guard !ids.isEmpty else { return }
    if let total, stops(removed + ids.count, of: total) || wouldEmpty(ids.count) {
      throw MassRemoval(
        rows: removed + ids.count, here: ids.count, total: total, ids: Array(ids.prefix(MassRemoval.mostNamed)))
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

  /// The guard for the comparison that follows in the same pull: the list is still the one that the pull began with.
  var watchingAll: MassDeletionGuard {
    var copy = self
    copy.smallest = 1
    return copy
  }

  /// The guard after a pull that was stopped.
  func stopped(by removal: MassRemoval) -> MassDeletionGuard {
    var copy = self
    copy.stoppedAt = removal.rows
    return copy
  }

  /// The guard after a complete pull: an earlier stop is over.
  var passed: MassDeletionGuard {
    var copy = self
    copy.stoppedAt = nil
    return copy
  }
}

/// The guard as a fact: start, rows, removed rows, and `stopped` with the removals that stopped it. Nil if there is
/// nothing to save.
extension MassDeletionGuard {
  var text: String? {
    guard let total, removed > 0 || stoppedAt != nil else { return nil }
    return "\(since.text) \(total) \(removed)" + (stoppedAt.map { " stopped \($0)" } ?? "")
  }

  fileprivate init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count >= 3, let since = Timestamp(parts[0]), let total = Int(parts[1]), let removed = Int(parts[2])
    else { return nil }
    self.init(since: since, total: total, smallest: 0)
    self.removed = removed
    // An earlier version saved no number. It was at least half.
    if parts.count > 3 { stoppedAt = parts.dropFirst(4).first.flatMap { Int($0) } ?? (total + 1) / 2 }
  }
}

extension MassRemoval {
  /// The stop of the last pull of a table. Nil if it was not stopped, or if the user has answered since.
  package init?(of table: String, in store: any StoreReader) throws {
    guard let text = try store.fact(SyncFact.deletions(in: table)), let stop = MassDeletionGuard(text),
      let rows = stop.stoppedAt, let total = stop.total
    else { return nil }
    self.init(rows: rows, here: max(0, rows - stop.removed), total: total)
  }
}

/// The treatment of rows that a pull would remove.
enum RemovalRule: Sendable, Hashable {
  /// They go, unless that would be too many.
  case guarded
  /// They go.
  case allowed
  /// They stay, and wait to be sent to the server again.
  case sentBack
}

/// A pull was stopped, because it would have removed too many rows. Rows that earlier pulls of the day removed stay
/// removed, and so do those of earlier pages: of a pull of changes only if it was few, of a complete comparison fewer
/// than half.
public struct MassRemoval: Error, Sendable, Hashable {
  /// The rows that the pull would have removed, with those that earlier pages and pulls of the day removed.
  public let rows: Int
  /// The number of them that are still here. They can be sent back.
  public let here: Int
  /// The rows of the table before anything was removed.
  public let total: Int
  /// The ids of rows that are still here, so that the user can see them before the decision.
  public let ids: [RecordID]

  /// The largest number of ids.
  static let mostNamed = 1_000

  /// Without `here`, all of the rows are still here.
  package init(rows: Int, here: Int? = nil, total: Int, ids: [RecordID] = []) {
    self.rows = rows
    self.here = here ?? rows
    self.total = total
    self.ids = ids
  }
}
