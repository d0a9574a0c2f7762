import GRDB
import TableProtocol

/// Takes users and tables out of the database.
extension SQLiteStorage {
  func remove(_ tables: Set<ServedTable>, now: Timestamp, nonce: String) throws -> RemovedLists {
    let (removed, numbers) = try blocking { database in
      let places = try ListPlace.all(in: database).filter { tables.contains($0.list.table) }
      return try remove(places, now: now, nonce: nonce, in: database)
    }
    try mark.forget(numbers)
    return removed
  }

  func remove(_ users: Set<UserName>, now: Timestamp, nonce: String) throws -> RemovedUsers {
    defer { secureAccess() }
    let (removed, numbers) = try blocking { database in
      let places = try users.flatMap { try ListPlace.all(of: $0, in: database) }
      let (lists, numbers) = try remove(places, now: now, nonce: nonce, in: database)
      let grants = try users.flatMap { try revoke(.user($0), in: database) }
      return (RemovedUsers(lists: lists, grants: grants), numbers)
    }
    try mark.forget(numbers)
    return removed
  }

  /// Returns the numbers of lists that the server's mark must forget too: it does here, so that nothing is left to do if
  /// the command is killed after the commit. A server that has written to one of them just before may mark it after that,
  /// so that the mark forgets them once more after the commit.
  private func remove(
    _ places: [ListPlace], now: Timestamp, nonce: String, in database: Database
  ) throws -> (RemovedLists, numbers: Set<Int64>) {
    guard !places.isEmpty else { return (RemovedLists(), []) }
    var removed = RemovedLists(lists: places.count)
    let before = Set(try ListPlace.all(in: database).map(\.number))
    for place in places {
      let sql = "SELECT count(*), coalesce(sum(deleted = 0), 0) FROM \"\(place.table)\""
      try database.forEach(sql, isKept: false) { row in
        let (all, items) = (Int(row.integer(0) ?? 0), Int(row.integer(1) ?? 0))
        removed.items += items
        removed.tombstones += all - items
        return false
      }
      try place.remove(in: database)
    }
    _ = try StoredState.raiseEpoch(in: database, now: now, nonce: nonce, above: 0, isRemoval: true)
    let gone = before.subtracting(try ListPlace.all(in: database).map(\.number)).union(places.map(\.number))
    try mark.forget(gone)
    return (removed, gone)
  }
}
