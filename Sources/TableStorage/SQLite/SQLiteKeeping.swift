import GRDB
import TableProtocol

/// Takes users and tables out of the database.
extension SQLiteStorage {
  func remove(_ tables: Set<ServedTable>, now: Timestamp, nonce: String) throws -> RemovedLists {
    let removed = try blocking { database in
      let places = try ListPlace.all(in: database).filter { tables.contains($0.list.table) }
      return try Self.remove(places, now: now, nonce: nonce, in: database)
    }
    // A server would miss at its next start what it has marked of these lists.
    if removed.lists > 0 { mark.reset() }
    return removed
  }

  func remove(_ users: Set<UserName>, now: Timestamp, nonce: String) throws -> RemovedUsers {
    defer { secureAccess() }
    let removed = try blocking { database in
      let places = try users.flatMap { try ListPlace.all(of: $0, in: database) }
      let lists = try Self.remove(places, now: now, nonce: nonce, in: database)
      let grants = try users.flatMap { try StoredGrants.revoke(.user($0), in: database) }
      return RemovedUsers(lists: lists, grants: grants)
    }
    if removed.lists.lists > 0 { mark.reset() }
    return removed
  }

  private static func remove(
    _ places: [ListPlace], now: Timestamp, nonce: String, in database: Database
  ) throws -> RemovedLists {
    guard !places.isEmpty else { return RemovedLists() }
    var removed = RemovedLists(lists: places.count)
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
    return removed
  }
}
