import TableProtocol

/// Takes users and tables out of the database.
extension PostgreSQLStorage {
  /// For a list of millions of rows, which nobody waits for but who asked.
  private static let longestRemoval = Duration.seconds(3_600)

  func remove(_ tables: Set<ServedTable>, now: Timestamp, nonce: String) throws -> RemovedLists {
    try blocking {
      try Self.remove("name", tables.map(\.name), now: now, nonce: nonce, $0)
    } isDone: { removed, connection in
      try removed.lists == 0 || Self.hasBegunEpoch(nonce, connection)
    }
  }

  func remove(_ users: Set<UserName>, now: Timestamp, nonce: String) throws -> RemovedUsers {
    // By itself: nobody could join while the row of the database is locked. From here on no list of the users is begun.
    let grants = try blocking { connection -> [Grant] in
      try users.flatMap { try PostgreSQLGrants.revoke(.user($0), connection) }
    } isDone: {
      try PostgreSQLGrants.areRevoked($0, $1)
    }
    do {
      let lists = try blocking {
        try Self.remove("owner", users.map(\.text), now: now, nonce: nonce, $0)
      } isDone: { removed, connection in
        try removed.lists == 0 || Self.hasBegunEpoch(nonce, connection)
      }
      return RemovedUsers(lists: lists, grants: grants)
    } catch {
      guard !grants.isEmpty else { throw error }
      throw ServerDatabaseError.tokensTakenBack(ServerDatabaseError(postgreSQL: error, connections.address))
    }
  }

  /// Removes the lists that have one of these values in this column. They are locked first. The row of the database and
  /// all other lists are locked last: whoever begins a list, joins or writes waits only for the end of the removal. Of
  /// two removals at once each could then wait for the lists of the other, so one begins when the other has ended.
  private static func remove(
    _ column: String, _ values: [String], now: Timestamp, nonce: String, _ connection: PostgreSQLConnection
  ) throws -> RemovedLists {
    connection.allow(longestRemoval)
    // Of locks too: one that is waited for at the end must not undo all of it.
    try connection.run(
      "SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $1, true)",
      [.integer(longestRemoval.milliseconds)])
    // It keeps nobody from reading or writing rows.
    try connection.run("LOCK TABLE ebb_list IN SHARE UPDATE EXCLUSIVE MODE")
    let lists = try connection.run(
      "SELECT list_id::text FROM ebb_list WHERE \(column) = ANY ($1::text[]) ORDER BY ebb_list.list_id FOR UPDATE",
      [.array(values)]
    ).texts
    guard !lists.isEmpty else { return RemovedLists() }
    let meant = [PostgreSQLValue.array(lists)]
    let counts = try connection.run(
      """
      SELECT count(*) FILTER (WHERE NOT deleted), count(*) FILTER (WHERE deleted) FROM ebb_item
      WHERE list_id = ANY ($1::uuid[])
      """, meant)
    for table in ["ebb_item", "ebb_answer"] {
      try connection.run("DELETE FROM \(table) WHERE list_id = ANY ($1::uuid[])", meant)
    }
    let gone = try connection.run("DELETE FROM ebb_list WHERE list_id = ANY ($1::uuid[]) RETURNING made_at", meant)
    // A trigger that is none of the server's may keep rows.
    guard gone.count == lists.count else { throw StorageError.refused("rows of ebb_list can't be removed") }
    if (0..<gone.count).contains(where: { gone.integer($0, 0) == 0 }) { try replaceFirstList(connection) }
    _ = try raiseEpoch(now: now, nonce: nonce, isRemoval: true, connection)
    return RemovedLists(
      lists: lists.count, items: Int(counts.integer(0, 0) ?? 0), tombstones: Int(counts.integer(0, 1) ?? 0))
  }

  /// Every database has it: nobody's list, which may have been begun again.
  private static func replaceFirstList(_ connection: PostgreSQLConnection) throws {
    let begun = try connection.run(
      "UPDATE ebb_list SET made_at = 0 WHERE owner = '' AND name = $1 RETURNING 1",
      [.text(ServedTable.todoItem.name)])
    if begun.isEmpty { try PostgreSQLSchema.makeFirstList(connection) }
  }

  /// True if the epoch of this name began. Waits for whoever raises the epoch.
  private static func hasBegunEpoch(_ name: String, _ connection: PostgreSQLConnection) throws -> Bool {
    try lockedEpoch(connection).goesBack(to: name)
  }
}
