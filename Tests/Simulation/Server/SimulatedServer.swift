import InMemoryStore
import OfflineSync
import TableProtocol

/// A table server in memory: its rows and its clock. It shares nothing with the engine under test but
/// the types of the wire.
final class SimulatedServer {
  struct LateWrite {
    let item: RecordID
    let column: Column
    let text: String
    let stamp: Int64
    let readVersion: VersionNumber
  }

  /// The rows at a moment, and the last version and stamp that were given until then.
  struct Backup {
    let rows: [RecordID: ServerRow]
    let painted: [RecordID: FieldValue]
    let version: Int
    let stamp: Int64
    let tombstonesAfter: Timestamp?
    let epoch: DatabaseEpoch
  }

  let home: Home
  let manners: ServerManners
  var rows: [RecordID: ServerRow] = [:]
  /// Writes to each row, oldest first.
  var history: [RecordID: [(version: VersionNumber, party: Party)]] = [:]
  /// All words that each row ever had.
  private(set) var words: [RecordID: Set<String>] = [:]
  /// The versions of the tombstones of each row.
  private(set) var deletions: [RecordID: [Int]] = [:]
  var hardDeleted: Set<RecordID> = []
  /// Rows whose tombstones it has forgotten.
  var forgotten: Set<RecordID> = []
  /// The last moment of those; nil if there are none.
  var tombstonesAfter: Timestamp?
  /// Rows of which it takes no change from devices, for a reason of its own.
  var refused: Set<RecordID> = []
  /// Made, and not to be seen yet.
  var late: [LateWrite] = []
  /// Rows of which it lets no device make a change.
  var forbidden: Set<RecordID> = []
  /// Rows whose last change has no time.
  var untimed: Set<RecordID> = []
  /// What another client wrote into the column that no device knows.
  var painted: [RecordID: FieldValue] = [:]
  /// True while it promises that rows become visible in the order of their stamps.
  var isOrdered: Bool
  /// The life of the database that it says it is in: raised when an older state was put back in its place, of which
  /// nobody but the devices has what came later.
  private(set) var epoch = DatabaseEpoch(number: 1)
  /// How often a backup was put back.
  private var restored = 0
  /// How often lists were removed.
  private var removals = 0
  private(set) var backup: Backup?
  /// Of all writes, in the order in which they were made.
  private(set) var stamps: [Int64] = []
  private var lastVersion = 0
  private var lastStamp: Int64 = 0

  /// The last moment that a write was given, in whole milliseconds.
  var lastMoment: Timestamp { Timestamp(milliseconds: lastStamp / 1_000) }

  /// What decides in place of ``ServerRules``; nil if they do.
  let code: (any ServerCode)?
  /// What the code answered that no device expects; nil for nothing.
  var surprise: String?

  /// A server of ours is run by the `code`, if there is one.
  init(_ home: Home, _ manners: ServerManners, _ code: (any ServerCode)?) {
    self.home = home
    self.manners = manners
    self.code = manners.canBeServed ? code : nil
    isOrdered = manners.isOrdered
  }

  /// A list as it was a while ago, on the way to the server.
  private var kept: (rows: [RecordID: ServerRow], stamp: Int64, epoch: DatabaseEpoch)?
  /// What an emptied database had.
  private var emptied: (rows: [RecordID: ServerRow], painted: [RecordID: FieldValue])?
  /// True when it dates writes with its clock however far that steps back.
  var followsClock = false

  /// The moment a write made now is stamped with, in microseconds.
  func stamp(_ clock: Int64) -> Int64 {
    let stamp = newStamp(clock)
    stamps.append(stamp)
    return stamp
  }

  /// Takes a row that the code has written.
  func store(_ record: Record, by party: Party) -> ServerRow {
    let row = ServerRow(record)
    lastStamp = row.updated
    stamps.append(row.updated)
    return store(row, by: party)
  }

  private func newStamp(_ clock: Int64) -> Int64 {
    if manners.hasRisingClock {
      // Another millisecond for each write, as our server promises.
      lastStamp = max(clock, (lastStamp / 1_000 + 1) * 1_000)
      return lastStamp
    }
    if followsClock { return clock }
    // The clock may step back, but not by more than a pull looks back.
    lastStamp = max(lastStamp, clock)
    return max(clock, lastStamp - 10_000_000)
  }

  @discardableResult
  func store(_ row: ServerRow, by party: Party) -> ServerRow {
    var row = row
    lastVersion += 1
    row.version = VersionNumber(home: home, number: lastVersion)
    rows[row.id] = row
    words[row.id, default: []].formUnion(row.values.words)
    if row.deleted { deletions[row.id, default: []].append(lastVersion) }
    untimed.remove(row.id)
    history[row.id, default: []].append((row.version, party))
    return row
  }

  /// Call before rows are stored that a new database counts from 1. A backup of the old one is none of the new one.
  func startAgain() {
    lastVersion = 0
    epoch = DatabaseEpoch(number: 1)
    (backup, tombstonesAfter) = (nil, nil)
    // It is at another address, for which nothing was kept.
    kept = nil
  }

  func backUp() {
    backup = Backup(
      rows: rows, painted: painted, version: lastVersion, stamp: lastStamp, tombstonesAfter: tombstonesAfter,
      epoch: epoch)
  }

  /// Puts the rows of the backup back, and says so as `ebb serve epoch` does: what is written from now on has later
  /// stamps and other versions than anything that was lost. If nobody says so, its clock of writes is that of the
  /// backup. Returns the rows; nil if there is no backup.
  func restore(isSaid: Bool = true) -> [RecordID: ServerRow]? {
    guard let backup else { return nil }
    (rows, painted, tombstonesAfter) = (backup.rows, backup.painted, backup.tombstonesAfter)
    late = []
    hardDeleted.subtract(rows.keys)
    forgotten.subtract(rows.keys)
    guard isSaid else {
      lastStamp = backup.stamp
      return rows
    }
    restored += 1
    epoch = DatabaseEpoch(number: backup.epoch.number + 1, from: newest, nonce: "restored\(restored)")
    return rows
  }

  /// Beside the name of an epoch, so many names of epochs before it have room in a nonce.
  static let mostNamed = 6

  /// Removes lists of others, as `ebb serve users remove` does. The next epoch begins, with the names of those before
  /// it, as far as no step lost anything here.
  func removeOthers() {
    // A list with its first rows in this epoch may have replaced a removed one, whose rows devices still have.
    let isNew = epoch.from == nil && newest != nil
    removals += 1
    // As long as the random texts of a real server, so that as many of them have room.
    let name = "r\(1_000_000 + removals)"
    epoch = DatabaseEpoch(
      number: epoch.number + 1, from: newest, nonce: epoch.nonce(afterRemoval: name, endsHere: isNew))
  }

  /// Removes this list, of which no tombstone stays. The next row begins another one in its place.
  func removeList() {
    (rows, painted, tombstonesAfter) = ([:], [:], nil)
    late = []
    removeOthers()
  }

  /// True if rows this late were never written: its clock of writes decides, and if that was put back alone, the rows.
  func isBehind(_ reached: Timestamp) -> Bool {
    reached.milliseconds > lastStamp / 1_000 + 1 && newest.map { $0 < reached } ?? true
  }

  /// `updatedAt` of the newest row, tombstones included, those that are gone too.
  var newest: Timestamp? {
    let last = rows.values.map(\.updated).max().map { Timestamp(milliseconds: $0 / 1_000) }
    return [last, tombstonesAfter].compactMap(\.self).max()
  }

  func fillCache() { kept = (rows, lastStamp, epoch) }

  /// The answer to a question as it would have been when the list was kept.
  func keptPage(_ query: TableQuery) -> RemotePage? {
    guard let kept, kept.epoch == epoch, emptied == nil else { return nil }
    let now = (rows, lastStamp)
    defer { (rows, lastStamp) = now }
    (rows, lastStamp) = (kept.rows, kept.stamp)
    return page(query)
  }

  /// Rows that live in one of the list that was kept and the list of now, and are deleted or missing in the other.
  var revivedSinceKept: [RecordID] {
    guard let kept else { return [] }
    let ids = Set(kept.rows.keys).union(rows.keys)
    return ids.filter { (kept.rows[$0]?.deleted ?? true) != (rows[$0]?.deleted ?? true) }.sorted()
  }

  var isEmptied: Bool { emptied != nil }

  func empty() {
    guard emptied == nil else { return }
    emptied = (rows, painted)
    (rows, painted) = ([:], [:])
    late = []
  }

  /// What it had is there again, beside what was made meanwhile. Returns the rows that come back, those that devices
  /// have made anew, and the words that are lost by that.
  func refill() -> (back: [RecordID], renewed: [RecordID], lost: Set<String>) {
    guard let old = emptied else { return ([], [], []) }
    defer { emptied = nil }
    let lost = old.rows.flatMap { id, row in
      row.values.words.subtracting(rows[id]?.values.words ?? row.values.words)
    }
    let back = old.rows.filter { rows[$0.key] == nil }
    let renewed = old.rows.keys.filter { rows[$0] != nil }
    // A row that was made anew has nothing of a column that its device does not know.
    painted.merge(old.painted.filter { back[$0.key] != nil }) { new, _ in new }
    rows.merge(back) { new, _ in new }
    return (back.keys.sorted(), renewed.sorted(), Set(lost))
  }

  func page(_ query: TableQuery) -> RemotePage {
    let matching = rows.values.filter { row in query.filter.map { holds($0, for: row) } ?? true }
    let key = query.order.first
    let sorted = matching.sorted { left, right in
      let (first, second) = (time(of: left), time(of: right))
      guard key?.column == SystemColumn.updatedAt, first != second else {
        return self.key(of: left.id) < self.key(of: right.id)
      }
      return (first < second) == (key?.ascending ?? true)
    }
    let rest = sorted.dropFirst(query.skip ?? 0)
    let wanted = query.limit ?? rest.count
    let page = rest.prefix(min(wanted, manners.pageCap))
    var answer = RemotePage(
      records: page.map(record), hasMore: !manners.cutsSilently && page.count < min(wanted, rest.count),
      isOrdered: isOrdered, totalCount: query.includesTotalCount ? matching.count : nil,
      digest: manners.family == .ebb && page.count == rest.count ? digest : nil)
    if let announcedEpoch {
      // By this a device notices that an older state was put back (sync-rules W4).
      answer.epoch = announcedEpoch
      answer.newest = newest
      answer.tombstones = TombstoneRetention(days: 100, after: tombstonesAfter)
      answer.isBehind = query.filter?.latestLowerBound.map { $0.milliseconds > lastStamp / 1_000 + 1 } ?? false
    }
    return answer
  }

  /// Our own server announces one.
  var announcedEpoch: DatabaseEpoch? { manners.family == .ebb ? epoch : nil }

  /// What all rows come to that are not deleted.
  var digest: TableDigest {
    var digest = TableDigest()
    for row in rows.values where !row.deleted { digest.add(row.id, row.version.version) }
    return digest
  }
}

/// How it orders and compares.
extension SimulatedServer {
  /// A row as it goes over the wire.
  func record(_ row: ServerRow) -> Record {
    var record = row.record
    if untimed.contains(row.id) { record.system.updatedAt = nil }
    if !manners.tellsBirth { record.system.createdAt = nil }
    return record
  }

  /// A row without a time comes before all others.
  private func time(of row: ServerRow) -> Int64 { untimed.contains(row.id) ? .min : row.updated }

  private func key(of id: RecordID) -> RecordID {
    manners.ignoresCase ? RecordID(id.text.lowercased()) : id
  }

  /// The conditions that pulls make, by the server's fine time.
  private func holds(_ filter: Filter, for row: ServerRow) -> Bool {
    switch filter {
    case .binary(.and, let left, let right):
      holds(left, for: row) && holds(right, for: row)
    case .binary(.or, let left, let right):
      holds(left, for: row) || holds(right, for: row)
    case .binary(let relation, .member(SystemColumn.updatedAt), .literal(.timestamp(let moment))):
      !untimed.contains(row.id) && relation.holds(row.updated, moment.milliseconds * 1_000)
    case .binary(let relation, .member(SystemColumn.id), .literal(.text(let id))):
      relation.holds(key(of: row.id), key(of: RecordID(id)))
    default:
      (try? FilterEvaluation(of: row.record, kind: SimulatedTable.kind(of:)).holds(filter)) ?? false
    }
  }
}

extension Filter {
  /// The latest moment after which a pull asks for rows.
  fileprivate var latestLowerBound: Timestamp? {
    switch self {
    case .binary(.and, let left, let right): [left.latestLowerBound, right.latestLowerBound].compactMap(\.self).max()
    case .binary(.greater, .member(SystemColumn.updatedAt), .literal(.timestamp(let moment))),
      .binary(.greaterOrEqual, .member(SystemColumn.updatedAt), .literal(.timestamp(let moment))):
      moment
    default: nil
    }
  }
}

extension FilterOperator {
  fileprivate func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .notEqual: left != right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .less: left < right
    case .lessOrEqual: left <= right
    default: false
    }
  }
}
