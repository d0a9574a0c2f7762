import TableProtocol

/// Takes users and tables out of the database.
extension PostgreSQLStorage {
  /// For a list of millions of rows, which nobody waits for but who asked.
  private static let longestRemoval = Duration.seconds(3_600)

  func remove(_ table: ServedTable, now: Timestamp, nonce: String) throws -> RemovedLists {
    try blocking {
      try Self.remove("name = $1", table.name, now: now, nonce: nonce, $0)
    } isDone: { removed, connection in
      try removed.lists == 0 || Self.isEpoch(nonce, connection)
    }
  }

  func remove(_ user: UserName, now: Timestamp, nonce: String) throws -> RemovedUser {
    try blocking { connection in
      // From here on no token is given out, and no list of the user is begun.
      try connection.run("SELECT 1 FROM ebb_database FOR UPDATE")
      let lists = try Self.remove("owner = $1", user.text, now: now, nonce: nonce, connection)
      return RemovedUser(lists: lists, grants: try PostgreSQLGrants.revoke(.user(user), connection))
    } isDone: { removed, connection in
      if removed.lists.lists > 0, try !Self.isEpoch(nonce, connection) { return false }
      return try PostgreSQLGrants.areRevoked(removed.grants, connection)
    }
  }

  /// The lists are locked first and all others last: whoever writes to those waits only for the end of the removal.
  private static func remove(
    _ condition: String, _ name: String, now: Timestamp, nonce: String, _ connection: PostgreSQLConnection
  ) throws -> RemovedLists {
    connection.allow(longestRemoval)
    try connection.run("SELECT set_config('statement_timeout', $1, true)", [.integer(longestRemoval.milliseconds)])
    let lists = try connection.run(
      "SELECT l.list_id::text FROM ebb_list l WHERE \(condition) ORDER BY l.list_id FOR UPDATE", [.text(name)]
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
    if (0..<gone.count).contains(where: { gone.integer($0, 0) == 0 }) { try replaceFirstList(connection) }
    _ = try raiseEpoch(now: now, nonce: nonce, connection)
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

  /// Waits for whoever raises it.
  private static func isEpoch(_ nonce: String, _ connection: PostgreSQLConnection) throws -> Bool {
    try connection.run("SELECT epoch_nonce FROM ebb_database FOR UPDATE").text(0, 0) == nonce
  }
}
