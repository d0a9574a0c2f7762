import InMemoryStore
import OfflineSync
import TableProtocol

/// A table server in memory: its rows and its clock. It shares nothing with the engine under test but
/// the types of the wire.
final class SimulatedServer {
  struct LateWrite {
    let item: String
    let column: Column
    let text: String
    let stamp: Int64
    let readVersion: VersionNumber
  }

  let home: Home
  let manners: ServerManners
  var rows: [String: ServerRow] = [:]
  /// Writes to each row, oldest first.
  var history: [String: [(version: VersionNumber, party: Party)]] = [:]
  var hardDeleted: Set<String> = []
  /// Rows of which it takes no change from devices, for a reason of its own.
  var refused: Set<String> = []
  /// Made, and not to be seen yet.
  var late: [LateWrite] = []
  private var lastVersion = 0
  private var lastStamp: Int64 = 0

  init(_ home: Home, _ manners: ServerManners) {
    self.home = home
    self.manners = manners
  }

  /// The moment a write made now is stamped with, in microseconds.
  func stamp(_ clock: Int64) -> Int64 {
    if manners.hasRisingClock {
      // Another millisecond for each write, as our server promises.
      lastStamp = max(clock, (lastStamp / 1_000 + 1) * 1_000)
      return lastStamp
    }
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
    history[row.id, default: []].append((row.version, party))
    return row
  }

  func page(_ query: TableQuery) -> RemotePage {
    let matching = rows.values.filter { row in query.filter.map { $0.holds(for: row) } ?? true }
    let key = query.order.first
    let sorted = matching.sorted { left, right in
      guard key?.column == SystemColumn.updatedAt, left.updated != right.updated else { return left.id < right.id }
      return (left.updated < right.updated) == (key?.ascending ?? true)
    }
    let rest = sorted.dropFirst(query.skip ?? 0)
    let wanted = query.limit ?? rest.count
    let page = rest.prefix(min(wanted, manners.pageCap))
    return RemotePage(
      records: page.map(\.record), hasMore: !manners.cutsSilently && page.count < min(wanted, rest.count),
      isOrdered: manners.isOrdered, totalCount: query.includesTotalCount ? matching.count : nil,
      digest: page.count == rest.count ? digest : nil)
  }

  /// What all rows come to that are not deleted.
  var digest: TableDigest {
    var digest = TableDigest()
    for row in rows.values where !row.deleted { digest.add(row.id, row.version.version) }
    return digest
  }
}

extension Filter {
  /// The conditions that pulls make, by the server's fine time.
  fileprivate func holds(for row: ServerRow) -> Bool {
    switch self {
    case .binary(.and, let left, let right):
      left.holds(for: row) && right.holds(for: row)
    case .binary(let relation, .member(SystemColumn.updatedAt), .literal(.timestamp(let moment))):
      relation.holds(row.updated, moment.milliseconds * 1_000)
    case .binary(let relation, .member(SystemColumn.id), .literal(.text(let id))):
      relation.holds(row.id, id)
    default:
      (try? FilterEvaluation(of: row.record, kind: SimulatedTable.kind(of:)).holds(self)) ?? false
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
