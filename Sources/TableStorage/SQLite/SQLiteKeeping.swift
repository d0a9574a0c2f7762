import GRDB
import TableProtocol

/// Takes users and tables out of the database.
extension SQLiteStorage {
  func remove(_ tables: Set<ServedTable>, now: Timestamp, nonce: String) throws -> RemovedLists {
    try blocking { database in
      let places = try ListPlace.all(in: database).filter { tables.contains($0.list.table) }
      return try remove(places, now: now, nonce: nonce, in: database)
    }
  }

  func remove(_ users: Set<UserName>, now: Timestamp, nonce: String) throws -> RemovedUsers {
    defer { secureAccess() }
    return try blocking { database in
      let places = try users.flatMap { try ListPlace.all(of: $0, in: database) }
      let lists = try remove(places, now: now, nonce: nonce, in: database)
      let grants = try users.flatMap { try StoredGrants.revoke(.user($0), in: database) }
      return RemovedUsers(lists: lists, grants: grants)
    }
  }

  private func remove(
    _ places: [ListPlace], now: Timestamp, nonce: String, in database: Database
  ) throws -> RemovedLists {
    guard !places.isEmpty else { return RemovedLists() }
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
    _ = try StoredState.raiseEpoch(in: database, now: now, nonce: nonce, above: 0)
    // A server would miss at its next start what it has marked of these numbers. Before the commit: if the command is
    // killed after it, nothing is left to do.
    let numbers = before.subtracting(try ListPlace.all(in: database).map(\.number))
    mark.forget(numbers.union(places.map(\.number)))
    return removed
  }
}
