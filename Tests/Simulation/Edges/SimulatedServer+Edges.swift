import TableProtocol

/// What happens to a server and its database from outside.
extension SimulatedServer {
  /// Forgets tombstones that are older than this moment, and returns their ids.
  func forgetTombstones(before limit: Int64) -> [RecordID] {
    let tombstones = rows.values.filter { $0.deleted && $0.updated < limit }
    if let last = tombstones.map(\.updated).max() {
      tombstonesAfter = max(tombstonesAfter ?? .epoch, Timestamp(milliseconds: last / 1_000))
    }
    let old = tombstones.map(\.id)
    for id in old { (rows[id], painted[id]) = (nil, nil) }
    forgotten.formUnion(old)
    return old.sorted()
  }

  /// Another client changes a row and notes no time.
  func storeUntimed(_ row: ServerRow) {
    store(row, by: .other)
    untimed.insert(row.id)
  }

  /// Another database, with the live rows of the backup, if there is one, and no trace of anything else.
  func begin(at clock: Int64) {
    rows = (backup?.rows ?? [:]).filter { !$0.value.deleted }
    painted = (backup?.painted ?? [:]).filter { rows[$0.key] != nil }
    tombstonesAfter = nil
    hardDeleted.subtract(rows.keys)
    forgotten.subtract(rows.keys)
    renumber(at: clock)
  }

  /// Rows keep their contents and get the versions of a new database, which had other contents under the old one's.
  func renumber(at clock: Int64) {
    late = []
    startAgain()
    for row in rows.values.sorted(by: { $0.id < $1.id }) {
      let wasUntimed = untimed.contains(row.id)
      var copy = row
      copy.updated = stamp(clock)
      store(copy, by: .other)
      if wasUntimed { untimed.insert(row.id) }
    }
  }
}
