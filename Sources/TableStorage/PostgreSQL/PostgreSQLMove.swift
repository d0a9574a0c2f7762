import Glibc
import TableProtocol

/// A database of PostgreSQL as one end of a move.
extension PostgreSQLStorage: MovableStorage {
  func isUnused() throws -> Bool { try blocking(Self.isUnused) }

  private static func isUnused(_ connection: PostgreSQLConnection) throws -> Bool {
    try connection.run(
      """
      SELECT 1 FROM ebb_token UNION ALL SELECT 1 FROM ebb_list WHERE made_at > 0 OR last_updated_at > 0
      UNION ALL (SELECT 1 FROM ebb_item LIMIT 1)
      """
    ).isEmpty
  }

  var tokenTable: String { PostgreSQLGrants.table }

  func allTokens() throws -> StoredTokens { try blocking { try PostgreSQLGrants.tokens($0) } }

  private var shown: String { connections.address.shown }

  /// Waits for sessions that end just now, and for those that have not said yet which schema is theirs. Behind a pooler
  /// they may be there for longer: a move should go around it.
  func refuseOthers() throws {
    for attempt in 1...20 {
      let others = try blocking {
        try $0.run(
          """
          SELECT 1 FROM pg_catalog.pg_stat_activity WHERE datname = current_database()
            AND application_name ~ format('^ebb( move [^ ]+)?( %s)?$', current_schema()::regnamespace::oid)
            AND NOT starts_with(application_name, $1)
          """, [.text("ebb move \(options.move ?? "")")])
      }
      if others.isEmpty { return }
      if attempt < 20 { _ = poll(nil, 0, 100) }
    }
    throw ServerDatabaseError.move(.inUse(database: shown))
  }

  /// The table `ebb_move` is there from the beginning of a move to its end, so that nothing half moved is served, and
  /// says which move it is: each transaction of that asks.
  func claim() throws {
    try refuseOthers()
    try blocking { connection in
      do {
        if try PostgreSQLSchema.hasUnfinishedMove(connection) { try clear(connection) }
        try connection.run("CREATE TABLE ebb_move (nonce text)")
        try connection.run("INSERT INTO ebb_move VALUES ($1)", [.optional(options.move)])
      } catch PostgreSQLFailure.refused(let state, _) where state.hasPrefix("42P") || state == "23505" {
        // Another move made the table, or took it away, at the same time.
        throw ServerDatabaseError.move(.inUse(database: shown))
      }
      guard try Self.isUnused(connection) else { throw ServerDatabaseError.move(.targetUsed(database: shown)) }
    }
    do {
      // A server that was started before the table was there.
      try refuseOthers()
    } catch {
      // Its rows stay.
      try? moving { _ = try $0.run("DROP TABLE ebb_move") }
      throw error
    }
  }

  func giveUpMove() { try? moving { try clear($0) } }

  /// Runs `body` in one transaction, if the database is still this move's.
  private func moving(_ body: (PostgreSQLConnection) throws -> Void) throws {
    try blocking { connection in
      try PostgreSQLSchema.checkIsMoving(options.move ?? "", connection, database: shown)
      try body(connection)
    }
  }

  func begin(_ moved: MovedDatabase) throws {
    try moving { connection in
      guard let owner = moved.lists.first?.list.owner else { return }
      try connection.run("UPDATE ebb_list SET owner = $1 WHERE made_at = 0", [.text(owner.text)])
    }
  }

  private func clear(_ connection: PostgreSQLConnection) throws {
    // Waits for what the move that left it may have under way.
    try connection.run("DROP TABLE ebb_move")
    try connection.run("TRUNCATE ebb_item, ebb_answer, ebb_token, ebb_list")
    try connection.run(
      "UPDATE ebb_database SET uuid = $1, epoch = 1, epoch_nonce = NULL, address = NULL, aliases = NULL",
      [.text(identity.text)])
    try PostgreSQLSchema.makeFirstList(connection)
  }

  func markMoveFinished() throws { try moving { _ = try $0.run("DROP TABLE ebb_move") } }

  func finish(_ moved: MovedDatabase) throws {
    try moving { connection in
      try connection.run(
        "UPDATE ebb_database SET uuid = $1, epoch = $2, epoch_nonce = $3, address = $4",
        [
          .text(moved.identity.text), .integer(moved.epoch.number), .optional(moved.epoch.nonce),
          .optional(moved.address),
        ])
      for (number, list) in moved.lists.enumerated() {
        try connection.run(
          """
          UPDATE ebb_list SET last_updated_at = $3, newest = $4, epoch_from = $5, answers_kept_after = $6,
            tombstones_after = $7, made_at = $8 WHERE owner = $1 AND name = $2
          """,
          [
            .text(list.list.owner?.text ?? ""), .text(list.list.table.name), .moment(list.state.lastMoment),
            .moment(list.state.newestMoment), .moment(list.state.epoch.from), .moment(moved.answersKeptAfter),
            .moment(list.state.tombstonesAfter), .integer(number),
          ])
      }
      for (number, token) in moved.tokens.sound.enumerated() {
        let grant = token.grant
        try connection.run(
          """
          INSERT INTO ebb_token
            (digest, id, number, username, label, scope, created_at, expires_at, last_used_at, revoked)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
          """,
          [
            .bytes(token.digest.bytes), .text(grant.id), .integer(number), .text(grant.user.text), .text(grant.label),
            .text(grant.scope.rawValue), .moment(grant.createdAt), .moment(grant.expiresAt),
            .moment(grant.lastUsedAt), .bool(grant.isRevoked),
          ])
      }
    }
    try moving { try Self.keep(moved.aliases, $0) }
  }
}
